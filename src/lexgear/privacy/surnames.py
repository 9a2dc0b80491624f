"""Chinese surnames, and the characters and words around a name that tell it from other words."""

from __future__ import annotations

import re

_COMPOUND = (
    "欧阳|上官|司马|诸葛|司徒|皇甫|夏侯|东方|尉迟|公孙|慕容|令狐|宇文|端木|百里|东郭|南宫|"
    "呼延|闻人|独孤|轩辕|淳于|单于|太史|申屠|公羊|澹台|钟离|完颜|拓跋|第五|赫连"
)
COMPOUND_SURNAMES = frozenset(_COMPOUND.split("|"))
SINGLE_SURNAMES = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳"
    "酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞熊"
    "纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯昝管卢莫房裘缪干解应宗丁贲邓郁单"
    "杭洪包诸左石崔吉钮龚程嵇邢滑裴陆荣翁荀羊惠甄曲家封芮羿储靳汲邴糜松井段富巫乌焦巴弓牧隗山谷车侯宓蓬全郗班秋仲伊宫宁仇"
    "栾暴甘厉戎祖武符刘景詹龙叶幸司韶郜黎蓟薄印宿白怀蒲邰从鄂索咸籍赖卓蔺屠蒙池乔阴胥苍双闻莘党翟谭贡劳逄姬申冉宰郦雍"
    "璩桑桂濮牛寿边扈燕冀郏浦尚农温庄晏柴瞿阎慕连茹习宦艾鱼容向古易慎戈廖庾暨衡步耿弘匡国文寇广禄阙东殴殳沃蔚"
    "夔师巩厍聂晁勾敖融冷訾辛阚那简饶曾毋沙乜鞠丰巢关蒯查荆红游竺权逯盖桓岳帅缑亢况琴商牟佘佴伯墨哈谯笪"
    "阳佟肖闫付代覃兰苑仝邸揭禤粟涂亓迟展初原候户苟矫隋佀撒拉缐芦盘邝朴楚门虎辜鄢楼丛尧凃宛冼鹿茆麦雒仵漆欧区丘蹇仉郇晋谌钦顼闾钭郤郧鄞豆"
)
HAN = "[\u3400-\u4dbf\u4e00-\u9fff]"
SURNAME = f"(?:{_COMPOUND}|[{''.join(sorted(SINGLE_SURNAMES))}])"
"""Pattern of a surname."""

NEVER_SURNAMES = frozenset(
    "人给与是到了将的在后对为由让员受实过子同及打找叫长取被友知着说理有把见系以民跟致日因犯经亲村使用来出得中排入问帮现求定夫还弟"
    "道偿要主助诉者但上警至板识留年去儿哥带听住朝工欠趁记名据姐称迫表骗认间砸月约照走且窃请妻绍天托伤害予下机证号往线组事获送而婆"
    "购集骂前父控载部或镇女替押胁借开妹收按当即看砍告乡报县公学我份室意故次局属接止坐除摸回示等领书纳居击市刺处午合括随持某乘妇"
    "叔禁佣会喊述制总驶织进起疑其训场客案归晚外究怕街吓派劝发队行导复死就唤这守面舅踢决自办坏伙媳此待果劫踹监指右踪充近好供造做"
    "如赶讲完掉底久举追然他她它妈分站婿挥象交赔望含催个甥拨陪城放样救院所兄内冒园始字命社庇信辱款们拿议店离话调姑荐捕侄众映另头"
    "检量心奸加构捅非府觉口抓醒咐体厂杀断里一二三四五六七八九十爸贿位教务逼遇吻嫂服凭准伐责目虑旁情想委罚租湾促旬唬绑拖爷擦瞒提作夺婶无侧扯"
    "置响两几各每该不也并又再均已未都只仅小老大最更太很"
)
"""Characters that often precede a name and are not surnames: in 被害人赵某 the name begins after 人."""

_NO_NAME = (
    "家[属中庭人里用族的]|从[轻重事中未不宽上原各电停陆而此]|户[籍口]|钱[款包财物是]|申[请报诉]|支[付出持配]|全[部身额体]|"
    "索[要取赔贿]|应[当对为予该选共依认承向以按属分判在追]|关[于押系]|何[其必如]|连[带夜续同]|单[位独方]|明[知确]|"
    "原[则审因始先被系告]|殴|常[住会见驻年]|房[间产屋]|阴[道部]|车[辆上主内]|强[奸行迫烈制]|时[任用手法所他查间]|成[立为功]|符合|"
    "双[方手目腿眼脚]|平[时分]|商[议谈量]|尚[未不有]|左[手侧脚右上额胸顶脸眼肩臂腿耳胫股肘腕膝]|拉[走扯上到]|皮肤|查[获扣看]|安[装排]|施[工加救]|"
    "任[意职何]|严[重惩]|宿舍|金[融条钱额]|马上|付[出款]|初犯|怀孕|高[息额]|包[扎括]|代[理为偿表]|印证|权[利益]|陆续|国[家外]|"
    "边上|司法|管理|门诊|干部|屈服|毕业|容留|解[决除]|勾结|曾[经因在多于]|那里|和[被辩原其同就证自伤正]|"
    "向[其本法被公他她居原附]|于[是当案次同年]|暨|陈[述诉]|花卉|方[提各证面]|计算|展开|广[东西州]|江[苏西门南]|山[东西]|云南|"
    "宁波|苏州|杭州|武汉|常州|沈阳|吉林省|东莞|安徽|项目|党[员委]|席位|印[章刷]|连云港|农[村民]"
)
NO_NAME_WORD = re.compile(_NO_NAME)
"""Words whose first character is also a surname, where the end of a name is certain."""
NO_NAME = re.compile(f"{_NO_NAME}|.[的了在与和对是被将及其他她]")
"""Beginnings of words that follow a role although their first character is also a surname: 被告人应当, 被害人家属."""

OFTEN_WORDS = frozenset("和于从向时初原应曾连全")
"""Surnames that are mostly words of their own: if a word follows, they are taken for a name only if it is repeated."""

ENDS_NAME = frozenset("犯与和及于在因的系对将为等向至到以把被从均未已曾还又经持并伙称供不是有也提辩驾窜趁采之其")
"""Characters that often follow a name and are seldom its last character."""

RELATION = (
    "(?:朋友|好友|同事|同学|邻居|室友|舍友|工友|网友|牌友|战友|老乡|老板|房东|租客|店主|包工头|老师|学生|经理|会计|出纳|医生|护士|教练|丈夫|妻子|老公|老婆|"
    "[前亡]夫|[前亡]妻|[男女]朋?友|儿子|女儿|儿媳|女婿|父亲|母亲|爸爸|妈妈|哥哥|弟弟|姐姐|妹妹|[表堂][哥弟姐妹]|侄[子女]|外甥女?|叫做)"
)
"""Words before a person whom a layperson names: 邻居王强. Many other words may follow them too."""
MOSTLY_NAMES = frozenset(
    "王李张刘陈杨赵吴周徐孙朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜苏魏吕丁沈姚卢姜崔谭陆汪范廖贾夏韦邹孟熊秦邱尹薛闫侯陶黎贺龚邵"
)
"""Surnames that begin few verbs, adverbs and adjectives."""


def no_name_before(sign: str) -> re.Pattern[str]:
    """Return the words that are no names before the sign of a note; before a bracket 王在稳 is one."""
    return NO_NAME_WORD if sign in "（(" else NO_NAME


def surname(name: str) -> str:
    """Return the surname that a name begins with, or its first character.

    >>> surname("欧阳明"), surname("王强"), surname("买吾拉·麦麦提")
    ('欧阳', '王', '买')
    """
    known = re.match(SURNAME, name)
    return known[0] if known and len(known[0]) < len(name) else name[:1]
