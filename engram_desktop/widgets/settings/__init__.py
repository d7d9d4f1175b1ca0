"""Settings, endpoints, health and restoring."""
