"""From columns back to bytes."""
