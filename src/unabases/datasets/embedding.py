"""Turn images into features with any ONNX image network, in batches; a run that was stopped resumes."""

import hashlib
import io
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float

from unabases.datasets.reading import is_parquet
from unabases.datasets.writing import check_directory, write_chunks
from unabases.storage import write_whole

__all__ = ["Embedding", "embed_images", "find_images"]

SUFFIXES = (".bmp", ".gif", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp")
IMAGENET = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))  # mean and std of its pixels, by channel
_SIZE = 224  # if the network takes any
_PART = 256  # images between saves
_TYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(uint8)": np.uint8}


class Embedding(NamedTuple):
    """Features of the images that could be read, and the reasons why others could not."""

    names: list[str]
    features: Float[np.ndarray, "n k"]
    skipped: dict[str, str]


class _Network(NamedTuple):
    session: Any
    input: str
    output: str
    dtype: Any
    channels: int
    height: int
    width: int
    channels_first: bool
    batch: int | None  # fixed number of images per batch, None for any


def find_images(paths: Sequence[Path]) -> list[Path]:
    """List images: files as given, whatever their suffix, and all images in folders, at any depth."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
        elif path.is_file():
            found.append(path)
        else:
            raise FileNotFoundError(f"there is no file or folder {path}.")
    if not found:
        raise ValueError(f"there are no images in {', '.join(map(str, paths))}; looked for {', '.join(SUFFIXES)}.")
    return list(dict.fromkeys(found))


def embed_images(
    paths: Sequence[Path],
    network: Path,
    out: Path,
    *,
    batch: int = 32,
    size: int | None = None,
    mean: Sequence[float] = IMAGENET[0],
    std: Sequence[float] = IMAGENET[1],
    output: str | None = None,
    restart: bool = False,
    keep_formulas: bool = False,
    on_images: Callable[[int, int], None] | None = None,
) -> Embedding:
    """Turn images into features and write them to a file.

    An image is turned upright, cropped to the shape that the network takes and scaled, and its pixels become
    (value/255 − mean)/std in each channel; a network of bytes gets the bytes. Features with more than one axis are
    averaged over places. Progress is saved beside `out` every 256 images, and the next run resumes from there. Images
    that cannot be read are listed and left out; the next run tries them again.

    Parameters
    ----------
    paths : sequence of Path
        Images, or folders of images.
    network : Path
        An ONNX file with one input of images, channels first or last.
    out : Path
        The file to write. A `.npz` file holds `names`, `features`, `skipped`, `reasons` and `settings`; a `.csv` or
        `.parquet` table has the columns `image`, `f0`, `f1` and so on.
    batch : int
        Images per batch, unless the network fixes it.
    size : int, optional
        Height and width of the images, if the network does not fix them; 224 by default.
    mean, std : sequence of float
        Mean and standard deviation of the pixels, per channel; ImageNet's by default.
    output : str, optional
        Name of the network's output to use; the first by default.
    restart : bool
        Start again instead of resuming an earlier run.
    keep_formulas : bool
        Write names of images such as `=1.png` into a CSV file without an apostrophe before them.
    on_images : callable, optional
        Called with the number of images done and the total.

    Returns
    -------
    Embedding
        Names and features of the images, and those that were skipped.
    """
    check_directory(out)
    if not (is_parquet(out) or out.suffix.lower() in (".npz", ".csv")):
        raise ValueError(f"`out` must end in .npz, .csv or .parquet, got {out.name}.")
    if batch < 1:
        raise ValueError(f"`batch` must be at least 1, got {batch}.")
    images = find_images(paths)
    net = _open(network, size, output)
    settings = _settings(network, net, mean, std)
    parts = out.with_name(out.name + ".parts")
    done = _begin(parts, settings, restart)
    known = set(done.names)
    left = [image for image in images if str(image) not in known]
    if on_images is not None:
        on_images(len(images) - len(left), len(images))
    number = len(list(parts.glob("*.npz")))
    for first in range(0, len(left), _PART):
        part = left[first : first + _PART]
        piece = _embed(part, net, min(batch, _PART), np.asarray(mean), np.asarray(std))
        write_whole(parts / f"{number:06d}.npz", _as_npz(piece, settings))
        number += 1
        if on_images is not None:
            on_images(len(images) - len(left) + first + len(part), len(images))
    result = _in_order(_stored(parts), [str(image) for image in images])
    if not result.names:
        name, reason = next(iter(result.skipped.items()))
        raise ValueError(f"none of {len(images)} images could be read; {name}: {reason}.")
    _write(out, result, settings, keep_formulas)
    shutil.rmtree(parts)
    return result


def _open(path: Path, size: int | None, output: str | None) -> _Network:
    try:
        import onnxruntime
        import PIL.Image  # noqa: F401
    except ImportError as error:
        raise ImportError(f"images need {error.name}: `pip install 'unabases[onnx]'`.") from error
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}; expected a network in ONNX format.")
    try:
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    except Exception as error:  # its errors have no common base class
        raise ValueError(f"{path} is not a network that onnxruntime can run: {error}") from error
    inputs, outputs = session.get_inputs(), [item.name for item in session.get_outputs()]
    shapes = ", ".join(f"{item.name} {item.shape}" for item in inputs)
    if len(inputs) != 1 or len(inputs[0].shape) != 4 or inputs[0].type not in _TYPES:
        raise ValueError(
            f"{path} must have one input of images, (batch, channels, height, width) or channels last, of float or "
            f"bytes; it has {shapes} of {', '.join(item.type for item in inputs)}."
        )
    if output is not None and output not in outputs:
        raise ValueError(f"{path} has no output {output!r}; it has {', '.join(outputs)}.")
    shape = [item if isinstance(item, int) and item > 0 else None for item in inputs[0].shape]
    first = shape[1] in (1, 3)
    if not first and shape[3] not in (1, 3):
        raise ValueError(f"{path} must take images of 1 or 3 channels; its input is {shapes}.")
    channels, height, width = (shape[1], shape[2], shape[3]) if first else (shape[3], shape[1], shape[2])
    if size is not None and any(fixed not in (None, size) for fixed in (height, width)):
        raise ValueError(f"{path} takes images of {height} by {width}, so `size` cannot be {size}.")
    return _Network(
        session,
        inputs[0].name,
        output or outputs[0],
        _TYPES[inputs[0].type],
        int(channels),  # pyright: ignore[reportArgumentType]
        height or size or _SIZE,
        width or size or _SIZE,
        first,
        shape[0],
    )


def _settings(path: Path, net: _Network, mean: Sequence[float], std: Sequence[float]) -> dict[str, Any]:
    """Collect all that features depend on, besides the image."""
    for name, values in (("mean", mean), ("std", std)):
        if len(values) not in (1, net.channels) or not np.all(np.isfinite(values)):
            raise ValueError(f"`{name}` must be 1 or {net.channels} numbers, one per channel, got {list(values)}.")
    if not np.all(np.asarray(std) > 0):
        raise ValueError(f"`std` must be positive, got {list(std)}.")
    return {
        "network": hashlib.sha256(path.read_bytes()).hexdigest(),
        "output": net.output,
        "height": net.height,
        "width": net.width,
        "mean": [float(value) for value in mean],
        "std": [float(value) for value in std],
    }


def _begin(parts: Path, settings: dict[str, Any], restart: bool) -> Embedding:
    """Load what an earlier run with the same settings has done."""
    note = parts / "settings.json"
    if parts.exists() and not note.is_file() and not (parts.is_dir() and not any(parts.iterdir())):
        raise ValueError(f"{parts} is not what an earlier run left; choose another name for `out`.")
    if restart and parts.exists():
        shutil.rmtree(parts)
    parts.mkdir(exist_ok=True)
    if note.exists() and (before := json.loads(note.read_text(encoding="utf-8"))) != settings:
        changed = ", ".join(name for name in settings if before.get(name) != settings[name])
        raise ValueError(
            f"{parts} holds results of an earlier run with a different {changed}; resume that one, or start again with "
            "`restart`."
        )
    write_whole(note, json.dumps(settings).encode())
    return _stored(parts)


def _stored(parts: Path) -> Embedding:
    names: list[str] = []
    features, skipped = [], {}
    for path in sorted(parts.glob("*.npz")):
        with np.load(path, allow_pickle=False) as file:
            names += file["names"].tolist()
            features.append(file["features"])
            skipped |= dict(zip(file["skipped"].tolist(), file["reasons"].tolist(), strict=True))
    filled = [part for part in features if part.size]
    return Embedding(names, np.concatenate(filled) if filled else np.zeros((0, 0), dtype=np.float32), skipped)


def _embed(images: Sequence[Path], net: _Network, batch: int, mean: np.ndarray, std: np.ndarray) -> Embedding:
    names, features, skipped = [], [], {}
    for good in _batches(images, net, net.batch or batch, mean, std, skipped):
        stacked = np.stack([pixels for _, pixels in good])
        if net.batch is not None and len(stacked) < net.batch:  # a network of fixed batches: repeat the last
            stacked = np.concatenate([stacked, np.repeat(stacked[-1:], net.batch - len(stacked), axis=0)])
        found = np.asarray(net.session.run([net.output], {net.input: stacked})[0], dtype=np.float32)[: len(good)]
        found = found.reshape(len(good), -1) if found.ndim < 3 else _over_places(found)
        for (name, _), row in zip(good, found, strict=True):
            if np.isfinite(row).all():
                names.append(name)
                features.append(row)
            else:
                skipped[name] = "its features are not finite"
    return Embedding(names, np.stack(features) if features else np.zeros((0, 0), dtype=np.float32), skipped)


def _batches(
    images: Sequence[Path], net: _Network, batch: int, mean: np.ndarray, std: np.ndarray, skipped: dict[str, str]
) -> Iterator[list[tuple[str, np.ndarray]]]:
    ready: list[tuple[str, np.ndarray]] = []
    for image in images:
        try:
            ready.append((str(image), _pixels(image, net, mean, std)))
        except Exception as error:  # decoders raise all kinds of errors for damaged files
            skipped[str(image)] = f"{type(error).__name__}: {error}"
        if len(ready) == batch:
            yield ready
            ready = []
    if ready:
        yield ready


def _pixels(path: Path, net: _Network, mean: np.ndarray, std: np.ndarray) -> np.ndarray:
    from PIL import Image, ImageOps

    with Image.open(path) as file:
        image = ImageOps.exif_transpose(file).convert("RGB" if net.channels == 3 else "L")
    image = ImageOps.fit(image, (net.width, net.height), Image.Resampling.BILINEAR)
    values = np.asarray(image).reshape(net.height, net.width, net.channels)
    if net.dtype is not np.uint8:
        values = (values / 255 - mean) / std
    return (values.transpose(2, 0, 1) if net.channels_first else values).astype(net.dtype)


def _over_places(values: np.ndarray) -> np.ndarray:
    """Average (n, k, height, width) over height and width, or (n, places, k) over the middle axis."""
    return values.mean(axis=1) if values.ndim == 3 else values.reshape(*values.shape[:2], -1).mean(axis=2)


def _in_order(done: Embedding, names: list[str]) -> Embedding:
    """Select these images, in their order."""
    place = {name: i for i, name in enumerate(done.names)}
    kept = [name for name in names if name in place]
    features = done.features[[place[name] for name in kept]] if kept else done.features[:0]
    skipped = {name: done.skipped[name] for name in names if name in done.skipped and name not in place}
    return Embedding(kept, features, skipped)


def _as_npz(result: Embedding, settings: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    np.savez(
        file,
        names=np.array(result.names, dtype=np.str_),
        features=result.features,
        skipped=np.array(list(result.skipped), dtype=np.str_),
        reasons=np.array(list(result.skipped.values()), dtype=np.str_),
        settings=np.array(json.dumps(settings)),
    )
    return file.getvalue()


def _write(out: Path, result: Embedding, settings: dict[str, Any], keep_formulas: bool) -> None:
    if out.suffix.lower() == ".npz":
        write_whole(out, _as_npz(result, settings))
        return
    columns = [f"f{i}" for i in range(result.features.shape[1])]
    with write_chunks(out, keep_formulas=keep_formulas) as write:
        for first in range(0, len(result.names), _PART):
            rows = slice(first, first + _PART)
            table = pd.DataFrame(result.features[rows], columns=columns)
            table.insert(0, "image", result.names[rows])
            write(table)
