"""The subcommands. The module of each is imported when it is used."""
