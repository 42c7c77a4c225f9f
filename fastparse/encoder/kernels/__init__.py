"""The byte arithmetic, once per instruction set, chosen at run time."""
