"""The cards of this machine, whoever made them."""

import functools
from pathlib import Path

from speculoos.measure.cards import Cards, DrmCards
from speculoos.measure.nvidia import Nvidia

_HERE = Path("/")


@functools.cache
def cards_of(root: Path = _HERE) -> Cards:
    """NVIDIA's where its driver is there, else those that the kernel shows below `root`."""
    if root == _HERE:  # the driver's library knows no other place
        nvidia = Nvidia()
        if nvidia.cards:
            return nvidia
    return DrmCards(root)
