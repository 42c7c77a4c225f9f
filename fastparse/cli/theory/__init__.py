"""Commands that show transition systems and trees, without a model or to study them."""
