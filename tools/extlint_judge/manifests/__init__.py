"""What browsers say to manifests."""
