"""Words that look like names: a surname and characters of given names.

They were collected from what the rules found in statutes, which name no persons, and in everyday texts. The segmenter's
dictionary takes many of them for names.
"""

_WORDS = (
    "万幸 乐天 乐意 乔木林 习武 从军 从善 从宽 从良 付清 伯伯 余震 储水池 充满 全程 全英 关怀 军士 "
    "农家乐 冷藏 列兵 刚玉 单航 卫星 双全 双喜 双飞 吉祥 和军 和平 和睦 和美 和谐 和顺 咸潮 唐山 国华 "
    "国国旗 国旗 国歌 天亮 学科 安全 安宁 安定 安庆 安康 安心 安阳 安静 安顺 宗祠 富强 富裕 寿星 封志 "
    "封航 小康 小雨 山峰 山林 山河 山泉 山洪 岩柱 师傅 师德 常德 干净 干满 干练 平安 平静 康乐 康健 "
    "弘扬 张家港 强健 强壮 强盛 德才 慈善 成全 成名 成年 成才 拉新 文学 文明 文献 文艺 新兵 方圆 时兴 "
    "时刻 明亮 明星 明显 明智 晋升 暴雷 暴风雨 望风 权威 查明 查清 桂林 桂花 楼栋 武林 毛竹林 水晶 水泉 "
    "水银柱 江东 江北 江南 江瑶 江阴 沙河 河沙 洪峰 海洋 温州 温泉 滑雪 玉溪 田野 白云岩 白酒 盖章 石材 "
    "石林 石桥 石榴 石灰 石英 石英岩 祖国 祖母 祝寿 科学 童年 童星 竹林 繁荣 红旗 红树林 红金龙 纪念堂 "
    "纪念章 罗丹明 罗汉松 花光 花卉 花园 花季 花生 花钱 英勇 荣军 蓝光 许诺 谈成 连环 连胜 连选 迟延 "
    "金华 金红利 金英 金银 金银花 钱花 钱财 银花 阳光 阴凉 阴沉 雷管 雷达 马力 马桶 高压 高尚 高峰 高昂 "
    "高明 高水平 高超 麦克风 麦苗 黄玉 黄珍珠 黄酒 齐全"
)
NAME_LIKE_WORDS = frozenset(_WORDS.split())
