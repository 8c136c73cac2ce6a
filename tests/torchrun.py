"""torchrun, for tests."""

import os
import subprocess
import sys


def torchrun(*arguments, **environment):
    """Run two processes together; once more if the port that torchrun chose was taken before it could use it."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", *arguments]
    given = {**os.environ, "OMP_NUM_THREADS": "1", **environment}
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, env=given)
        if "address already in use" not in done.stderr.lower():
            break
    assert done.returncode == 0, done.stderr
    return done
