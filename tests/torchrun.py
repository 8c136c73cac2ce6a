"""torchrun, for tests."""

import os
import subprocess
import sys

BY_CHANCE = ("address already in use", "terminate called without an active exception")


def torchrun(*arguments, **environment):
    """Run two processes together; once more if the port that torchrun chose was taken before it could use it.

    Or if Gloo's threads outlived Python at the end, which is torch's to mend (pytorch/pytorch#179291).
    """
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", *arguments]
    given = {**os.environ, "OMP_NUM_THREADS": "1", **environment}
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, env=given)
        if not any(chance in done.stderr.lower() for chance in BY_CHANCE):
            break
    assert done.returncode == 0, done.stderr
    return done
