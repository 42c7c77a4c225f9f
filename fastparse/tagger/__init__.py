"""From forms to tags."""
