"""Is the uncertainty any good on my data? Hold rows out, and compare what was promised with what came true.

Replace the table by yours. The picture has the calibration on the left (the diagonal is best, the grey band is
chance) and, on the right, whether the model knows which of its predictions are poor: the error should fall as the
doubtful ones go.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split

from unabases import UNA
from unabases.metrics import calibration_curve, risk_coverage, score
from unabases.plotting import draw_calibration

STEPS = 1500

X, y = load_diabetes(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0)
model = UNA(max_steps=STEPS, random_state=0).fit(X_train, y_train)

scores = score(model, X_test, y_test, level=0.9)
print(f"of {len(y_test)} outcomes, {scores['interval_coverage']:.0%} fell inside their 90 % interval")
print(f"RMSE {scores['rmse']:.1f}, and the mean width of an interval is {scores['interval_width']:.0f}")

prediction = model.predict_dist(X_test)
risk = risk_coverage(prediction, y_test.to_numpy())
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
draw_calibration(left, calibration_curve(prediction, y_test.to_numpy()), n_rows=len(y_test))
right.plot(100 * risk.kept, risk.risk, color="#08306b")
right.set_xlabel("surest predictions kept, %")
right.set_ylabel("their RMSE")
figure.savefig("check_uncertainty.png", dpi=100)
