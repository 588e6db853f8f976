"""The options of commands, in groups: a module for each, with the Struct for its values."""
