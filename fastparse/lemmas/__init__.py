"""From forms and tags to lemmas."""
