"""`unabases embed`: turn images into features."""

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from unabases.cli.console import PlainConsole
from unabases.cli.errors import split_names
from unabases.cli.flags import flag
from unabases.cli.outputs import KeepFormulas, Output, Overwrite, check_outputs, is_features


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
    restart: Annotated[bool, flag("--restart", help="Start again instead of resuming a run that was stopped.")] = False,
    keep_formulas: KeepFormulas = False,
    overwrite: Overwrite = False,
) -> None:
    """Turn images into a table of features with any ONNX image network; a run that was stopped resumes."""
    from unabases.datasets.embedding import IMAGENET, embed_images

    with Progress(transient=True) as bar:
        check_outputs([Output(out, "the features", is_features)], [*images, model], overwrite=overwrite)
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
            keep_formulas=keep_formulas,
            on_images=lambda done, total: bar.update(task, completed=done, total=total),
        )
    console = PlainConsole(soft_wrap=True)
    n, k = result.features.shape
    console.print(f"{n} images, {k} features each: {out}")
    for name, reason in list(result.skipped.items())[:20]:
        console.print(f"skipped {name}: {reason}")
    if len(result.skipped) > 20:
        console.print(f"and {len(result.skipped) - 20} more")
