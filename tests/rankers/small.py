"""A small collection and settings for quick training."""

from lexgear.corpus.records import Collection, Document, Query
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.settings import configure

QUICK_LEXGEAR = configure(
    LexgearSettings,
    backbone="",
    epochs=1,
    max_length=48,
    hidden_size=32,
    num_heads=2,
    vocab_size=1000,
    num_encoder_layers=1,
)
"""Settings of a generator that learns little; the words of the sample decide its charges."""

THEFT, ROBBERY = "盗窃罪", "抢劫罪"

COLLECTION = Collection(
    name="small",
    language="zh",
    documents=(
        Document(
            "d1",
            {"fact": "被告人翻墙进入商店，拿走现金。", "reasoning": "秘密窃取他人财物。"},
            charges=(THEFT,),
        ),
        Document(
            "d2",
            {"fact": "被告人持刀威胁店主，拿走现金。", "reasoning": "以暴力劫取财物。"},
            charges=(ROBBERY,),
        ),
        Document("d3", {"fact": "被告人醉酒驾驶小型汽车。"}),
        Document(
            "d4",
            {"fact": "被告人翻墙进入商店，拿走现金。", "reasoning": "秘密窃取他人财物。"},
            charges=(THEFT, ROBBERY),
        ),
    ),
    queries=(
        Query("q1", "翻墙进入商店拿走现金", charges=(THEFT,), split="train"),
        Query("q2", "持刀威胁店主", charges=(ROBBERY, THEFT), split="test"),
    ),
    qrels={"q1": {"d1": 3, "d4": 3}, "q2": {"d2": 3}},
    relevant_from=2,
)
