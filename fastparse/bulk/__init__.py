"""Large corpora: sharded, resumable runs."""
