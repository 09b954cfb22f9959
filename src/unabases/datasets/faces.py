"""Faces: features of photographs with the age of the person, to look for sampling bias."""

import io
import os
from typing import NamedTuple

import numpy as np
from jaxtyping import Float16, Float32, UInt8, UInt16

from unabases.datasets.files import read_files
from unabases.datasets.registry import entry

__all__ = ["Faces", "load_faces"]


class Faces(NamedTuple):
    """Photographs of faces from Wikipedia as features, without names and pictures.

    Ages are noisy: 1 July of the photograph's year minus the date of birth, and some are wrong.
    """

    features: Float32[np.ndarray, "n 256"]
    """First 256 principal components of the last layer of an ImageNet-trained EfficientNet-Lite0, to 8 bits."""
    age: Float32[np.ndarray, " n"]
    """Years, 0 to 100."""
    gender: UInt8[np.ndarray, " n"]
    """1 = male, 0 = female, as the source labels it."""
    photo_year: UInt16[np.ndarray, " n"]
    face_score: Float16[np.ndarray, " n"]
    """How sure the source's detector was that this is a face."""
    source: str
    terms: str
    citation: str


def load_faces(directory: str | os.PathLike[str] | None = None) -> Faces:
    """Load the 39,388 faces from `faces/wiki_faces.npz`.

    The file is not downloaded, because it is not published: the terms of its source allow academic research only.

    Parameters
    ----------
    directory
        As in `data_dir`.
    """
    (content,) = read_files("faces", directory, download=False)
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        return Faces(
            features=file["features"] * file["scale"],
            age=file["age"],
            gender=file["gender"],
            photo_year=file["photo_year"],
            face_score=file["face_score"],
            source=entry("faces").origin,
            terms="For academic research only; the copyright of the photographs stays with their owners.",
            citation="Rothe, R., Timofte, R. and Van Gool, L. (2018). Deep expectation of real and apparent age from a "
            "single image without facial landmarks. International Journal of Computer Vision 126, 144-157.",
        )
