"""What moves and labels score, by linear weights or by an encoder; engines join them to a system."""
