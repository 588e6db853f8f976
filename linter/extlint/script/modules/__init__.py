"""What a script has to do with others: imports, exports, shared globals."""
