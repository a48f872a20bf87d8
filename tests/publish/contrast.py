"""Contrast as WCAG 2.2 reckons it."""


def luminance(colour):
    """Relative luminance of a colour of three channels, 0 to 255."""
    channels = (channel / 255 for channel in colour)
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def contrast(one, other):
    """From 1, the same colour, to 21, black on white."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def over(ink, paper):
    """What is seen of an ink of four channels, the last from 0 to 1, on an opaque paper."""
    *channels, opacity = ink
    return [i * opacity + p * (1 - opacity) for i, p in zip(channels, paper, strict=True)]
