"""The example deployments: the fields they use exist, and they agree with the package. They are not run."""

import re
from pathlib import Path
from typing import Any

import yaml

from lexgear.cli import COMMANDS, app

ROOT = Path(__file__).resolve().parents[1]
SERVICE = {"image", "restart", "command", "environment", "shm_size", "depends_on", "deploy", "ports", "volumes"}
"""Fields of a service in the compose specification that we use."""
CONTAINER = {"name", "image", "command", "env", "resources", "volumeMounts", "ports", "readinessProbe"}
GROUP = {"groupName", "replicas", "minReplicas", "maxReplicas", "rayStartParams", "template"}


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / "deploy" / name).read_text(encoding="utf-8"))


def options(command: str) -> set[str]:
    """Return the options of a lexgear command."""
    from typer.main import get_command

    found = get_command(app).commands[command]  # type: ignore[attr-defined]
    return {option for parameter in found.params for option in parameter.opts}


def test_the_compose_file_has_known_fields_and_volumes() -> None:
    compose = read("compose.yaml")
    assert compose.keys() == {"services", "volumes"}
    for service in compose["services"].values():
        assert service.keys() <= SERVICE
        assert service["restart"] == "unless-stopped"  # a node that starts before the head node ends
        assert {volume.split(":")[0] for volume in service["volumes"]} <= compose["volumes"].keys()
        assert set(service.get("depends_on", [])) <= compose["services"].keys()


def test_the_kuberay_manifest_has_known_fields_and_our_version_of_ray() -> None:
    manifest = read("kuberay.yaml")
    assert (manifest["apiVersion"], manifest["kind"]) == ("ray.io/v1", "RayCluster")
    spec = manifest["spec"]
    assert spec.keys() == {"rayVersion", "headGroupSpec", "workerGroupSpecs"}
    assert f"ray=={spec['rayVersion']}\n" in (ROOT / "constraints.txt").read_text(encoding="utf-8")
    for group in (spec["headGroupSpec"], *spec["workerGroupSpecs"]):
        assert group.keys() <= GROUP
        pod = group["template"]["spec"]
        volumes = {volume["name"] for volume in pod["volumes"]}
        for container in pod["containers"]:
            assert container.keys() <= CONTAINER
            assert {mount["name"] for mount in container["volumeMounts"]} <= volumes
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())


def test_the_commands_have_the_options_that_are_used() -> None:
    texts = [(ROOT / "deploy" / name).read_text(encoding="utf-8") for name in ("compose.yaml", "kuberay.yaml")]
    for text in texts:
        [line] = [line for line in text.splitlines() if "lexgear serve" in line or '"lexgear", "serve"' in line]
        used = set(re.findall(r"--[a-z-]+", line[line.index("serve") :]))
        assert "serve" in COMMANDS
        assert "--cluster" in used
        assert used <= options("serve")
