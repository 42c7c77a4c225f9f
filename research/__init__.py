"""The papers' results again, and what else was asked of transition systems; run from a clone, see README.md."""
