"""Where models are asked, with which key, and how keys stay out of what is shown."""
