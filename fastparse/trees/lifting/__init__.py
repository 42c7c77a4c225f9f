"""Moving dependents to ancestors of their heads, and back."""
