"""Where bytes come from and go to: paths, pipes, compression."""
