"""mpirun for tests: on one machine, also as root, with more ranks than processors."""

import os
import shutil
from pathlib import Path

MPIRUN = os.environ.get("MPIRUN", "mpirun")
PROGRAM = Path(os.environ.get("REGARD_PROGRAM", "build/release/regard")).resolve()
DATA = Path("data/en-fr").resolve()

ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl": "self,vader",  # ranks exchange messages in memory
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_odls_base_sigkill_timeout": "0",  # after a failure mpirun waits for so long
    "PMIX_MCA_gds": "hash",  # the default keeps a lock in shared memory, for which mpirun waits for ever if its holder was killed
}


def can_start_ranks():
    return shutil.which(MPIRUN) is not None and (PROGRAM.parent / "regard-mpi.so").exists()


def launcher(ranks):
    """The words before the program's; none for 0 ranks, which is a program alone."""
    return [MPIRUN, "-n", str(ranks)] if ranks else []


def take_corpus(folder, pairs, valid):
    """Writes train.tsv and valid.tsv with the first pairs of the embedded corpus."""
    for part, lines in ("train", pairs), ("valid", valid):
        text = (DATA / f"{part}.tsv").read_text().splitlines(keepends=True)[:lines]
        (folder / f"{part}.tsv").write_text("".join(text))


def saved(folder, model):
    return [(folder / name).read_bytes() for name in (model, f"{model}.checkpoint")]
