"""Whether speculative decoding pays on a machine, and with which n_max: measured, published."""

__version__ = "0.1.0"
