"""Code for other browsers and manifests, and members that a package adds to the API itself."""
