"""What the tools of a project put into its manifest, change in it or take out of it."""
