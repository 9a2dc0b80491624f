"""A report on the small index, and one on documents and entries that try to be more than text."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from lexgear.api import Index, train
from lexgear.corpus.records import Collection, Defendant, Document
from lexgear.rankers.words.bm25 import BM25
from lexgear.report.build import build_report
from lexgear.report.model import Entries, Report
from serve.conftest import collection, index, index_dir

__all__ = ["collection", "index", "index_dir"]

AT = datetime(2026, 11, 15, 22, 5, tzinfo=timezone(timedelta(hours=8)))
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(1)>&amp;&#60;b&#62; </title></style>"
MARKDOWN = (
    "# a *b* _c_ `d` [e](javascript:alert(1)) ![f](http://evil.example/g) | h | ~~i~~ "
    "https://evil.example www.evil.example j@evil.example"
)
FORMULA = '=HYPERLINK("http://evil.example";"x")'
FIELD = "{ DDEAUTO c:\\windows\\system32\\cmd.exe } <w:instrText>DDE</w:instrText> ]]> _x0041_"
CONTROL = "a\x00b\x1b[31mc\x85de\u202ef\ufffeg\r\nh\ti"
HOSTILE = Collection(
    "hostile",
    "zh",
    (
        Document(
            "=1+1",
            {
                "fact": f"被告人李明辉翻墙进入商店，拿走现金。{MARKUP}。{MARKDOWN}。",
                "reasoning": f"被告人李明辉秘密窃取商店现金\ud800，{FIELD}。\n# 标题\n- 一\n1. 二。",
                "verdict": f"{FORMULA}。被告人李明辉犯盗窃罪，判处拘役一个月，审判长 李明辉",
                "附录": f"@SUM(A1) 商店现金{CONTROL}。",
            },
            title=f"李明辉盗窃\udfff{MARKUP}{MARKDOWN}{FIELD}",
            charges=("盗窃罪",),
            defendants=(Defendant("李明辉", ("盗窃罪",)),),
            court=f"{FORMULA}人民法院",
            number="@SUM(1+1)*cmd|' /C calc'!A0",
            level="basic",
        ),
        Document("+bare", {"text": "商店现金"}),
        Document("-none", {"fact": " "}, title="\t=1+2"),
    ),
)


def entries(text: str, *cases: dict[str, Any], **more: Any) -> Entries:
    return Entries.model_validate({"text": text, "at": AT, "cases": cases, **more})


@pytest.fixture(scope="session")
def hostile_index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return train(HOSTILE, BM25(), tmp_path_factory.mktemp("hostile") / "index")


@pytest.fixture(scope="session")
def hostile(hostile_index: Index) -> Report:
    """Every text of the user and of the documents tries something."""
    everything = f"{MARKUP}\n{MARKDOWN}\n{FORMULA}\n{FIELD}\n{CONTROL}"
    return build_report(
        hostile_index,
        entries(
            f"翻墙进入商店，拿走现金。{everything}",
            {"id": "=1+1", "use": "followed", "remark": everything},
            {"id": "+bare", "use": "distinguished", "remark": FORMULA},
            {"id": "-none"},
            by=everything[:400],
            pending={"title": everything[:400], "number": FORMULA, "court": MARKUP, "disputes": (everything, FORMULA)},
            language="en",
        ),
    )


@pytest.fixture(scope="session")
def report(index: Index) -> Report:
    """A report as a clerk would file it."""
    text = "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元，次日被抓获，如实供述。"
    first, second, third, *_ = (hit.document.id for hit in index.search(text, 5))
    return build_report(
        index,
        entries(
            text,
            {"id": second, "use": "referred", "remark": "手段相同"},
            {"id": first, "use": "followed"},
            {"id": third, "use": "distinguished", "remark": "数额悬殊"},
            by="王法官助理",
            k=5,
            filters=("date>=2015",),
            pending={"title": "某某盗窃案", "court": "四川省碧川区人民法院", "disputes": ("是否入户？", "数额几何？")},
        ),
    )


@pytest.fixture(scope="session")
def bare(hostile_index: Index) -> Report:
    """A report in which next to nothing is known."""
    asked = entries("现金", {"id": "+bare"}).model_copy(update={"at": datetime(2026, 1, 2, tzinfo=UTC)})
    return build_report(hostile_index, asked)
