"""How fast the kit is, beside hand-written NumPy and whichever other libraries are installed.

``python -m benchmarks`` runs everything; README.md says what is measured, and how.
"""

import os

# One thread each, and said before NumPy is imported, which asks only once.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
