"""How client and server find each other and what carries their bytes: go-plugin's part."""
