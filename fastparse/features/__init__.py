"""Feature templates: named positions, text files, extraction."""
