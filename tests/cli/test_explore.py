"""``polythetic explore`` says where it is, answers there, and ends with Ctrl-C."""

import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

COMMAND = [sys.executable, "-c", "from polythetic.cli import main; main()", "explore", "--no-browser"]


def test__explore__started__answers_at_the_address_it_prints_and_ends_with_ctrl_c():
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            address = re.match(r"(http://127\.0\.0\.1:\d+/) is open", process.stdout.readline()).group(1)
            with urllib.request.urlopen(address, timeout=60) as response:
                assert response.status == 200
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
            assert process.stderr.read() == "\nended\n"
        finally:
            process.kill()


@pytest.mark.parametrize(("option", "said"), [("--port", "a port that is free"), ("--data", "--data = ")])
def test__explore__that_cannot_start__says_why_in_a_line(option, said):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        value = str(taken.getsockname()[1]) if option == "--port" else "/nowhere"
        done = subprocess.run([*COMMAND, option, value], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
