"""`unabases embed`: turn images into features."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from unabases.cli.errors import clear_errors, split_names


def embed(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGES...", help="Images, or folders of images.")],
    model: Annotated[Path, typer.Option(help="Image network in ONNX format.")],
    out: Annotated[Path, typer.Option(help="File to write: .npz, .csv or .parquet.")] = Path("features.npz"),
    batch: Annotated[int, typer.Option(help="Images per batch.", min=1)] = 32,
    size: Annotated[
        int | None, typer.Option(help="Height and width of the images, if the network does not fix them.")
    ] = None,
    mean: Annotated[
        str | None,
        typer.Option(help="Mean of the pixels (0 to 1) per channel, such as 0.5,0.5,0.5. Default: ImageNet's."),
    ] = None,
    std: Annotated[
        str | None, typer.Option(help="Standard deviation of the pixels per channel. Default: ImageNet's.")
    ] = None,
    output: Annotated[str | None, typer.Option(help="Name of the network's output to use. Default: the first.")] = None,
    restart: Annotated[
        bool, typer.Option("--restart", help="Start again instead of resuming a run that was stopped.")
    ] = False,
) -> None:
    """Turn images into a table of features with any ONNX image network; a run that was stopped resumes."""
    from unabases.datasets.embedding import IMAGENET, embed_images

    with clear_errors(), Progress(transient=True) as bar:
        task = bar.add_task("images", total=None)
        means, stds = ([float(x) for x in split_names(text)] if text else None for text in (mean, std))
        result = embed_images(
            images,
            model,
            out,
            batch=batch,
            size=size,
            mean=means or IMAGENET[0],
            std=stds or IMAGENET[1],
            output=output,
            restart=restart,
            on_images=lambda done, total: bar.update(task, completed=done, total=total),
        )
    console = Console(soft_wrap=True, highlight=False)
    n, k = result.features.shape
    console.print(f"{n} images, {k} features each: {out}", markup=False)
    for name, reason in list(result.skipped.items())[:20]:
        console.print(f"skipped {name}: {reason}", markup=False)
    if len(result.skipped) > 20:
        console.print(f"and {len(result.skipped) - 20} more")
