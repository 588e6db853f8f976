"""The options of commands, in groups: a module for each, with the Struct that its values are read into."""
