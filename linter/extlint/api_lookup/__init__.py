"""What the schemas say of one name, for people: `extlint schema`."""
