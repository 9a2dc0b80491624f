"""The `pretrain` command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lexgear.terminal import progress_bar

if TYPE_CHECKING:
    from lexgear.model.generator.generator import Generator
    from lexgear.pretraining.data.prepare import Sources
    from lexgear.pretraining.learning.checkpoint import Checkpoint, Position
    from lexgear.pretraining.learning.run import PretrainingRun
    from lexgear.pretraining.settings import PretrainSettings


def pretrain(
    out: Annotated[Path, typer.Option(help="Directory for the base model.")],
    collections: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Collection directories, made by lexgear import; without any, OUT.prepared is used as it is."
        ),
    ] = None,
    statute: Annotated[list[Path] | None, typer.Option(help="File with the text of a law; repeatable.")] = None,
    hold_out: Annotated[
        list[Path] | None,
        typer.Option(help="JSON lines file or collection whose texts must not be used for training; repeatable."),
    ] = None,
    documents_only: Annotated[
        list[Path] | None,
        typer.Option(help="One more collection, whose queries are not used for training; repeatable."),
    ] = None,
    config: Annotated[Path | None, typer.Option(help="TOML file with settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="Setting as NAME=VALUE; repeatable.")] = None,
) -> None:
    """Pretrain a base model on collections.

    The prepared data is kept in OUT.prepared. If training is interrupted, the same command resumes it. To use several
    GPUs: torchrun --nproc-per-node N --no-python lexgear pretrain …
    """
    from lexgear.atomic import check_output
    from lexgear.judgment.base_calibration import learn_base_walk
    from lexgear.pretraining.base import MARKER, load_base, save_base, save_walk_weights
    from lexgear.pretraining.data.prepare import Sources
    from lexgear.pretraining.data.prepared import Prepared
    from lexgear.pretraining.learning.checkpoint import Checkpoint
    from lexgear.pretraining.learning.distributed import process_group
    from lexgear.pretraining.learning.run import PretrainingRun, run_fingerprint
    from lexgear.pretraining.settings import PretrainSettings
    from lexgear.settings import read_settings

    check_output(out, MARKER, *(collections or ()), *(documents_only or ()))
    settings = read_settings(PretrainSettings, config, set_ or ())
    prepared_at = out.with_name(f"{out.name}.prepared")
    with process_group() as group:
        if group.is_main and collections:
            sources = Sources(collections, statute or (), hold_out or (), documents_only or ())
            _prepare(sources, settings, prepared_at)
        group.barrier()
        prepared = Prepared.load(prepared_at)
        checkpoint = Checkpoint(out.with_name(f"{out.name}.training"), run_fingerprint(prepared, settings, group))
        generator, end = _pretrained(PretrainingRun(prepared, settings, checkpoint, group), checkpoint)
        if group.is_main:
            save_base(out, prepared_at, settings, generator, end)
            with progress_bar("Learning the weights of the law walk") as progress:
                save_walk_weights(out, learn_base_walk(load_base(out), prepared, progress))
            checkpoint.clear()
            last = {name: value for name, value in end.log[-1].items() if name != "step"}
            print(f"{out}: {end.step:,} steps, {end.tokens / 1e6:,.1f}M tokens, {end.seconds:,.0f} s")
            print(f"on {len(prepared.facts) - prepared.learnt:,} held-out cases: {_measures_text(last)}")


def _prepare(sources: Sources, settings: PretrainSettings, out: Path) -> None:
    from lexgear.pretraining.data.prepare import prepare

    with progress_bar("Preparing the data") as progress:
        report = prepare(sources, settings, out, progress)
    for line in report:
        print(line)


def _pretrained(run: PretrainingRun, checkpoint: Checkpoint) -> tuple[Generator, Position]:
    """Train; on Ctrl-C print where the same command resumes."""
    if not run.group.is_main:
        return run.run()
    if done := checkpoint.steps_done():
        print(f"resuming after step {done:,}", file=sys.stderr)
    try:
        with progress_bar("Pretraining") as progress:
            return run.run(progress)
    except KeyboardInterrupt:
        print(f"lexgear: interrupted; the same command resumes after step {checkpoint.steps_done():,}", file=sys.stderr)
        raise typer.Exit(130) from None


def _measures_text(measures: dict[str, float]) -> str:
    labels = {"first": "first charge correct", "top3": "correct among the first three", "own": "own facts ranked first"}
    return (
        ", ".join(f"{labels[name]} {value:.3f}" for name, value in measures.items() if name in labels) or "no measures"
    )
