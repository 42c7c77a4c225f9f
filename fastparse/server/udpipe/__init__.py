"""The REST protocol of UDPipe."""
