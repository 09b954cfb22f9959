"""Faces: features of photographs with the age of the person, for studies of sampling bias."""

import io
import os
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Float16, Float32, UInt8, UInt16

from unabases.datasets.files import read_files
from unabases.datasets.registry import entry

__all__ = ["FACES_SETS", "Faces", "FacesSplit", "load_faces", "load_faces_split"]

FACES_SETS: dict[str, int] = {"faces-men": 21_000, "faces-ages": 23_000}
"""The sets, with their number of training rows: of 29,678 men, and of 30,713 people not aged 30 to 40."""


class Faces(NamedTuple):
    """Features of photographs of faces from Wikipedia, without names and pictures.

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
    """How sure the source's detector was that the picture shows a face."""
    source: str
    terms: str
    citation: str


class FacesSplit(NamedTuple):
    """Training rows, test rows like them, and rows of people who are missing from training."""

    X_train: Float[np.ndarray, "train 256"]
    y_train: Float[np.ndarray, " train"]
    X_test: Float[np.ndarray, "test 256"]
    y_test: Float[np.ndarray, " test"]
    X_gap: Float[np.ndarray, "gap 256"]
    y_gap: Float[np.ndarray, " gap"]


def load_faces(directory: str | os.PathLike[str] | None = None) -> Faces:
    """Load the 39,388 faces from `faces/wiki_faces.npz`.

    The file is not downloaded, because it is not published: the terms of its source allow academic research only.

    Parameters
    ----------
    directory : path-like, optional
        The data directory; see `data_dir` for the default.

    Returns
    -------
    Faces
        Features, ages and what else is known about each photograph.
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


def load_faces_split(name: str, split: int, directory: str | os.PathLike[str] | None = None) -> FacesSplit:
    """Load ages and features of faces, with some people left out of training.

    Parameters
    ----------
    name : {"faces-men", "faces-ages"}
        `"faces-men"` trains without women, `"faces-ages"` without people aged 30 to 40.
    split : int
        Seed that divides the other people into training and test rows.
    directory : path-like, optional
        The data directory; see `data_dir` for the default.

    Returns
    -------
    FacesSplit
        Training rows, test rows, and the people left out as the gap.
    """
    if name not in FACES_SETS:
        raise ValueError(f"unknown data set {name!r}; choose one of {', '.join(FACES_SETS)}.")
    faces = load_faces(directory)
    X, y = faces.features.astype(np.float64), faces.age.astype(np.float64)
    gap = faces.gender == 0 if name == "faces-men" else (y >= 30) & (y <= 40)
    order = np.random.default_rng(split).permutation(np.flatnonzero(~gap))
    train, test = order[: FACES_SETS[name]], order[FACES_SETS[name] :]
    return FacesSplit(X[train], y[train], X[test], y[test], X[gap], y[gap])
