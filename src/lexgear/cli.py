"""The command line: a thin table from command to function. Heavy imports happen inside the commands."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from textwrap import shorten
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException

from lexgear.display import console, hits_text, percent, progress_bar
from lexgear.errors import InputError

app = typer.Typer(
    help="lexgear retrieves legal documents and predicts the judgment in one walk down the law.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Runs a command; bad input and bad usage are one line on standard error and exit code 2."""
    try:
        code = app(standalone_mode=False)
        print(end="", flush=True)
    except InputError as error:
        _stop(error)
    except TyperException as error:
        if not (problem := error.format_message()):
            sys.exit(error.exit_code)  # no command was given, and the help stands on the screen already
        _stop(InputError(problem, remedy="`lexgear COMMAND --help` says what it takes"))
    except OSError as error:
        if error.filename is not None:
            raise
        # Only standard output is written to without a name; what is left in its buffer goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(1)  # whoever read it has seen enough, as in `lexgear search … | head`
        _stop(InputError(f"standard output cannot be written: {error.strerror}", remedy="is the disk full?"))
    else:
        sys.exit(code)


def _stop(error: InputError) -> NoReturn:
    print(f"lexgear: {error}", file=sys.stderr)
    sys.exit(2)


def _version(wanted: bool) -> None:
    if wanted:
        from lexgear import __version__

        print(f"lexgear {__version__}")
        raise typer.Exit


@app.callback()
def _app(
    version: Annotated[bool, typer.Option("--version", help="Show the version.", callback=_version)] = False,
) -> None:
    pass


@app.command("demo")
def demo(
    out: Annotated[Path, typer.Option(help="Where the sample's index goes.")] = Path("build/sample-index"),
) -> None:
    """Build, evaluate and search the built-in sample: the main job end to end."""
    from lexgear.demo import run_demo

    run_demo(out)


@app.command("import")
def import_(
    name: Annotated[str, typer.Argument(help="lecard, lecardv2, elam, bsard, stard, cail2018 or jsonl.")],
    source: Annotated[Path, typer.Argument(help="The data set as its makers lay it out, or a JSON lines file.")],
    out: Annotated[Path, typer.Option(help="Directory for the collection.")],
    strict: Annotated[bool, typer.Option("--strict", help="Refuse bad records instead of skipping them.")] = False,
) -> None:
    """Read a data set into a collection directory; say what was skipped and why."""
    from lexgear.corpus.readers import read_collection
    from lexgear.corpus.skips import Skips
    from lexgear.corpus.store import MARK, SKIPPED, save_collection
    from lexgear.whole import check_out

    check_out(out, MARK, source)
    skips = Skips(strict)
    with progress_bar(f"Reading {name}") as progress:
        collection = read_collection(name, source, skips, progress)
    save_collection(collection, out, skips)
    documents = collection.documents
    charged = sum(bool(document.charges) for document in documents)
    print(f"{out}: {len(documents):,} documents, {len(collection.queries):,} queries,", end=" ")
    print(f"{sum(map(len, collection.qrels.values())):,} labels, {len(collection.law):,} law nodes")
    if charged:
        print(f"{charged:,} documents ({percent(charged, len(documents))}) have a charge")
    for aspect, said in collection.source.items():
        print(f"{aspect}: {shorten(said, 160, placeholder=' …')}")
    print(f"{len(skips.entries):,} skipped{f', listed in {out / SKIPPED}' if skips.entries else ''}")
    for reason, count in skips.counts():
        print(f"  {count:,}  {reason}")


@app.command("train")
def train(
    collection: Annotated[Path, typer.Argument(help="A collection directory made by lexgear import.")],
    out: Annotated[Path, typer.Option(help="Directory for the index.")],
    ranker: Annotated[
        str, typer.Option(help="bm25, query_likelihood, gear, lexgear, gold_charge_random, gold_charge_popular.")
    ] = "bm25",
    config: Annotated[Path | None, typer.Option(help="TOML file of settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="One setting as key=value; repeatable.")] = None,
) -> None:
    """Train a ranker on a collection and write its index."""
    from lexgear import api
    from lexgear.corpus.store import load_collection
    from lexgear.index import MARK
    from lexgear.rankers.registry import make_ranker
    from lexgear.whole import check_out

    check_out(out, MARK, collection)
    chosen = make_ranker(ranker, config, set_ or ())
    with progress_bar("Reading the collection") as progress:
        loaded = load_collection(collection)
        progress(1, 1)
    with progress_bar(f"Training {ranker}") as progress:
        chosen.fit(loaded, progress)
    with progress_bar("Writing the index") as progress:
        index = api.save(loaded, chosen, out, progress)
    size = sum(part.size for part in index.stored.manifest.parts.values())
    print(f"{out}: {ranker} over {len(loaded.documents):,} documents, {size / 1e6:.1f} MB")


@app.command("search")
def search(
    index: Annotated[Path, typer.Argument(help="An index directory made by lexgear train.")],
    text: Annotated[str | None, typer.Option(help="One query, given here.")] = None,
    queries: Annotated[Path | None, typer.Option(help="JSON lines with id and text.")] = None,
    split: Annotated[str | None, typer.Option(help="With --queries: only those of this split, such as test.")] = None,
    run: Annotated[Path | None, typer.Option(help="TREC run to write, with --queries.")] = None,
    k: Annotated[int, typer.Option(min=1, help="How many documents a query.")] = 10,
    filter_: Annotated[
        list[str] | None,
        typer.Option("--filter", help="Such as charge=盗窃罪 or 'date>=2015-01-01'; repeatable."),
    ] = None,
    exclude: Annotated[Path | None, typer.Option(help="JSON: query id → documents to leave out.")] = None,
    pools: Annotated[Path | None, typer.Option(help="JSON: query id → its only candidates.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --text: print JSON.")] = False,
) -> None:
    """Search an index: a file of queries into a TREC run, or one text onto the screen."""
    from lexgear.api import Index
    from lexgear.files import dumps

    if (text is None) == (queries is None) or (queries is None) != (run is None):
        raise InputError("search takes either --text, or --queries with --run")
    if text is not None and (split or exclude or pools):
        raise InputError(
            "--split, --exclude and --pools speak of queries by their id", remedy="use --queries with --run"
        )
    if as_json and text is None:
        raise InputError("--json shows the hits of one --text", remedy="--run names the file for those of --queries")
    if queries is not None and run is not None:
        _search_file(index, queries, split, run, k, filter_ or [], exclude, pools)
        return
    hits = Index.load(index).search(str(text), k, filter_ or ())
    if as_json:
        print(dumps([hit.to_row() for hit in hits]))
    elif hits:
        console().print(hits_text(hits))
    else:
        print("Nothing found: no document shares a word with the query, or none passes the filters.")


def _search_file(
    index: Path,
    queries: Path,
    split: str | None,
    run: Path,
    k: int,
    filters: list[str],
    exclude: Path | None,
    pools: Path | None,
) -> None:
    from lexgear.api import Index
    from lexgear.corpus.store import of_split, read_queries
    from lexgear.evaluation.experiment import run_of
    from lexgear.evaluation.scope import read_id_lists
    from lexgear.rankers.scope import Scope
    from lexgear.trec import write_run

    asked = read_queries(queries)
    if split is not None:
        asked = of_split(asked, split, queries)
    loaded = Index.load(index)
    scope = Scope(
        only=loaded.stored.catalogue.select(filters) if filters else None,
        pools=read_id_lists(pools) if pools else None,
        exclude=read_id_lists(exclude) if exclude else {},
    )
    with progress_bar("Searching") as progress:
        results = loaded.rank(asked, k, scope, progress)
    write_run(run, run_of(asked, results), loaded.stored.manifest.ranker)
    empty = sum(not hits for hits in results)
    print(f"{run}: {len(asked):,} queries, {sum(map(len, results)):,} hits", end="")
    print(f", {empty:,} queries found nothing" if empty else "")


@app.command("judge")
def judge(
    index: Annotated[Path, typer.Argument(help="An index trained with --ranker lexgear.")],
    text: Annotated[str | None, typer.Option(help="Facts of one undecided case, given here.")] = None,
    queries: Annotated[Path | None, typer.Option(help="JSON lines with id and text.")] = None,
    out: Annotated[Path | None, typer.Option(help="JSON lines to write, with --queries.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --text: print JSON.")] = False,
) -> None:
    """Say which charges the facts of a case lead to, by which articles and how surely."""
    from lexgear.api import Index
    from lexgear.corpus.store import read_queries
    from lexgear.display import opinion_text
    from lexgear.files import dumps
    from lexgear.whole import whole_file

    if (text is None) == (queries is None) or (queries is None) != (out is None):
        raise InputError("judge takes either --text, or --queries with --out")
    asked = () if queries is None else read_queries(queries)
    loaded = Index.load(index)
    if text is not None:
        opinion = loaded.judge(text)
        console().print(dumps(opinion.to_row()) if as_json else opinion_text(opinion, loaded.law), soft_wrap=True)
        return
    with progress_bar("Judging") as progress, whole_file(Path(str(out))) as file:
        for done, query in enumerate(asked, start=1):
            file.write(dumps({"id": query.id, **loaded.judge(query.text).to_row()}) + "\n")
            progress(done, len(asked))
    print(f"{out}: {len(asked):,} judgments")


@app.command("evaluate")
def evaluate(
    run: Annotated[Path, typer.Argument(help="TREC run.")],
    qrels: Annotated[Path, typer.Argument(help="TREC qrels, or a collection directory.")],
    measures: Annotated[
        str | None, typer.Option(help="Such as 'R@20,nDCG@10,MRR,MAP,P@5,mrr_gear,coverage@1'.")
    ] = None,
    baseline: Annotated[
        list[Path] | None, typer.Option(help="Run to compare with; repeatable, the first is tested against.")
    ] = None,
    split: Annotated[str | None, typer.Option(help="Only the collection's queries of this split.")] = None,
    pools: Annotated[Path | None, typer.Option(help="JSON: query id → candidates; score inside them.")] = None,
    judged: Annotated[bool, typer.Option("--judged", help="Score over judged documents only.")] = False,
    ranked: Annotated[bool, typer.Option("--ranked", help="Only queries that every run ranks.")] = False,
    exclude: Annotated[Path | None, typer.Option(help="JSON: query id → own judgments to leave out.")] = None,
    relevant_from: Annotated[int | None, typer.Option(min=1, help="Lowest grade that is relevant.")] = None,
    format_: Annotated[str, typer.Option("--format", help="table, markdown or csv.")] = "table",
    per_query: Annotated[Path | None, typer.Option(help="CSV of every query's values to write.")] = None,
) -> None:
    """Measure a run, with intervals and paired tests.

    Labels that lie in a collection directory bring along its lowest relevant grade, its charges (for
    coverage) and the queries' own judgments, which are left out.
    """
    from lexgear.evaluation import tables
    from lexgear.evaluation.evaluate import DEFAULT_MEASURES, Request, evaluate_files
    from lexgear.whole import whole_file

    render = {"markdown": tables.markdown, "csv": tables.summary_csv}
    if format_ not in {"table", *render}:
        raise InputError(f"no format {format_!r}", remedy="table, markdown or csv")
    request = Request(
        runs=[run, *(baseline or ())],
        labels=qrels,
        measures=measures.split(",") if measures else DEFAULT_MEASURES,
        pools=pools,
        exclude=exclude,
        judged=judged,
        ranked=ranked,
        relevant_from=relevant_from,
        split=split,
    )
    result = evaluate_files(request)
    if per_query is not None:
        with whole_file(per_query) as file:
            file.write(tables.per_query_csv(result))
    if format_ == "table":
        console().print(tables.terminal(result))
    else:
        print(render[format_](result), end="")


@app.command("check")
def check(index: Annotated[Path, typer.Argument(help="An index directory.")]) -> None:
    """Verify every part of an index against its manifest."""
    from lexgear.index import StoredIndex

    stored = StoredIndex(index)
    stored.check()
    manifest = stored.manifest
    print(f"{index}: {manifest.ranker} over {manifest.documents:,} documents, {len(manifest.parts)} parts, all whole")


@app.command("rationale")
def rationale(
    collection: Annotated[
        Path | None, typer.Argument(help="A collection, for its law's definitions and its documents.")
    ] = None,
    text: Annotated[str | None, typer.Option(help="One undecided case, given here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --text: print JSON with spans and scores.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="JSON lines with the rationales of all documents and queries.")
    ] = None,
    sheet: Annotated[Path | None, typer.Option(help="Review sheet of lexgear expand; accepted rows enter.")] = None,
) -> None:
    """Show which words and sentences of a case matter, and for which charge (f_R of the paper)."""
    from lexgear.corpus.store import load_collection
    from lexgear.files import dumps
    from lexgear.rationale.expand import accepted
    from lexgear.rationale.lexicon import Lexicon
    from lexgear.rationale.show import picked, write_rationales

    if (text is None) == (out is None) or (out is not None and collection is None):
        raise InputError("rationale takes either --text, or a collection with --out")
    loaded = None if collection is None else load_collection(collection)
    more = accepted(sheet) if sheet else {}
    lexicon = Lexicon.from_charges(_definitions(collection), loaded.language if loaded else "zh", more)
    if loaded is not None and out is not None:
        with progress_bar("Extracting") as progress:
            count = write_rationales(out, loaded, lexicon, progress)
        print(f"{out}: {count:,} rationales")
        return
    rows, shown = picked(lexicon, str(text))
    if as_json:
        print(dumps(rows))
    else:
        console().print(shown)


@app.command("expand")
def expand(
    sheet: Annotated[Path, typer.Argument(help="Review sheet to add to; set accepted to yes in the rows you approve.")],
    model: Annotated[str, typer.Option(help="A checkpoint directory, or the URL of an OpenAI-compatible service.")],
    name: Annotated[str, typer.Option(help="Name of the model at that service.")] = "default",
    collection: Annotated[Path | None, typer.Option(help="A collection, for the charges of its law.")] = None,
    prompt: Annotated[Path | None, typer.Option(help="Prompt of your own; ours otherwise.")] = None,
) -> None:
    """Ask a language model to describe charges for f_R; only what a person accepts is used.

    The key of a service is read from the environment variable LEXGEAR_API_KEY.
    """
    from lexgear.rationale import expand as expansion

    served = expansion.language_model(model, name, os.environ.get("LEXGEAR_API_KEY", ""))
    template = expansion.prompt_template("zh", prompt)
    with progress_bar("Asking") as progress:
        added = expansion.expand(sheet, _definitions(collection), served, template, progress)
    print(f"{sheet}: {added:,} rows added; set accepted to yes in those you approve, then name it as --sheet")


def _definitions(collection: Path | None) -> dict[str, str]:
    """Official names and definitions of the charges: a collection's, or those that ship (46 have a definition)."""
    from lexgear.corpus.sample.cases_law import sample_law
    from lexgear.corpus.store import read_law
    from lexgear.law.shipped import chinese_criminal_law

    laws = [chinese_criminal_law(), sample_law()] if collection is None else [read_law(collection / "law.json")]
    return {node.number: node.text for law in laws for node in law.of_kind("charge")}
