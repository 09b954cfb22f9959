"""Tables as text."""

import pandas as pd


def as_markdown(frame: pd.DataFrame) -> str:
    """A table as Markdown.

    Examples
    --------
    >>> print(as_markdown(pd.DataFrame({"a": [1], "b": ["x"]})), end="")
    | a | b |
    | --- | --- |
    | 1 | x |
    """
    lines = [list(frame), ["---"] * frame.shape[1], *frame.astype(str).to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
