"""Makes the facts about browsers that extlint has from packages that describe them."""
