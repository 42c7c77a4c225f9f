"""How parsers are learnt, a recipe per kind of search: what is learnt from, what learns, what is scored."""
