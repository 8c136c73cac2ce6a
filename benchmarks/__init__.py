"""Measurements that take longer than a test; ``make bench`` runs them all."""
