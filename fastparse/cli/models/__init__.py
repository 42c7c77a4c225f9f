"""Commands that make models, measure them and say what they are."""
