"""Kills on a Ray cluster while requests run: shard processes, whole nodes and the coordinator.

A service with two shards and two replicas on two nodes answers requests all the time, and a document is added to the
index before each kill. A kill is survived if every answer under load is the ranking of a version of the index or a
clear refusal, if the service answers with the newest version afterwards, and if no acknowledged document is missing.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import IO

from engine.ray_nodes import RayNodes, children_of, ray_nodes
from lexgear.api import Index, train
from lexgear.api.sharding import shard_index
from lexgear.corpus.records import Document
from lexgear.corpus.sample.cases import sample_cases
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.settings import configure

TEXT = "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元。"
SHARDS, REPLICAS = 2, 2
K = 100
"""More than there are documents, so that every version of the index has another ranking."""
RECOVERY = 600.0
"""Seconds after which a service that does not answer, or not with the newest version, counts as lost. Four interpreters
start anew for each version, which took more than 120 seconds with a load of 20 on two cores."""
REFUSALS = {429, 503, 504}
Ranking = tuple[tuple[str, float], ...]


class Service:
    """The coordinator: `lexgear serve --cluster` in a process of its own."""

    def __init__(self, index: Path, address: str, log: Path) -> None:
        command = [str(Path(sys.executable).with_name("lexgear")), "serve", str(index), "--port", "0"]
        command += ["--cluster", address, "--replicas", str(REPLICAS)]
        with log.open("a", encoding="utf-8") as errors:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        self.url = _address(self.process.stdout)

    def search(self) -> Ranking | int | None:
        """Return the ranking, the status of a refusal, or None if nobody answers."""
        body = json.dumps({"text": TEXT, "k": K}).encode()
        request = urllib.request.Request(f"{self.url}/api/v1/search", body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=RECOVERY) as answer:
                return tuple((hit["id"], hit["score"]) for hit in json.load(answer)["hits"])
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return None

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


class ClusterKills:
    """A service under load on a cluster of two nodes."""

    def __init__(self, directory: Path, nodes: RayNodes, random: Random) -> None:
        self.nodes, self.random, self.log = nodes, random, directory / "service.log"
        whole = sample_cases()
        cases = replace(whole, documents=whole.documents[:60], queries=(), qrels={}, pools={})
        self.new, self.index = list(whole.documents[60:]), directory / "sharded"
        ranker = Lexgear(configure(LexgearSettings, backbone=""))
        shard_index(train(cases, ranker, directory / "whole"), SHARDS, self.index)
        self.acknowledged = {document.id for document in cases.documents}
        self.rankings = [self._ranking()]
        self.answers = Counter[str]()
        """Number of requests under load by what came of them."""
        self.service = Service(self.index, nodes.address, self.log)

    def actor(self) -> None:
        """Kill the process of a random replica."""
        raylets = [self.nodes.raylet(node) for node in (self.nodes.cluster.head_node, *self.nodes.others)]
        hosts = [process for raylet in raylets for process in children_of(raylet) if _is_actor(process)]
        os.kill(self.random.choice(hosts), signal.SIGKILL)

    def node(self) -> None:
        """Kill all processes of a node, and add another one."""
        self.nodes.kill(self.nodes.others[0])
        self.nodes.add()

    def coordinator(self) -> None:
        """Kill the service, and start it again."""
        self.service.kill()
        self.service = Service(self.index, self.nodes.address, self.log)

    def survives(self, kind: str) -> bool:
        """Add a document, kill something under load, and check every answer and the state afterwards."""
        answers: list[Ranking | int | None] = []
        stop = Event()

        def ask() -> None:
            while not stop.is_set():
                answers.append(answer := self.service.search())
                time.sleep(0.2 if answer is None else 0)

        clients = [Thread(target=ask) for _ in range(2)]
        for client in clients:
            client.start()
        try:
            self._add(self.new.pop())
            time.sleep(self.random.random())
            getattr(self, kind)()
            recovered = self._recovers()
        finally:
            stop.set()
            for client in clients:
                client.join()
        for one in answers:
            self.answers["no service" if one is None else "refused" if one in REFUSALS else "answered"] += 1
        gone = {None} if kind == "coordinator" else set()
        wrong = [one for one in answers if one not in {*self.rankings, *REFUSALS, *gone}]
        stored = Index.load(self.index).stored
        stored.check()
        lost = self.acknowledged - set(stored.catalogue.ids())
        if wrong or lost or not recovered:
            print(f"  {kind}: {len(wrong)} of {len(answers)} answers wrong ({wrong[:1]}), ", end="")
            print(f"{len(lost)} documents lost, recovered: {recovered}")
        return not wrong and not lost and recovered

    def close(self) -> None:
        self.service.kill()

    def _add(self, document: Document) -> None:
        Index.load(self.index).add([document])
        self.acknowledged.add(document.id)
        self.rankings.append(self._ranking())
        assert len(self.rankings[-1]) == len(self.acknowledged)

    def _recovers(self) -> bool:
        """Return whether the service answers with the newest version."""
        end = time.monotonic() + RECOVERY
        while time.monotonic() < end:
            if self.service.search() == self.rankings[-1]:
                return True
            time.sleep(0.5)
        return False

    def _ranking(self) -> Ranking:
        hits = Index.load(self.index).search(TEXT, K)
        return tuple((hit.document.id, hit.score) for hit in hits)


KINDS = ("actor", "node", "coordinator")


def cluster_kills(directory: Path, random: Random, rounds: int) -> Iterator[bool]:
    """Yield for each kill whether it was survived; every round kills an actor, a node and the coordinator."""
    with ray_nodes(2) as nodes:
        kills = ClusterKills(directory, nodes, random)
        try:
            for _ in range(rounds):
                yield from (kills.survives(kind) for kind in KINDS)
        finally:
            kills.close()
        print(f"  requests under load: {', '.join(f'{count} {what}' for what, count in kills.answers.items())}")


def _address(lines: IO[str] | None) -> str:
    for line in lines or ():
        if found := re.search(r"Serving on (\S+)", line):
            return found[1]
    raise RuntimeError("the service did not start")


def _is_actor(process: int) -> bool:
    return b"ray::_Host" in Path(f"/proc/{process}/cmdline").read_bytes()
