"""The language: by the address, the cookie, the browser, or that of the index; errors speak it too."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lexgear.serve.api.errors import CODES
from lexgear.serve.app import create_app
from lexgear.serve.settings import ServeSettings
from lexgear.wording.translations import LANGUAGES, texts
from serve.conftest import HERE
from serve.page.conftest import BROWSER, FACTS, HTMX
from serve.page.seen import seen

PAGE = Path(__file__).parents[3] / "src" / "lexgear" / "serve" / "page"


def language_of(client: TestClient, path: str = "/", **headers: str) -> str:
    return seen(client.get(path, headers=headers)).one("html").attributes["lang"]


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("fr-CH, fr;q=0.9, en;q=0.8", "fr"),
        ("de, en-GB;q=0.7, zh;q=0.9", "zh-CN"),
        ("de", "zh-CN"),
        ("", "zh-CN"),
        ("en;q=0, fr;q=0.1", "fr"),
        ("*;q=x,;;,=" * 200, "zh-CN"),
    ],
)
def test_without_a_choice_the_browser_decides_and_then_the_index(index_dir: Path, accepted: str, language: str) -> None:
    client = TestClient(create_app(index_dir), HERE, headers={**BROWSER, "Accept-Language": accepted})
    assert language_of(client) == language


def test_a_choice_is_kept_in_a_cookie_that_no_script_and_no_other_site_sees(browser: TestClient) -> None:
    browser.cookies.clear()
    answer = browser.get("/?lang=fr")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert language_of(browser) == "fr"
    assert language_of(browser, "/law?lang=zh") == "zh-CN"
    assert language_of(browser, "/law") == "zh-CN"
    assert language_of(browser, "/?lang=xx") == "zh-CN"
    browser.cookies.clear()


def test_the_answer_is_kept_when_the_language_changes(browser: TestClient) -> None:
    page = seen(browser.post("/search", data={"text": FACTS, "level": "basic"}))
    button = page.one("button", data_language="fr")
    assert (button.attributes["form"], button.attributes["formaction"]) == ("again", "/search?lang=fr")
    in_french = seen(browser.post("/search?lang=fr", data={"text": FACTS, "level": "basic"}))
    browser.cookies.clear()
    assert in_french.one("html").attributes["lang"] == "fr"
    assert in_french.one("div", id="marked").text == FACTS
    assert in_french.one("button", data_chip="level")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_has_words_in_every_language(language: str) -> None:
    said = texts("page", language)
    for code in (*(code for code, _ in CODES.values()), "refused", "text_empty", "text_too_long", "invalid_filter"):
        assert said(f"error.{code}.title")
        assert said(f"error.{code}.text")


def test_every_text_is_used_and_every_text_used_is_there() -> None:
    sources = [*PAGE.rglob("*.html"), *PAGE.rglob("*.py")]
    written = "\n".join(path.read_text("utf-8") for path in sources)
    entries = texts("page", "en").entries
    used = set(re.findall(r"""\bt\(\s*["']([a-z_.0-9]+)["']\s*[,)]""", written))
    assert used <= entries.keys(), used - entries.keys()
    made = re.findall(r"""["']([a-z_]+(?:\.[a-z_]+)*)\.["'] ~|f["']([a-z_.]+)\.(?:set_)?\{""", written)
    groups = {one or other for one, other in made} | {"error", "note"}
    unused = {key for key in entries if key not in used and f'"{key}"' not in written}
    assert {key for key in unused if not any(key.startswith(f"{group}.") for group in groups)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/nowhere", "not_found"),
        ("/cases/nobody", "unknown_document"),
        ("/law/nowhere", "unknown_place"),
        ("/static/../app.py", "not_found"),
        ("/static/nothing.js", "not_found"),
    ],
)
def test_an_error_is_a_page_in_the_readers_language_with_its_id(
    browser: TestClient, language: str, path: str, code: str
) -> None:
    answer = browser.get(path, headers={"Accept-Language": language})
    page = seen(answer, 404)
    assert page.one("h1").text == texts("page", language)(f"error.{code}.title")
    assert answer.headers["X-Request-Id"] in page.one("main").text


def test_errors_of_htmx_are_parts_and_those_of_the_api_stay_json(browser: TestClient) -> None:
    part = seen(browser.post("/search", data={"text": " \n"}, headers={**HTMX, "HX-Target": "answer"}), 422)
    assert not part.all("html")
    assert part.one("div", id="problem-box").attributes["data-code"] == "text_empty"
    assert browser.get("/api/v1/cases/nobody").json()["code"] == "unknown_document"
    assert browser.get("/nowhere", headers={"Accept": "application/json"}).json()["code"] == "not_found"


def test_what_the_doors_the_limits_and_the_deadline_refuse_is_a_page_too(index_dir: Path) -> None:
    french = {**BROWSER, "Accept-Language": "fr"}
    with TestClient(create_app(index_dir, ServeSettings(api_key="key", body_bytes=2000)), HERE, headers=french) as one:
        answer = one.get("/")
        assert "clé" in seen(answer, 401).one("h1").text
        assert "sample" not in answer.text  # who may not ask is not told what is served
        assert "Basic" in answer.headers["WWW-Authenticate"]
        large = one.post("/search", data={"text": "墙" * 1000}, headers={"X-API-Key": "key"})
        assert "trop" in seen(large, 413).one("h1").text
    with TestClient(create_app(index_dir, ServeSettings(deadline=0.001)), HERE, headers=french) as other:
        late = other.post("/search", data={"text": FACTS})
        assert "temps" in seen(late, 504).one("h1").text
    elsewhere = TestClient(create_app(index_dir), "http://evil.example", headers=BROWSER)
    assert seen(elsewhere.get("/"), 421)


def test_too_long_a_text_and_a_filter_without_sense_are_refused_with_details(browser: TestClient) -> None:
    for text in ("墙" * 100_001, "\ufdfa" * 6000):
        long = seen(browser.post("/search", data={"text": text}, headers={"Accept-Language": "zh"}), 422)
        assert "最多 100,000 字" in long.one("p", class_="lead").text
        assert "the limit is 100,000" in long.one("main").text
    wrong = seen(browser.post("/search", data={"text": FACTS, "charge": "无此罪"}), 422)
    assert wrong.one("h1").text == "This charge is unknown."
    assert "无此罪" in wrong.one("main").text


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "unknown"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "", "Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "", "Origin": "null"},
    ],
)
@pytest.mark.parametrize("path", ["/search", "/compare", "/upload", "/report"])
def test_forms_of_other_sites_are_refused(browser: TestClient, headers: dict[str, str], path: str) -> None:
    page = seen(browser.post(path, data={"text": FACTS, "with": "c0001"}, headers=headers), 403)
    assert "another site" in page.one("main").text
    assert browser.post("/search", data={"text": FACTS}, headers={"Origin": HERE}).status_code == 200
