import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import save_collection
from lexgear.law.shipped import chinese_criminal_law
from lexgear.pretraining.data.gather import Gathered, gather
from lexgear.privacy.neutral import neutralise

STORIES = {
    "theft": "2019年3月，被告人赵某翻墙进入某超市，撬开收银台，拿走现金三千余元和香烟二十条，随后乘车逃离。",
    "driving": "2020年7月，被告人钱某酒后驾驶小型轿车行驶至解放路口，与前方等候通行的货车追尾，造成一人轻伤。",
    "fraud": "2018年间，被告人孙某谎称能够代办入学手续，先后骗取被害人李某等五人钱款共计十二万元，全部用于赌博。",
    "bribe": "2017年中秋节前，被告人周某为承揽工程，在办公室送给分管副局长人民币十万元，对方收下后予以关照。",
    "injury": "2021年5月，被告人吴某因停车琐事与邻居郑某发生争执，持木棍击打郑某头部，经鉴定构成轻伤一级。",
}
REASONING = "本院认为，被告人以非法占有为目的，秘密窃取他人财物，数额较大，其行为已构成盗窃罪。"
COLLECTION = Collection(
    name="planted",
    language="zh",
    documents=(
        Document("good", {"fact": STORIES["theft"], "reasoning": REASONING}, charges=("盗窃罪",)),
        Document("uncharged", {"fact": STORIES["injury"]}),
        Document("barred", {"fact": "某年某月，被告人王某从事与本次查询相关的行为，具体经过不详。"}),
        Document("own", {"fact": "某年某月，被告人冯某的行为经过与查询中所述基本相同，细节从略。"}),
        Document("leak", {"fact": f"经审理查明：{STORIES['driving']}上述事实清楚，证据确实充分。"}),
        Document(
            "leak-in-reasoning", {"fact": "被告人陈某的经过如本院所认定，细节从略。", "reasoning": STORIES["fraud"]}
        ),
        Document("article", {"text": "国家工作人员利用职务上的便利，索取他人财物的，是受贿。"}),
        Document("short", {"fact": "证据不足。"}),
        Document("bare", charges=("盗窃罪",)),
    ),
    queries=(
        Query("train", STORIES["bribe"], charges=("行贿罪",), split="train"),
        Query("test", STORIES["driving"], split="test"),
        Query("no-split", STORIES["fraud"], own_documents=("own",)),
    ),
    law=chinese_criminal_law(),
    source={"never_train_on": "barred other"},
)


def neutral(text: str) -> str:
    return neutralise(text, "zh").text


def gathered(tmp_path: Path, collection: Collection = COLLECTION, **more: list[Path]) -> Gathered:
    save_collection(collection, tmp_path / "planted", SkippedRecords())
    return gather([tmp_path / "planted"], more.get("statutes", []), more.get("hold_out", []))


def test_planted_leaks_are_refused_by_id_and_by_text_and_counted(tmp_path: Path) -> None:
    found = gathered(tmp_path)
    assert [case.facts for case in found.cases] == [neutral(STORIES[name]) for name in ("theft", "injury", "bribe")]
    assert found.counts["planted"] == Counter(
        {
            "cases": 3,
            "texts": 1,
            "refused: never_train_on": 1,
            "refused: a query was drawn from it": 1,
            "refused: overlaps a held-out text": 2,
            "refused: not a training query": 2,
            "skipped: under 20 characters": 1,
            "skipped: no text": 1,
        }
    )
    assert found.report() == [
        "planted: 3 cases, 1 texts; refused: a query was drawn from it 1; refused: never_train_on 1; refused: not a "
        "training query 2; refused: overlaps a held-out text 2; skipped: no text 1; skipped: under 20 characters 1"
    ]


def test_files_and_collections_to_hold_out_are_refused_too(tmp_path: Path) -> None:
    file, directory = tmp_path / "test_query.json", tmp_path / "benchmark"
    file.write_text(json.dumps({"id": 7, "fact": STORIES["bribe"], "crime": ["行贿"]}, ensure_ascii=False) + "\n")
    benchmark = Collection("benchmark", "zh", (), queries=(Query("1", STORIES["injury"], split="test"),))
    save_collection(benchmark, directory, SkippedRecords())
    found = gathered(tmp_path, hold_out=[file, directory])
    assert [case.facts for case in found.cases] == [neutral(STORIES["theft"])]
    assert found.counts["planted"]["refused: overlaps a held-out text"] == 4


def test_no_text_names_a_charge_but_its_charges_are_kept(tmp_path: Path) -> None:
    case = gathered(tmp_path).cases[0]
    assert "盗窃罪" not in case.reasoning
    assert case.reasoning.endswith("已构成某罪。")
    assert case.charges == ("盗窃罪",)


def test_persons_have_no_name(tmp_path: Path) -> None:
    case = gathered(tmp_path).cases[0]
    assert "被告人赵某" in STORIES["theft"]
    assert "被告人某" in case.facts
    assert "赵" not in case.facts + case.reasoning


def test_a_training_query_names_no_charge_either(tmp_path: Path) -> None:
    said = Query("train", f"{STORIES['bribe']}后以涉嫌行贿罪被逮捕。", charges=("行贿罪",), split="train")
    case = gathered(tmp_path, replace(COLLECTION, queries=(said,))).cases[-1]
    assert case.facts == f"{neutral(STORIES['bribe'])}后以涉嫌某罪被逮捕。"
    assert case.charges == ("行贿罪",)


def test_empty_reasonings_and_missing_charges_stay_empty(tmp_path: Path) -> None:
    injury = gathered(tmp_path).cases[1]
    assert (injury.reasoning, injury.charges) == ("", ())


def test_a_statute_gives_texts_and_a_case_in_the_abstract_for_each_charge(tmp_path: Path) -> None:
    law = tmp_path / "law.txt"
    article = "以暴力、胁迫或者其他方法抢劫公私财物的，处三年以上十年以下有期徒刑。"
    law.write_text(f"第二编　分则\n第二百六十三条　【抢劫罪】{article}\n", encoding="utf-8")
    found = gathered(tmp_path, replace(COLLECTION, documents=(), queries=()), statutes=[law])
    assert found.texts == [article]
    assert [(case.facts, case.charges) for case in found.cases] == [(article, ("抢劫罪",))]
