"""Detection of person names in texts, and of words that only look like names."""

import pytest

from lexgear.privacy.names import filter_persons, find_names, is_institution, is_masked
from lexgear.privacy.surnames import surname


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("被告人李明辉翻墙进入商店。李明辉供述。", "李明辉"),
        ("被告人张三翻墙进入商店。", "张三"),
        ("被告人王强、陈建国和赵丽于夜间盗窃。", "王强 陈建国 赵丽"),
        ("上诉人（原审被告人）周海鹏不服。", "周海鹏"),
        ("被害人刘芳的陈述，证人孙志强的证言。", "刘芳 孙志强"),
        ("被告人欧阳志远伙同司马光盗窃。欧阳志远在逃。", "欧阳志远 司马光"),
        ("被告人买吾拉·麦麦提打人。", "买吾拉·麦麦提"),
        ("高鹏，男，1980年生。", "高鹏"),
        ("被告人王庆勤、王庆银共同作案。王庆勤望风，王庆银入室。", "王庆勤 王庆银"),
        ("被告人李某某、张某甲、王×、陈AA盗窃。", ""),
        ("被告人应当赔偿，曾因盗窃被判刑，向他人借款。", ""),
        ("被害人陈述、户籍证明、支付凭证。", ""),
        ("被告单位宁波燎恒灯具有限公司偷税。", ""),
        ("被告人翻墙进入商店。", ""),
        ("", ""),
    ],
)
def test_names_are_found_after_the_roles_of_parties(text: str, names: str) -> None:
    assert find_names([text]) == tuple(names.split())


def test_a_title_begins_with_names() -> None:
    assert find_names([], "应国平、张伟交通肇事一审刑事判决书") == ("应国平", "张伟")
    assert find_names([], "许某某行贿一审刑事判决书") == ()
    assert find_names([], "指导案例14号") == ()


def test_of_the_parties_an_index_knows_only_persons_with_a_name_are_hidden() -> None:
    known = ["应国平", "主刑量刑部分", "天一物流公司", "张某", "", "张", "拥觉", "买吾拉·麦麦提", "YUNMENOK", ")文学"]
    assert filter_persons(known, ["被告人拥觉盗窃。"]) == ("应国平", "拥觉", "买吾拉·麦麦提")


def test_masks_institutions_and_surnames_are_recognised() -> None:
    assert [is_masked(name) for name in ("张某", "李某某", "王×", "张甲", "陈AA", "张三")] == [True] * 5 + [False]
    assert [is_institution(name) for name in ("溆浦县水利局", "某某有限公司", "王会", "李建行")] == [
        True,
        True,
        False,
        False,
    ]
    assert [surname(name) for name in ("诸葛亮", "诸明", "李明")] == ["诸葛", "诸", "李"]
