"""Trees and derivations as text, SVG, TikZ and HTML."""
