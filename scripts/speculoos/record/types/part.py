"""What all types are made of."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Quantity = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(?:[-._][a-z0-9]+)*$", max_length=80)]
Text = Annotated[str, Field(min_length=1, max_length=2000)]
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
