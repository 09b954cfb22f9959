"""Write a figure to a file, whole or not at all."""

import io
from pathlib import Path

from matplotlib.figure import Figure

from unabases.storage import write_whole

__all__ = ["figure_bytes", "save_figure"]

_UNDATED = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {"Software": "unabases"}}


def figure_bytes(figure: Figure, kind: str = "png", dpi: int = 150) -> bytes:
    r"""Render a figure as the bytes of an image file; the same figure gives the same bytes.

    Parameters
    ----------
    figure
        What to render.
    kind
        File type: `"png"`, `"pdf"`, `"svg"`, or another one that Matplotlib knows.
    dpi
        Dots per inch of a bitmap.

    Examples
    --------
    >>> figure_bytes(Figure())[:4]
    b'\x89PNG'
    """
    stream = io.BytesIO()
    figure.savefig(stream, format=kind, dpi=dpi, metadata=_UNDATED.get(kind))
    return stream.getvalue()


def save_figure(path: str | Path, figure: Figure, dpi: int = 150) -> Path:
    """Write a figure to a file in one step: if it fails, the file keeps what it held.

    Parameters
    ----------
    path
        File to write. Its ending decides the type. Its directory is made if there is none.
    figure
        What to write.
    dpi
        Dots per inch of a bitmap.

    Returns
    -------
    Path
        The file.
    """
    path = Path(path)
    data = figure_bytes(figure, path.suffix.lstrip(".").lower() or "png", dpi)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, data)
    return path
