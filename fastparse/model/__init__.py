"""Model files: found, opened, kept, packed; and the models that come with fastparse."""
