"""The built-in sample: invented cases under the Chinese Criminal Law and an invented code in French."""
