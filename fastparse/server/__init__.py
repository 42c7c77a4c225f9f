"""Models as a service: UDPipe's REST protocol, streams, and a page to look at trees."""
