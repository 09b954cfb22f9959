"""Images through the features of an ONNX network: fit on what the network sees, and know an image of another kind.

Any network in an ONNX file will do, such as a ResNet from the ONNX model zoo; nothing is downloaded here, so the
script writes a small stand-in: sixteen random filters of 5 × 5 pixels, and what is left of each in nine parts of the
image. The task is to say how much ink a handwritten digit has on its right half. Then somebody scans in negative.
The command line does the first half: `unabases embed photos --model net.onnx --out features.csv`.

Needs `unabases[onnx]`.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from PIL import Image
from sklearn.datasets import load_digits

from unabases import UNA
from unabases.datasets.embedding import embed_images
from unabases.metrics import epistemic, rmse

STEPS = 600
IMAGES = 600

folder = Path("digits")
folder.mkdir(exist_ok=True)
digits = load_digits()
pixels = digits.images[:IMAGES] / 16
for i, image in enumerate([*pixels, *(1 - pixels[-100:])]):  # the last hundred once more, in negative
    Image.fromarray(np.uint8(255 * image)).resize((32, 32)).convert("RGB").save(folder / f"{i:04d}.png")

filters = np.random.default_rng(0).normal(0, 0.2, (16, 3, 5, 5)).astype(np.float32)
graph = helper.make_graph(
    [
        helper.make_node("Conv", ["image", "filters"], ["seen"], strides=[2, 2]),
        helper.make_node("Relu", ["seen"], ["positive"]),
        helper.make_node("AveragePool", ["positive"], ["parts"], kernel_shape=[4, 4], strides=[5, 5]),
        helper.make_node("Flatten", ["parts"], ["features"]),
    ],
    "stand-in",
    [helper.make_tensor_value_info("image", TensorProto.FLOAT, ["batch", 3, 32, 32])],
    [helper.make_tensor_value_info("features", TensorProto.FLOAT, ["batch", None])],
    [numpy_helper.from_array(filters, "filters")],
)
network = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
onnx.save(network, "net.onnx")

made = embed_images([folder], Path("net.onnx"), Path("features.npz"))
X, ink = made.features, pixels[:, :, 4:].sum(axis=(1, 2))
y = np.append(ink, ink[-100:])
print(f"{len(made.names)} images, {X.shape[1]} features each")

train = slice(0, IMAGES // 2)
model = UNA(max_steps=STEPS, random_state=0).fit(X[train], y[train])
unsure = {}
for name, rows in (("as in training", slice(IMAGES // 2, IMAGES)), ("in negative", slice(IMAGES, None))):
    prediction = model.predict_dist(X[rows])
    unsure[name] = prediction.epistemic_std
    print(f"{name}: RMSE {rmse(prediction, y[rows]):.2f}, epistemic std {epistemic(prediction):.2f}")

figure, ax = plt.subplots(figsize=(6, 3.5), layout="constrained")
edges = np.linspace(0, max(map(np.max, unsure.values())), 25)
for (name, values), colour in zip(unsure.items(), ("#8c8c8c", "#2166ac"), strict=True):
    ax.hist(values, edges, density=True, histtype="step", lw=2, color=colour, label=name)
ax.set_xlabel("epistemic std of the predicted ink")
ax.set_yticks([])
ax.set_ylabel("images")
ax.legend(frameon=False)
ax.spines[["top", "right", "left"]].set_visible(False)
figure.savefig("image_features.png", dpi=100)
