"""Shapes are checked in every test: jaxtyping's annotations, enforced by beartype, in the test run only."""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch is imported: its threads must not spin

from beartype import BeartypeConf, beartype
from jaxtyping import install_import_hook

check_types = beartype(conf=BeartypeConf(is_pep484_tower=True))  # an int will do for a float

install_import_hook("polythetic", f"{__name__}.check_types")
