"""Models of languages: recipes, the factory that follows them, and what it has made, a folder a language."""
