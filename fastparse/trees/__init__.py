"""Classes of dependency trees: membership, crossing structure, lifting, pseudo-projectivity."""
