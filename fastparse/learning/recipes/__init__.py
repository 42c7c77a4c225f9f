"""How each kind of search is learnt."""
