"""solver-arcade: small games of strategy against opponents that know the truth about them."""

__version__ = "0.1.0"
