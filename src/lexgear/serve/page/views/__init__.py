"""View models: what the templates show, computed from masked models."""
