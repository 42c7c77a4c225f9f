"""Systems that build projective trees."""
