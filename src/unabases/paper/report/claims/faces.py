"""Claims about faces. They are checked on the package's own LUNA, the one that was run."""

from collections.abc import Sequence
from functools import partial

from unabases.paper.methods import LUNA, NLM_MAP
from unabases.paper.report.claims.record import Claim, Finding
from unabases.paper.report.paper_values import paper_text
from unabases.paper.report.rows import by_method, summary_of
from unabases.paper.report.scores import mean_std
from unabases.paper.store import Row

__all__ = ["FACES_CLAIMS"]

NOTICED = 0.05  # 5 % of the epistemic std on training rows: nobody would notice a smaller rise


def rises(rows: Sequence[Row], dataset: str) -> Finding | None:
    """LUNA's epistemic std rises noticeably more on people missing from the training data than on others."""
    found = {
        name: [summary_of(part, score, dataset) for score in ("rise_gap", "rise")]
        for name, part in by_method(rows).items()
        if name.startswith(LUNA)
    }
    if LUNA not in found or not found[LUNA][0].n:
        return None
    said = [
        " against ".join([f"{name} {mean_std(*gap[:2], percent=True)}", mean_std(*other[:2], percent=True)])
        for name, (gap, other) in found.items()
        if gap.n
    ]
    gap, other = found[LUNA]
    printed = [f"{100 * value:+.0f}" for score in ("rise_gap", "rise") if (value := paper_text(dataset, score))]
    held = gap.mean - other.mean > max(NOTICED, gap.std, other.std)
    return Finding(held, f"{'; '.join(said)}; the paper {' against '.join(printed)} %")


def detects_better(rows: Sequence[Row], dataset: str) -> Finding | None:
    """LUNA's epistemic std tells people missing from the training data from others better than MAP's, on average."""
    found = {name: summary_of(part, "auroc", dataset) for name, part in by_method(rows).items()}
    pairs = [(f"{LUNA}{width}", f"{NLM_MAP}{width}") for width in ("", ", 50 units")]
    run = [pair for pair in pairs if all(name in found and found[name].n for name in pair)]
    said = "; ".join(f"{name} {mean_std(*found[name][:2])}" for pair in run for name in pair)
    held = all(found[luna].mean > found[plain].mean for luna, plain in run)
    return Finding(held, f"area under the curve: {said}") if run else None


_RISES = (
    f"epistemic std of {LUNA}, relative to training, rises more on them than on other test rows, by more than 5 % and "
    "more than either spread"
)
FACES_CLAIMS: tuple[Claim, ...] = (
    Claim(
        "Women, trained on men",
        "Trained on faces of men, LUNA is less sure about women than about other men "
        "(in the stored columns, see docs/faces.md).",
        _RISES,
        "faces",
        partial(rises, dataset="faces-men"),
    ),
    Claim(
        "Ages 30 to 40, trained on others",
        "Trained on faces of people below 30 and above 40, LUNA is less sure about those in between.",
        _RISES,
        "faces",
        partial(rises, dataset="faces-ages"),
    ),
    Claim(
        "Women told from men",
        "Trained on faces of men, LUNA's epistemic std tells women from other men better than MAP's "
        "(in the stored columns).",
        f"mean AUROC of epistemic std of {LUNA} above that of {NLM_MAP} with as many units; the paper does not give it",
        "faces",
        partial(detects_better, dataset="faces-men"),
    ),
)
