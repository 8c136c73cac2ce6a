"""Datasets as they are published: their files, their layouts, and what is known to be wrong with them."""
