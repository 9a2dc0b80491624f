"""schemathesis reads the OpenAPI description and asks what it allows and what it forbids."""

import os
import subprocess
import sys
from pathlib import Path

from lexgear.serve.app import create_app
from lexgear.serve.settings import ServeSettings
from serve.running import running

COMMAND = Path(sys.executable).with_name("schemathesis")


def test_the_service_does_what_its_description_says_whatever_it_is_asked(index_dir: Path, tmp_path: Path) -> None:
    # What the schema allows may still name no case, or no filter that makes sense: that is refused as documented.
    options = ["--phases", "examples,coverage,fuzzing", "--exclude-checks", "positive_data_acceptance"]
    with running(create_app(index_dir, ServeSettings(text_characters=150, k=10, batch=3))) as address:
        done = subprocess.run(
            [COMMAND, "run", f"{address}/api/v1/openapi.json", *options, "--max-examples", "8", "--seed", "1"],
            cwd=tmp_path,  # it leaves files behind
            env={**os.environ, "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert "Operations:       12 selected / 12 total" in done.stdout
    assert "failed" not in done.stdout
