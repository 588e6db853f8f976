"""Forward: from the roots of the API to every place where a member is named or called."""
