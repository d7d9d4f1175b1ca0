"""Events and private logs of a chat, and the origins of adopted memories."""
