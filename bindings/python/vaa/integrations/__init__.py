"""vaa inside other programs. Importing this imports none of them."""
