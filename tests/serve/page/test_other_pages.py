"""Comparisons, cases, the collection by the law, uploads and the report's form."""

import io
import re
from pathlib import Path

import pytest
from docx import Document as Word
from starlette.testclient import TestClient

from lexgear.corpus.extraction.factors.comparison import stated_by_document
from lexgear.corpus.records import Collection
from lexgear.law.charge_book import charge_book
from lexgear.serve.app import create_app
from lexgear.serve.settings import ServeSettings
from lexgear.wording.translations import texts
from serve.conftest import HERE
from serve.page.conftest import BROWSER, FACTS, HTMX
from serve.page.seen import Seen, seen

SIDE = {**HTMX, "HX-Target": "side"}


def found(client: TestClient, k: int = 5) -> list[str]:
    hits = client.post("/api/v1/search", json={"text": FACTS, "k": k}).json()["hits"]
    return [hit["id"] for hit in hits]


def test_matched_sentences_are_numbered_and_linked_both_ways(browser: TestClient, collection: Collection) -> None:
    document = collection.documents[5]
    asked = {"text": f"{FACTS}{document.sections['fact']}", "with": document.id}
    page = seen(browser.post("/compare", data=asked))
    api = browser.post("/api/v1/compare", json=asked).json()
    links = [one.attributes["href"] for one in page.all("a", class_="pair")]
    ids = {one.attributes.get("id") for one in page.elements}
    pairs = [*api["matches"], *api["contrasts"]]
    assert len(links) == 2 * len(pairs) > 0
    assert all(link[1:] in ids for link in links)
    marked = {one.attributes["id"]: one.text for one in page.all("mark", tabindex="-1")}
    ordered = sorted(pairs, key=lambda one: one["left"]["start"])
    for number, match in enumerate(ordered, start=1):
        assert marked[f"left-{number}"] == f"{number}{match['left']['text']}"
        assert marked[f"right-{number}"] == f"{number}{match['right']['text']}"
    assert document.charges[0] in page.one("tr", data_row="charges").text


def test_the_factors_of_both_sides_are_aligned(browser: TestClient, collection: Collection) -> None:
    document = next(one for one in collection.documents if "surrender" in stated_by_document(one))
    asked = {"text": f"被告人王某持刀威胁被害人。{document.sections['fact']}", "with": document.id}
    page = seen(browser.post("/compare", data=asked, headers={"Accept-Language": "en"}))
    factors = browser.post("/api/v1/compare", json=asked).json()["factors"]
    rows = page.all("tr", data_row="factors")
    groups = {"same": "shared", "different": "different", "left": "left_only", "right": "right_only"}
    for status, group in groups.items():
        shown = [row.text for row in rows if row.attributes["data-status"] == status]
        assert len(shown) == len(factors[group])
        assert all(texts("factors", "en")(one["name"]) in row for one, row in zip(factors[group], shown, strict=True))
    assert factors["shared"]
    assert factors["left_only"]


def test_two_cases_are_compared_at_an_address_of_their_own(browser: TestClient) -> None:
    page = seen(browser.get("/compare?case=c0002&with=c0001"))
    assert page.one("section", id="left").text != page.one("section", id="right").text
    assert page.one("button", data_copy_link="").attributes["data-copy-link"] == "/compare?case=c0002&with=c0001"
    assert seen(browser.get("/compare?case=c0002&with=nobody"), 404)
    assert browser.get("/compare?case=c0002", follow_redirects=False).headers["Location"] == "/"


def test_a_comparison_leads_back_without_a_script_and_needs_none_with_one(browser: TestClient) -> None:
    fields = {"text": FACTS, "with": found(browser)[0], "level": "basic", "pick": ["c0001"], "shown": "20"}
    page = seen(browser.post("/compare", data=fields))
    kept = {one.attributes["name"]: one.attributes["value"] for one in page.all("input", type="hidden")}
    assert kept.items() >= {"text": FACTS, "level": "basic", "pick": "c0001", "shown": "20"}.items()
    assert page.one("form", id="again").attributes["action"].startswith("/search")
    part = seen(browser.post("/compare", data=fields, headers=SIDE))
    assert not part.all("html")
    assert not part.all("form", id="again")
    assert part.one("button", data_close="")
    assert part.one("h1", data_focus="")


def test_what_is_not_there_cannot_be_compared(browser: TestClient) -> None:
    assert seen(browser.post("/compare", data={"text": FACTS, "with": "nobody"}), 404)
    assert seen(browser.post("/compare", data={"text": FACTS}), 404)
    assert seen(browser.post("/compare", data={"with": "c0001"}), 422)
    two = seen(browser.post("/compare", data={"case": "c0002", "with": "c0001"}))
    assert two.one("section", id="left")


def test_a_case_is_shown_whole_in_parts_with_an_outline(browser: TestClient, collection: Collection) -> None:
    for document in collection.documents[:3]:
        page = seen(browser.get(f"/cases/{document.id}"))
        text = page.one("main").text
        assert document.court in text
        assert document.number in text
        shown = "".join(one.text for one in page.all("p", class_="") if "para" in one.attributes["class"])
        for section in document.sections.values():
            assert all(sentence in shown for sentence in section.split("。") if sentence.strip())
        links = [one.attributes["href"] for one in page.all("a", href="")]
        outline = [link[1:] for link in links if link.startswith("#part-")]
        ids = {one.attributes.get("id") for one in page.elements}
        assert len(outline) >= 4
        assert set(outline) <= ids
        assert document.court in page.one("dd", id="citation").text
        assert document.number in page.one("button", data_copy="").attributes["data-copy"]


def test_a_case_read_from_a_search_shows_what_is_similar(browser: TestClient, collection: Collection) -> None:
    document = collection.documents[5]
    asked = {"text": document.sections["fact"]}
    page = seen(browser.post(f"/cases/{document.id}", data=asked))
    api = browser.post("/api/v1/compare", json={**asked, "with": document.id}).json()
    assert [one.text for one in page.all("mark", class_="match")] == [
        match["right"]["text"] for match in sorted(api["matches"], key=lambda one: one["right"]["start"])
    ]
    assert page.one("div", class_="match-bar").attributes["data-matches"] == str(len(api["matches"]))
    assert not seen(browser.get(f"/cases/{document.id}")).all("div", class_="match-bar")
    assert seen(browser.post(f"/cases/{document.id}", data={}), 422)


def test_the_law_stands_beside_the_charge(browser: TestClient, collection: Collection) -> None:
    document = collection.documents[0]
    statute = seen(browser.get(f"/cases/{document.id}")).all("details", class_="sheet statute")[0].text
    assert document.charges[0] in statute
    assert charge_book()[document.charges[0]].definition in statute


def test_the_collection_is_browsed_from_the_root_to_a_case(browser: TestClient) -> None:
    page = seen(browser.get("/law"))
    steps = 0
    while places := page.all("li", data_node=""):
        best = max(places, key=lambda one: int(one.attributes["data-cases"]))
        node = best.attributes["data-node"]
        page = seen(browser.get(f"/law/{node}"))
        api = browser.get(f"/api/v1/law/{node}?k=20").json()
        listed = [one.attributes["data-case"] for one in page.all("li", data_case="")]
        assert listed == [one["id"] for one in api["documents"]]
        counts = {one["id"]: str(one["cases"]) for one in api["below"]}
        assert {
            one.attributes["data-node"]: one.attributes["data-cases"] for one in page.all("li", data_node="")
        } == counts
        steps += 1
    assert steps >= 4
    assert page.one("section", id="statute").text.strip()


def test_cases_of_a_place_are_paged(browser: TestClient) -> None:
    first = seen(browser.get("/law/cn-criminal"))
    second = seen(browser.get(first.one("a", rel="next").attributes["href"]))
    assert second.one("a", rel="prev").attributes["href"].endswith("offset=0")
    ids = [[one.attributes["data-case"] for one in page.all("li", data_case="")] for page in (first, second)]
    assert len(set(ids[0]) | set(ids[1])) == 40
    assert seen(browser.get("/law/cn-criminal?offset=x"), 422)


def test_statutes_are_browsed_and_read_in_their_own_words(statutes_browser: TestClient) -> None:
    page = seen(statutes_browser.get("/law"))
    assert "89" in page.one("p", class_="lead").text
    article = seen(statutes_browser.get("/cases/a045"))
    assert ", art. 45" in article.one("h1").text
    assert article.one("a", rel="prev").attributes["href"] == "/cases/a044"
    assert article.one("a", rel="next").attributes["href"] == "/cases/a046"
    assert ", art. 45" in article.one("dd", id="citation").text
    assert not re.search("tribunal|peine|None", article.one("main").text, re.IGNORECASE)


def test_the_text_of_a_file_stands_in_the_form(browser: TestClient) -> None:
    file = {"file": ("facts.txt", "翻墙进入商店。\r\n拿走现金。".encode("gb18030"), "text/plain")}
    page = seen(browser.post("/upload", files=file))
    assert page.one("textarea").text == "\n翻墙进入商店。\n拿走现金。"
    assert not page.all(id="answer-title")
    part = seen(browser.post("/upload", files=file, headers={**HTMX, "HX-Target": "text"}))
    assert [one.name for one in part.elements] == ["textarea"]


@pytest.mark.parametrize(
    ("name", "data", "status", "said"),
    [
        ("facts.txt", b"", 422, "vide"),
        ("facts.exe", b"MZ\0\0", 415, "aucun des trois|ni|n’est|seul"),
        ("facts.docx", b"PK\x03\x04" + b"x" * 50, 422, "Word"),
    ],
)
def test_a_file_that_is_not_read_says_why_in_the_readers_language(
    browser: TestClient, name: str, data: bytes, status: int, said: str
) -> None:
    files = {"file": (name, data, "application/octet-stream")}
    page = seen(browser.post("/upload", files=files, headers={"Accept-Language": "fr"}), status)
    assert re.search(said, page.one("p", class_="lead").text, re.IGNORECASE)
    part = seen(browser.post("/upload", files=files, headers={**HTMX, "HX-Target": "text"}), status)
    assert part.one("div", id="problem-box")


def test_no_file_at_all_is_said_too(browser: TestClient) -> None:
    assert "No file" in seen(browser.post("/upload", data={"other": "x"}), 422).one("main").text
    assert seen(browser.post("/upload", content=b"--x", headers={"Content-Type": "multipart/form-data"}), 400)


def report(client: TestClient, *moves: str, picks: list[str], **fields: str) -> Seen:
    """The form after some moves, each made on what the last one left."""
    data: dict[str, str | list[str]] = {"text": FACTS, "pick": picks, **fields}
    page = seen(client.post("/report", data=data))
    for move in moves:
        data = {one.attributes["name"]: one.attributes["value"] for one in page.all("input", name="")}
        data["pick"] = [one.attributes["value"] for one in page.all("input", name="pick")]
        data["remark"] = [one.attributes["value"] for one in page.all("input", name="remark")]
        data["move"] = move
        page = seen(client.post("/report", data=data))
    return page


def order(page: Seen) -> list[str]:
    return [one.attributes["data-case"] for one in page.all("li", data_case="")]


def test_picked_cases_are_put_in_order_and_taken_out(browser: TestClient) -> None:
    a, b, c = found(browser, 3)
    assert order(report(browser, picks=[a, b, c])) == [a, b, c]
    assert order(report(browser, "down-0", picks=[a, b, c])) == [b, a, c]
    assert order(report(browser, "up-2", "up-1", picks=[a, b, c])) == [c, a, b]
    assert order(report(browser, "out-1", picks=[a, b, c])) == [a, c]
    for nonsense in ("up-0", "down-2", "up-9", "x", "up--1", "out-", "down-²"):
        assert order(report(browser, nonsense, picks=[a, b, c])) == [a, b, c]
    moved = report(browser, "down-0", picks=[a, b, c])
    assert moved.one("button", autofocus="").attributes["id"] == "down-1"
    assert report(browser, "up-1", picks=[a, b, c]).one("button", autofocus="").attributes["id"] == "down-0"


def test_the_form_makes_the_file(browser: TestClient) -> None:
    a, b = found(browser, 2)
    fields: dict[str, str | list[str]] = {"text": FACTS, "pick": [b, a], "make": "1", "format": "docx"}
    fields |= {"use": ["referred", "open"], "remark": ["手段相同", ""], "disputes": "是否入户？\r\n数额几何？"}
    fields |= {"by": "王助理", "organisation": "某法院", "title": "某某盗窃案"}
    answer = browser.post("/report", data=fields)
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].startswith("attachment; filename*=UTF-8''")
    word = Word(io.BytesIO(answer.content))
    text = "\n".join(one.text for one in word.paragraphs)
    cells = "\n".join(cell.text for table in word.tables for row in table.rows for cell in row.cells)
    assert "数额几何？" in text + cells
    assert "王助理" in text + cells
    assert "手段相同" in text + cells
    as_json = browser.post("/report", data=fields | {"format": "json"}).json()
    assert [one["id"] for one in as_json["cases"]] == [b, a]
    assert [one["use"] for one in as_json["cases"]] == ["referred", "open"]
    assert as_json["language"] == "en"
    html = browser.post("/report", data=fields | {"format": "html"})
    assert html.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'sha256-")
    assert html.headers["Content-Disposition"].startswith("attachment")


def test_a_report_on_nothing_says_so(browser: TestClient) -> None:
    assert report(browser, picks=[]).one("p", id="no-picks")
    assert seen(browser.post("/report", data={"text": FACTS, "pick": ["nobody"]}), 404)
    assert seen(browser.post("/report", data={"pick": ["c0001"]}), 422)
    long = {"text": FACTS, "make": "1", "by": "x" * 501}
    assert "by" in seen(browser.post("/report", data=long), 422).one("main").text


@pytest.mark.parametrize("path", ["/compare", "/report", "/upload"])
def test_addresses_of_forms_lead_home(browser: TestClient, path: str) -> None:
    assert browser.get(path, follow_redirects=False).headers["Location"] == "/"


def test_files_of_the_page_may_be_kept_and_nothing_else(browser: TestClient) -> None:
    page = seen(browser.get("/"))
    for one in (*page.all("script"), *page.all("link")):
        answer = browser.get(one.attributes.get("src") or one.attributes["href"])
        assert answer.status_code == 200
        assert "immutable" in answer.headers["Cache-Control"]
    assert browser.get("/").headers["Cache-Control"] == "no-store"
    assert browser.post("/search", data={"text": FACTS}).headers["Cache-Control"] == "no-store"


def test_the_api_does_not_describe_the_page(browser: TestClient) -> None:
    paths = browser.get("/api/v1/openapi.json").json()["paths"]
    assert all(path.startswith("/api/v1/") or path in ("/health", "/metrics") for path in paths)


def test_names_are_masked_until_somebody_who_may_switches(index_dir: Path) -> None:
    closed = create_app(index_dir, ServeSettings(unmask=False))
    with TestClient(closed, HERE, headers={**BROWSER, "Accept-Language": "en"}) as client:
        assert not seen(client.get("/")).all(data_names="")
        client.get("/?names=shown")
        assert "lexgear_names" not in client.cookies


def test_the_overview_counts_cases_and_is_narrowed_by_its_bars(browser: TestClient, collection: Collection) -> None:
    page = seen(browser.get("/law"))
    bars = {one.attributes["data-value"]: one for one in page.all("a", data_value="")}
    charge = max(
        {name for one in collection.documents for name in one.charges},
        key=lambda name: int(bars[name].attributes["data-cases"] if name in bars else 0),
    )
    expected = [one for one in collection.documents if charge in one.charges]
    assert int(bars[charge].attributes["data-cases"]) == len(expected)
    narrowed = seen(browser.get(bars[charge].attributes["href"]))
    assert narrowed.one("p", id="chosen-count").attributes["data-cases"] == str(len(expected))
    listed = [one.attributes["data-case"] for one in narrowed.all("li", data_case="")]
    assert listed == [one.id for one in expected][:20]
    assert narrowed.one("a", class_="chip").attributes["href"] == "/law"
    years = [one for one in narrowed.all("a", data_value="") if one.attributes["data-value"] == expected[0].date[:4]]
    both = seen(browser.get(years[0].attributes["href"]))
    same_year = [one for one in expected if one.date[:4] == expected[0].date[:4]]
    assert both.one("p", id="chosen-count").attributes["data-cases"] == str(len(same_year))


def test_a_place_of_the_law_has_the_entry_of_its_charge(browser: TestClient) -> None:
    page = seen(browser.get("/law/cn-criminal/2/5/264/盗窃罪"))
    entry = charge_book()["盗窃罪"]
    statute = page.one("section", id="statute").text
    assert entry.definition in statute
    assert all(threshold.means in statute for threshold in entry.thresholds)
    assert all(charge in statute for charge in (*entry.excludes, *entry.together))


def test_an_article_has_the_entries_of_its_charges(browser: TestClient) -> None:
    page = seen(browser.get("/law/cn-criminal/2/5/264"))
    assert charge_book()["盗窃罪"].definition in page.one("section", id="statute").text
    page = seen(browser.get("/law/cn-criminal/2/6/1/303"))
    assert {"赌博罪", "开设赌场罪"} <= {one.text.split()[0] for one in page.all("summary")}


def test_a_law_is_named_once_before_its_articles(browser: TestClient, collection: Collection) -> None:
    document = next(one for one in collection.documents if len(one.articles) > 2)
    page = seen(browser.post("/compare", data={"case": "c0002", "with": document.id}))
    cell = page.one("tr", data_row="articles").text
    assert all(f"art. {one.number}" in cell for one in document.articles)
    assert cell.count("刑法") == 2
