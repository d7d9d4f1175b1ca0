"""Settings, endpoints, and the library's health."""
