"""Clients that look at the page as browsers do, and documents that try to be more than text."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lexgear.api import train
from lexgear.corpus.records import Citation, Collection, Count, Defendant, Document, Penalty
from lexgear.corpus.sample.law import sample_law
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.rankers.words.bm25 import BM25
from lexgear.serve.app import create_app
from serve.conftest import HERE

FACTS = "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元，次日被抓获，如实供述。"
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Sec-Fetch-Site": "same-origin"}
HTMX = {"HX-Request": "true"}
MARKUP = (
    "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&amp;&#60;b&#62; </title></textarea></style>"
    "{{86399*79379}}"
)
PRODUCT = str(86399 * 79379)
"""Result of the markup if a template evaluated it: ten digits that no page contains by chance."""
HOSTILE = Collection(
    "hostile",
    "zh",
    (
        Document(
            f"x/{MARKUP.replace(' ', '')}?#%",
            {
                "fact": f"被告人李明辉翻墙进入商店，拿走现金五千元。{MARKUP}。",
                "reasoning": f"被告人李明辉秘密窃取商店现金\ud800，{MARKUP}。",
                "verdict": "被告人李明辉犯盗窃罪，判处拘役一个月。审判长 李明辉",
                f"附录{MARKUP}": f"商店现金{MARKUP}\x00\x1b。",
            },
            title=f"李明辉盗窃\udfff{MARKUP}",
            charges=("盗窃罪",),
            articles=(Citation(MARKUP, MARKUP),),
            defendants=(
                Defendant(
                    "李明辉", ("盗窃罪",), Penalty("detention", 1), (Count("盗窃罪", Penalty(MARKUP)), Count(MARKUP))
                ),
            ),
            penalty=Penalty(MARKUP, 1, 2, 3),
            court=f"{MARKUP}人民法院",
            level=MARKUP,
            region=MARKUP,
            date="2019-01-02",
            number=MARKUP,
        ),
        Document("bare", {"text": "商店现金翻墙"}, authority="guiding"),
        Document("none", {"fact": " "}, title="商店现金"),
    ),
    law=sample_law(),
)


@pytest.fixture(scope="session")
def browser(index_dir: Path) -> Iterator[TestClient]:
    """Somebody who reads English."""
    with TestClient(create_app(index_dir), HERE, headers={**BROWSER, "Accept-Language": "en"}) as client:
        yield client


@pytest.fixture(scope="session")
def words_browser(words_dir: Path) -> Iterator[TestClient]:
    """The same, over an index that cannot judge."""
    with TestClient(create_app(words_dir), HERE, headers={**BROWSER, "Accept-Language": "en"}) as client:
        yield client


@pytest.fixture(scope="session")
def statutes_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Over statutory articles, in French."""
    directory = tmp_path_factory.mktemp("statutes") / "index"
    train(sample_statutes(), BM25(), directory)
    with TestClient(create_app(directory), HERE, headers=BROWSER) as client:
        yield client


@pytest.fixture(scope="session")
def hostile_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Over documents that try something."""
    directory = tmp_path_factory.mktemp("hostile") / "index"
    train(HOSTILE, BM25(), directory)
    with TestClient(create_app(directory), HERE, headers={**BROWSER, "Accept-Language": "en"}) as client:
        yield client
