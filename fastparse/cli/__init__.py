"""The fastparse command: one file per subcommand."""
