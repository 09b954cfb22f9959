"""What the words of the report mean, for a reader who meets them for the first time."""

from unabases.paper import methods as m
from unabases.paper.report.lunas import LUNA_LINES

__all__ = ["METHOD_WORDS", "TERMS"]

TERMS: dict[str, str] = {
    "gap": "a range of inputs from which all training rows were taken away; a good model is less sure there",
    "epistemic std": "how unsure a model is about the function itself, without the noise of single observations",
    "EURC": "epistemic uncertainty relative change: how much larger the epistemic std is in the gap than outside it. "
    "0 % is no change, +100 % is twice as large; a model “knows of the gap” above +100 %",
    "profile": "how much of an experiment was run: quick has fewer splits, restarts and members and takes its settings "
    "from long searches; paper has the paper's own counts",
    "split": "one division of the rows into training and test rows; ± is the standard deviation over splits, or over "
    "restarts if there is one split",
    "restart": "the same model trained again on the same data from other random numbers",
}
"""Words that tables and figures use, in the order in which a reader meets them."""

_NLM = "a neural network whose last layer is an exact Bayesian linear regression; the network is trained by "
METHOD_WORDS: dict[str, str] = {
    **LUNA_LINES,
    m.NLM_MAP: f"neural linear model: {_NLM}least squares with a penalty γ on its weights",
    m.NLM_MLE: f"neural linear model: {_NLM}least squares without a penalty",
    m.NLM_MARGINAL: f"neural linear model: {_NLM}the marginal likelihood, which averages over the last layer",
    m.GP: "Gaussian process; a gold standard of the paper",
    m.HMC: "Bayesian neural network sampled by Hamiltonian Monte Carlo; the other gold standard",
    m.LAPLACE: "a network with a Gaussian around its trained weights, made linear in them",
    m.BOOTSTRAP: "many networks, each trained on rows drawn with replacement",
    m.VANILLA: "many networks that differ only in their random start",
    m.ANCHORED: "many networks, each pulled towards its own draw of the prior",
    m.DROPOUT: "a network that switches units off at random, in prediction too",
    m.MEAN_FIELD: "a Bayesian neural network with an independent Gaussian for each weight (BBVI in the paper)",
    m.SNGP: "a network with bounded stretch below a Gaussian process",
    m.RFF_SNGP: "the same with random Fourier features for the process",
    m.RANDOM_SEARCH: "points drawn at random, without a model",
    m.OPTUNA_TPE: "Optuna's usual sampler",
    m.OPTUNA_GP: "Optuna's sampler with a Gaussian process",
}
"""What each method is, in a line."""
