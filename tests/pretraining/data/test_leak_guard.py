import json
import lzma

from lexgear.pretraining.data.leak_guard import MAX_OVERLAP, LeakGuard
from shared_data import SHARED, needs_shared

QUERY = "2019年3月，被告人赵某翻墙进入某超市，撬开收银台，拿走现金三千余元和香烟二十条，随后乘出租车逃往外地。"
OTHER = "2020年7月，被告人钱某酒后驾驶小型轿车行驶至解放路口，与前方等候通行的货车追尾，经检测血液酒精含量超标。"
guard = LeakGuard([("other", OTHER), ("query", QUERY)])


def test_a_test_query_is_known_again_inside_a_longer_text() -> None:
    judgment = f"公诉机关指控，{QUERY}上述事实，被告人无异议，并有证人证言、监控录像等证据证实，足以认定。" * 3
    assert guard.refuses(judgment) == "query"


def test_spaces_signs_and_full_width_figures_hide_nothing() -> None:
    assert guard.refuses(" ".join(QUERY.replace("，", "；").replace("2019", "２０１９"))) == "query"


def test_a_part_of_a_test_query_is_a_leak_too() -> None:
    assert guard.refuses(QUERY[: len(QUERY) // 2]) == "query"


def test_a_text_that_only_sounds_alike_may_be_learnt_from() -> None:
    alike = "被告人孙某趁夜翻墙进入一家商店，撬开柜台，拿走现金五千元，后被抓获归案，如实供述了上述事实。"
    assert guard.refuses(alike) is None
    assert guard.overlap(alike).share < MAX_OVERLAP


def test_texts_shorter_than_a_shingle_and_no_held_out_texts_are_no_trouble() -> None:
    assert guard.refuses("") is None
    assert guard.refuses("盗窃") is None
    assert LeakGuard([]).refuses(QUERY) is None
    assert LeakGuard([("empty", "")]).refuses(QUERY) is None


def runs(text: str) -> set[str]:
    letters = "".join(sign for sign in text if sign.isalnum())
    return {letters[place : place + 12] for place in range(len(letters) - 11)}


def test_shares_are_those_of_sets_of_runs_of_characters() -> None:
    text = QUERY[5:40] + "乙车经过。" * 20 + OTHER[:30]
    expected = [len(runs(text) & runs(held)) / min(len(runs(text)), len(runs(held))) for held in (OTHER, QUERY)]
    found = guard.overlap(text)
    assert (found.share, found.name) == (max(expected), "query")
    assert 0 < expected[0] < found.share < 1


@needs_shared
def test_every_judgment_that_a_public_query_of_lecard_was_drawn_from_is_found_by_its_text() -> None:
    own = json.loads((SHARED / "lecard" / "own_judgments.json").read_text())
    wanted = {name: query for query, names in own.items() for name in map(str, names)}
    queries = [json.loads(line) for line in (SHARED / "lecard" / "queries.jsonl").read_text().splitlines()]
    real = LeakGuard([(str(query["ridx"]), query["q"]) for query in queries])
    found, others = {}, 0
    with lzma.open(SHARED / "lecard" / "cases.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            name = line[: line.index(",")].split(":")[1].strip(' "')
            if name in wanted or others < 200:
                others += name not in wanted
                found[name] = real.refuses(json.loads(line)["ajjbqk"])
    assert {name: found[name] for name in wanted} == wanted
    assert sum(refused is not None for name, refused in found.items() if name not in wanted) <= 4
