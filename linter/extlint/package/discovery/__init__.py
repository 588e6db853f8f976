"""Finds packages in folders and archives."""
