"""Neural networks in floats, as they are learnt."""
