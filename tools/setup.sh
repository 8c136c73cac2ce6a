#!/bin/sh
# Make a virtual environment and install polythetic into it, with what development needs, or what is named:
#     setup.sh VENV [WHAT PIP IS TO INSTALL …]
# If that cannot be done, say why in one line.
set -u
venv=$1
shift
[ $# -gt 0 ] || set -- -c constraints.txt -e '.[dev]'

fail() {
    echo "make setup: $1" >&2
    exit 1
}

suitable() {
    "$1" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

if [ ! -x "$venv/bin/python" ] || ! suitable "$venv/bin/python"; then
    python=
    for candidate in ${PYTHON:-python3 python3.11 python3.12 python3.13 python}; do
        if suitable "$candidate"; then
            python=$candidate
            break
        fi
    done
    [ -n "$python" ] ||
        fail "no Python 3.11 or later with venv found (tried: ${PYTHON:-python3, python3.11, python3.12, python3.13, python}); install one, or name it with PYTHON=/path/to/python"
    rm -rf "$venv"
    "$python" -m venv "$venv" >/dev/null 2>&1 || fail "$python could not make a virtual environment in $venv"
fi

echo "Installing into $venv; the first time takes a few minutes …"
"$venv/bin/python" -m pip install --disable-pip-version-check --retries 1 --timeout 30 \
    "$@" >"$venv/install.log" 2>&1 ||
    fail "could not install the dependencies; is a package index reachable? $(grep -ho 'ERROR: .*' "$venv/install.log" | tail -n 1) (whole log: $venv/install.log)"
touch "$venv/.installed"
