"""The fastparse command: a file per subcommand, in folders by what it is about; here what all of them share."""
