"""Answers are masked in every format, offsets stay valid, and the app does not start with an unmasked route."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from fastapi import APIRouter, Response
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from lexgear.api import train
from lexgear.corpus.records import Collection, Defendant, Document
from lexgear.law.shipped import chinese_criminal_law
from lexgear.privacy.masking import Masker
from lexgear.rankers.words.bm25 import BM25
from lexgear.serve.api.models import ResponseModel
from lexgear.serve.app import create_app
from lexgear.serve.privacy.masked_route import MaskedRoute, RenderedAnswer, UnmaskedRouteError, exempt_from_masking
from lexgear.serve.privacy.personal_data import PersonalData
from lexgear.serve.settings import ServeSettings
from serve.conftest import HERE

TEXT = "被告人欧阳明翻墙进入商店，拿走现金。被害人王芳报案。欧阳明与证人李明辉相识。欧阳明主动投案，构成自首。"
CASES = Collection(
    "named",
    "zh",
    (
        Document(
            "c1",
            {
                "fact": "被告人李明辉、李明亮翻墙进入商店，拿走现金。被害人王芳报案后，李明辉逃离。",
                "reasoning": "被告人李明辉秘密窃取商店现金，其行为构成盗窃罪。李明辉没有主动投案，不构成自首。",
                "verdict": "被告人李明辉犯盗窃罪，判处拘役一个月。审判长 赵刚",
            },
            title="李明辉、李明亮盗窃一审刑事判决书",
            charges=("盗窃罪",),
            defendants=(Defendant("李明辉", ("盗窃罪",)), Defendant("李明亮", ("盗窃罪",))),
        ),
        Document("c2", {"fact": "被告人陈东持刀威胁店主，抢走现金。"}, title="陈东抢劫案", charges=("抢劫罪",)),
    ),
    law=chinese_criminal_law(),
)
NAMES = ("李明辉", "李明亮", "王芳", "欧阳明", "陈东", "明辉", "明亮")


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("named") / "index"
    train(CASES, BM25(), directory)
    return directory


@pytest.fixture(scope="module")
def strict(directory: Path) -> Iterator[TestClient]:
    with TestClient(create_app(directory, ServeSettings(unmask=False)), HERE) as client:
        yield client


@pytest.fixture(scope="module")
def free(directory: Path) -> Iterator[TestClient]:
    with TestClient(create_app(directory), HERE) as client:
        yield client


def answers(client: TestClient) -> dict[str, Any]:
    posts: dict[str, Any] = {
        "search": {"text": TEXT, "include_text": True},
        "search/batch": {"searches": [{"text": TEXT}, {"text": "李明辉翻墙", "include_text": True}]},
        "rationale": {"text": TEXT},
        "compare": {"text": TEXT, "with": "c1"},
        "compare?": {"case": "c2", "with": "c1"},
        "report": {"text": TEXT, "cases": [{"id": "c1"}], "format": "json"},
    }
    told = {name: client.post(f"/api/v1/{name}", json=body) for name, body in posts.items()}
    told |= {name: client.get(f"/api/v1/{name}") for name in ("cases/c1", "law/cn-criminal", "law/cn-criminal/2/5")}
    assert {answer.status_code for answer in told.values()} == {200}
    return told


def test_no_answer_has_a_name(strict: TestClient, free: TestClient) -> None:
    plain = "".join(answer.text for answer in answers(free).values())
    assert all(name in plain for name in NAMES)
    for path, answer in answers(strict).items():
        assert not [name for name in NAMES if name in answer.text], path


def test_a_case_is_masked_sign_for_sign_and_nothing_else_changes(strict: TestClient, free: TestClient) -> None:
    masked, plain = (client.get("/api/v1/cases/c1").json() for client in (strict, free))
    assert masked["title"] == "李某甲、李某乙盗窃一审刑事判决书"
    assert [one["name"] for one in masked["defendants"]] == ["李某甲", "李某乙"]
    assert masked["sections"]["verdict"].endswith("审判长 赵刚")
    for name, text in plain["sections"].items():
        assert len(masked["sections"][name]) == len(text)
    for field in ("id", "charges", "articles", "paths", "court", "penalty"):
        assert masked[field] == plain[field]


def test_offsets_point_to_the_same_places(strict: TestClient, free: TestClient) -> None:
    masked, plain = (
        client.post("/api/v1/compare", json={"text": TEXT, "with": "c1"}).json() for client in (strict, free)
    )
    sections = strict.get("/api/v1/cases/c1").json()["sections"]
    pairs: list[tuple[Any, Any]] = []
    for kind in ("matches", "contrasts"):
        assert len(masked[kind]) == len(plain[kind]) > 0
        pairs += zip(masked[kind], plain[kind], strict=True)
    for ours, theirs in pairs:
        for side in ("left", "right"):
            assert [ours[side][at] for at in ("start", "end")] == [theirs[side][at] for at in ("start", "end")]
        place = ours["right"]
        assert sections[place["section"]][place["start"] : place["end"]] == place["text"]
        assert TEXT[ours["left"]["start"] : ours["left"]["end"]] == theirs["left"]["text"]
    scores = [
        [(hit["id"], hit["score"]) for hit in answers(client)["search"].json()["hits"]] for client in (strict, free)
    ]
    assert scores[0] == scores[1]


def test_a_judgment_quotes_the_text_with_its_names_masked(index_dir: Path) -> None:
    with TestClient(create_app(index_dir, ServeSettings(unmask=False)), HERE) as client:
        told = client.post("/api/v1/judge", json={"text": TEXT * 3}).json()
    quoted = [*told["rationale"]["sentences"], *(part for charge in told["charges"] for part in charge["rationale"])]
    assert quoted
    for part in quoted:
        assert len(part["text"]) == part["end"] - part["start"]
        assert not [name for name in NAMES if name in part["text"]]


@given(st.lists(st.text("李王欧阳明辉亮芳买·提", min_size=2, max_size=5), unique=True), st.sampled_from(["zh", "fr"]))
def test_an_aligned_sign_is_as_long_as_its_name(names: list[str], language: str) -> None:
    masks = Masker(dict.fromkeys(names, ""), language).same_length().masks
    assert all(len(sign) == len(name) for name, sign in masks.items())
    assert Masker({"Jean-Marie Dupont": ""}, "fr").same_length().masks == {"Jean-Marie Dupont": "J***-M**** D*****"}


class Summary(ResponseModel):
    """A model of somebody else's router."""

    name: Annotated[str, PersonalData.NAME]
    text: Annotated[str, PersonalData.TEXT]
    words: Annotated[list[str], PersonalData.WORDS]


class CaseSummary(Summary):
    case: Annotated[str, PersonalData.CASE_ID]


class Csv(RenderedAnswer[Summary]):
    def __init__(self, model: Summary) -> None:
        self.model = model

    def render(self, model: Summary) -> Response:
        return Response(f"name,text\n{model.name},{model.text}\n", media_type="text/csv")


def extra_router() -> APIRouter:
    router = APIRouter(route_class=MaskedRoute)
    summary = Summary(name="李明辉", text="被告人李明辉翻墙。", words=["现金"])

    @router.get("/extra/json")
    def as_json() -> Summary:
        return summary

    @router.get("/extra/csv", response_model=None)
    async def as_csv() -> Csv:
        return Csv(summary)

    @router.get("/extra/case")
    def case() -> CaseSummary:
        return CaseSummary(case="c1", name="李明亮", text="李明亮拿走现金。", words=["现金", "明亮", "李明亮"])

    @router.get("/extra/response")
    def response() -> Response:
        return Response("李明辉")

    return router


def test_a_masked_route_masks_the_names_of_a_model_in_every_format(directory: Path) -> None:
    app = create_app(directory)
    app.include_router(extra_router())
    with TestClient(app, HERE) as client:
        assert client.get("/extra/json").json() == {"name": "李某", "text": "被告人李某翻墙。", "words": ["现金"]}
        assert client.get("/extra/csv").text == "name,text\n李某,被告人李某翻墙。\n"
        case = client.get("/extra/case").json()
        assert (case["name"], case["text"], case["words"]) == ("李某2", "李某2拿走现金。", ["现金"])
        client.get("/?names=shown")
        assert client.get("/extra/json").json()["text"] == "被告人李明辉翻墙。"
        assert client.get("/extra/csv").text == "name,text\n李明辉,被告人李明辉翻墙。\n"


def test_a_masked_route_does_not_send_what_it_cannot_mask(directory: Path) -> None:
    app = create_app(directory)
    app.include_router(extra_router())
    with TestClient(app, HERE) as client:
        answer = client.get("/extra/response")
    assert answer.status_code == 500
    assert "李明辉" not in answer.text


def test_a_service_without_names_masks_every_format_of_a_report(strict: TestClient, free: TestClient) -> None:
    body = {"text": TEXT, "cases": [{"id": "c1"}]}
    for name in ("html", "md", "json", "csv"):
        masked = strict.post("/api/v1/report", json={**body, "format": name}).content.decode()
        assert not [one for one in NAMES if one in masked], name
        shown = free.post("/api/v1/report", json={**body, "format": name, "masked": False}).content.decode()
        assert "李明辉" in shown, name


def test_a_text_with_more_names_than_can_be_masked_is_refused(strict: TestClient, free: TestClient) -> None:
    signs = [chr(code) for code in range(0x5F00, 0x5F00 + 40)]
    text = "".join(f"被告人李{one}{other}翻墙，" for one in signs for other in signs)
    answer = strict.post("/api/v1/rationale", json={"text": text})
    assert answer.status_code == 422
    assert answer.json()["where"][0]["code"] == "too_many_names"
    assert free.post("/api/v1/rationale", json={"text": text}).status_code == 200


@pytest.mark.parametrize("nested", [False, True])
def test_the_app_does_not_start_with_a_route_that_is_neither_masked_nor_exempt(directory: Path, nested: bool) -> None:
    router = APIRouter(prefix="/extra")

    @router.get("/names")
    def names() -> list[str]:
        return ["李明辉"]

    outer = APIRouter(prefix="/outer", route_class=MaskedRoute)
    outer.include_router(router)
    app = create_app(directory)
    app.include_router(outer if nested else router)
    with pytest.raises(UnmaskedRouteError, match=r"/extra/names.*names\) could show names"), TestClient(app, HERE):
        pass


def test_the_app_does_not_start_with_a_mounted_app(directory: Path) -> None:
    app = create_app(directory)
    app.mount("/other", create_app(directory))
    with pytest.raises(UnmaskedRouteError, match="/other"), TestClient(app, HERE):
        pass


def test_an_exempt_route_is_served_as_it_is(directory: Path) -> None:
    router = APIRouter()

    @router.get("/about")
    @exempt_from_masking("names the authors")
    def about() -> list[str]:
        return ["李明辉"]

    app = create_app(directory)
    app.include_router(router)
    with TestClient(app, HERE) as client:
        assert client.get("/about").json() == ["李明辉"]
