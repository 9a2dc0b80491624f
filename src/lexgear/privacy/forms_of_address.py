"""Detection of surnames in Chinese forms of address: 老王, 小李, 张先生, 刘老板, 陈家, 赵姓男子.

Characters that begin more words than names (小区, 老师, 原局长) are left alone, so that a few rare surnames are not
found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from lexgear.corpus.extraction.factors.anchors import matches_at
from lexgear.privacy.name_matching import Mention
from lexgear.privacy.surnames import COMPOUND_SURNAMES, HAN, SINGLE_SURNAMES, SURNAME
from lexgear.privacy.unannounced.segmentation import begins_word

_PARTS_OF_WORDS = frozenset("和从向时初原应连全那家国师区车房楼农户门党干虎鱼米豆巢帅井步池盘商容富幸惠童班祖翁伯成")
_SURNAME = f"(?:{'|'.join(sorted(COMPOUND_SURNAMES))}|[{''.join(sorted(SINGLE_SURNAMES - _PARTS_OF_WORDS))}])"
_WORDS = (
    "老(?:[花皮牛赖路汤古山景麦庄城]|东(?![把给和])|凤祥|马识|江湖|方[法子]|于世|毛病|高兴|何况|陈醋|黄[牛历]|白[酒干姓]|包[子装]|石[头板])|"
    "小(?:[费花苗路包山贝巴曲解季宗丘羊麦牛管鹿计谷湖贩宁]|常识|广告|康[社家水生村路之面微]|石[子块头渣材料]|马[路甲扎力驹]|龙[虾女]|毛[病孩驴巾]|"
    "金[库额属]|叶[紫子]|熊[猫玩饼]|黄[车鱼人书片]|白[菜鼠脸兔]|高层|方[块桌格]|范围|项目|孔径|段子|游[戏艇]|文章|苏打|林地|东西|单[间位]|"
    "红[书帽包点花旗]|王[八子]|杨[树梅]|水[坑电沟管]|安全|温度|明显|乐队|平[房台头米]|关口|支[架付]|程[序度]|田地|江南|"
    '于(?![”"’」》、，。（(：说和与跟在把让去来]))'
)
"""Words that begin like 老王 or 小李."""
_BEFORE_FAMILIAR = "古年养元苍父长阿衰敬尊最更很太大幼缩从中窄微细弱矮渺较一"
_WITHIN_NAME = "".join(sorted(SINGLE_SURNAMES - frozenset("和从向对于和帅师")))
_FAMILIAR = re.compile(
    rf"(?<![{_BEFORE_FAMILIAR}{_WITHIN_NAME}])(?!{_WORDS})[老小](?P<name>{_SURNAME})"
    rf"(?!(?![在到去往从于把被将和与跟住是]){HAN}{{0,2}}(?:[村镇乡屯寨街路河区]|派出所))"
)
_RARE_FAMILIAR = re.compile("(?<![从大])[老小](?P<name>[和从向时应初原连成伯祖])(?=[^区家学])")
"""Forms with surnames that are mostly parts of words, which segmentation tells apart."""
TITLE = (
    "先生|女士|小姐|太太|老板|总经理|总裁|总监|总(?![是共计额数量之有部店公体结统局台行院会价务站管算队汇支在得要]|的(?:[来说讲看方原要情数金额]|是))|经理|主管|师傅|医生|大夫|"
    "护士|老师|教授|校长|主任|[科处局县市镇乡村所队院厂行董]长|书记|会计|律师|法官|警官(?!兵)|检察官|大[爷妈姐哥叔伯婶娘]|爷爷|奶奶|老[大二三四五六七八九汉]|"
    "阿姨|叔叔|[姐哥叔姨婶嫂](?!夫)|婆(?![婆媳家])"
)
_NO_TITLE = (
    rf"任(?:{TITLE})[期时职的以后一，。]|班主任|管阿姨|富婆|巫婆|麻婆|师[姐哥]|帅哥|武警|司局长|"
    "[管明方](?:总|主任|经理)"
)
_TITLED = re.compile(rf"(?P<name>{_SURNAME})(?:{TITLE})")
_UNTITLED = re.compile(_NO_TITLE)
_BEFORE_TITLED = frozenset("人与跟给被把将对让叫找请替帮为是的了在去到说告骗欠商友事居计纳")
_TITLED_SUBJECT = re.compile(
    rf"(?!时总)(?P<name>[和从向时应初连])(?:{TITLE})(?=把|被|让|收[了取]|拖欠|带着|骗|叫[我他她]|抓|打电话让|欠我|拿走|打了我|是[我他她])"
)
"""Surnames that are mostly prepositions, before a title and a verb that only a subject has."""
_NO_FAMILY = "[长人属里庭教电居用具务政族常费暴乡伙业落立港湾口桥坡沟屯村店寨湖坝沱垭岭山界集河]|[大小新老]?[庄中]"
"""Ends of other words and of names of places that begin with a surname and 家: 国家, 石家庄."""
_FAMILY = re.compile(
    rf"(?:(?<!{HAN})|(?<=[给把被到在去与跟了]))(?![管庄商东仇安发])(?P<name>{_SURNAME})家(?!{_NO_FAMILY})"
)
_HOUSE = re.compile(
    "家(?=[村庄湾沟桥坡河屯寨湖坝坪岭塘冲洼堡营埠台集巷镇乡组畈坳坑岗梁峪渡]|祠堂|大院|院子)|记(?=[饭餐面小烧酒火大粥商茶海卤烤食牛羊快包粉米])|氏(?=[兄弟姐妹父母夫妇家宗族人、，。在与和])"
)
"""Signs after the surname of a village (王家庄), an inn (王记面馆) or a family (王氏)."""
_HOUSEHOLD = re.compile(
    rf"(?![国那农商管东公私各书登])(?!石家庄(?!村)|全家(?![村庄湾])|张家[口港界])(?P<name>{SURNAME})[家氏记]"
)
_END_OF_SURNAME = "[的，。、；）及]"
_CALLED = re.compile(
    rf"(?P<name>{SURNAME})(?<![家那全和从向连国时])姓(?![名氏“\"])(?!{SURNAME}{_END_OF_SURNAME})"
    rf"|(?<![百同改贵跟随])姓(?P<after>{_SURNAME})(?={_END_OF_SURNAME})"
)
_ONE_HAN = re.compile(HAN)
_SAID, _HOME = re.compile("姓"), re.compile("家")
_NO_SURNAME = re.compile("对方|[由对关至位属]于")


def find_forms_of_address(text: str) -> Iterator[Mention]:
    """Yield the surnames in forms of address, in no particular order.

    >>> text = "老王在小区门口把刘老板打伤，对方经理报警，小李作证。"
    >>> sorted(text[start:end] for start, end in find_forms_of_address(text))
    ['刘', '李', '王']
    """
    for match in _TITLED.finditer(text):
        start, end = match.span("name")
        before = text[start - 1 : start] if start else ""
        apart = before in _BEFORE_TITLED or not _ONE_HAN.match(before) or begins_word(text, start, end)
        if apart and not _UNTITLED.match(text, start) and not _NO_SURNAME.fullmatch(text, max(0, start - 1), end):
            yield Mention(start, end)
    for pattern in (_RARE_FAMILIAR, _TITLED_SUBJECT):
        for match in pattern.finditer(text):
            if begins_word(text, *match.span("name")):
                yield Mention(*match.span("name"))
    for match in _matches_before(_HOUSEHOLD, _HOUSE, text):
        yield Mention(*match.span("name"))
    for match in _matches_before(_CALLED, _SAID, text):
        yield Mention(*match.span(match.lastgroup or 0))
    for match in chain(_FAMILIAR.finditer(text), _matches_before(_FAMILY, _HOME, text)):
        start, end = match.span("name")
        if not _NO_SURNAME.fullmatch(text, max(0, start - 1), end):
            yield Mention(start, end)


def _matches_before(pattern: re.Pattern[str], sign: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield what `pattern.finditer(text)` yields, if every match begins at most two characters before the sign."""
    places = {max(found.start() - length, 0) for found in sign.finditer(text) for length in (0, 1, 2)}
    return matches_at(pattern, text, sorted(places))
