"""Does speculative decoding pay on this machine, and with which n_max?"""

__version__ = "0.1.0"
