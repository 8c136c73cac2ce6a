"""Put the committed results into the wheel, so that the explorer has them wherever it is installed."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CommittedResults(BuildHookInterface):
    """Tables and figures at the standard budget, not quick ones or PDFs: what git keeps, and the page shows."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add them as ``polythetic/committed``; an editable install has those of the source tree."""
        if version == "editable":
            return
        results = Path(self.root, "results")
        for path in (*results.glob("*.json"), *results.glob("figures/*.png")):
            build_data["force_include"][str(path)] = f"polythetic/committed/{path.relative_to(results).as_posix()}"
