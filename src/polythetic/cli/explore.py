"""``polythetic explore``: pages in the browser, served on this machine only, on which to watch the method work."""

from __future__ import annotations

from typing import Annotated

import typer

from polythetic.cli.options import Data, look_in


def explore(
    port: Annotated[int, typer.Option(min=0, max=65535, help="To serve on; a free one unless given.")] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
    data: Data = None,
) -> None:
    """Open the explorer in the browser: Boolean tasks, pictures, a table of your own, the paper's results.

    It listens on 127.0.0.1 alone, so that no other machine can connect, and sends nothing anywhere. Ctrl-C ends it.
    """
    import webbrowser

    from polythetic.errors import InputError
    from polythetic.explore.server import Server

    look_in(data)
    try:
        server = Server(port)
    except OSError as error:
        raise InputError("--port", port, f"a port that is free, or none for any ({error.strerror})") from None
    with server:
        server.warm_up()
        typer.echo(f"{server.address} is open on this machine; Ctrl-C ends it")
        if browser:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            typer.echo("\nended", err=True)
