"""What all types are made of."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

_MOST = 10**12
"""Above every count and every quantity of this form: more is a slip of the keyboard."""
LONGEST_TEXT = 2000
Count = Annotated[int, Field(ge=0, le=_MOST)]
Positive = Annotated[int, Field(ge=1, le=_MOST)]
Seed = Annotated[int, Field(ge=0, lt=2**64)]
Bytes = Annotated[int, Field(ge=1, le=10**14)]
Quantity = Annotated[float, Field(ge=0, le=_MOST, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(?:[-._][a-z0-9]+)*$", max_length=80)]
Text = Annotated[str, Field(pattern=r"\S", max_length=LONGEST_TEXT)]
FileName = Annotated[str, Field(pattern=r"^[^/\\]+$", max_length=200)]


class Part(BaseModel):
    """A piece of a file: frozen, strict, without unknown keys."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True
    )


class Bilingual(Part):
    """The same text in the two languages of the site."""

    fr: Text
    en: Text
