"""By which words a turn is told to be one of many: it moves a number, and is no memory."""

from __future__ import annotations

from engram_desktop.domain.text.phrases import Phrases

# The intent of a turn, and the phrases of it.
ROUTINES: tuple[tuple[str, Phrases], ...] = (
    (
        "headpat",
        Phrases(
            r"摸{1,3}(?:了)?(?:摸)?(?:一?[摸下])?(?:你|她|他)?的?(?:小)?(?:头|脑袋|脑瓜|头发|猫)"
            r"|摸头|再摸|揉了?揉?.{0,4}(?:头|发|脑袋)"
            r"|拍了?拍.{0,3}头|撸猫|挠了?挠",
            r"(?:head)?pats?|headpats|pats? (?:\w+ )?head|ruffles?|strokes? (?:\w+ )?hair"
            r"|scratches behind|good (?:girl|boy|kitty)",
        ),
    ),
    (
        "gift",
        Phrases(
            r"送(?:你|给|她|他)|给你(?:带|买|拿|的)?|带了(?:你|一)|递给|递过|(?:放"
            r"|摆)到.{0,6}(?:桌|手|面前)|礼物|收下",
            r"gives? (?:you|her|him) (?:a|an|some|the)|hands? (?:you|her|him)|(?:bought|got"
            r"|brought|made) you"
            r"|here you go|a (?:little )?(?:gift|present) for you",
        ),
    ),
    (
        "feed",
        Phrases(
            r"喂(?:你|她|他|食)|啊——|张嘴|倒了?(?:一)?杯|趁热|吃饭(?:了吗|啦|咯)|多喝热水"
            r"|夹(?:了)?菜|盛了?.{0,2}(?:汤|饭)",
            r"feeds?|say ah|pours? (?:you|her|him)|careful, it's hot|eat up",
        ),
    ),
    (
        "good_night",
        Phrases(
            r"晚安|早点睡|好梦|睡吧|盖好被子|关掉床头灯",
            r"good ?night|sweet dreams|sleep (?:well|tight)|night night",
        ),
    ),
    (
        "greeting",
        Phrases(
            r"早安|早上好|早呀?[，。！~啊]|午安|中午好|下午好|晚上好|你好[呀啊]?|嗨|哈喽"
            r"|我回来[啦了]|我出门[啦了]|我走[啦]|明天见|拜拜"
            r"|待会见|一会儿见|辛苦[啦了你]|欢迎回来|路上小心",
            r"good (?:morning|afternoon|evening|day)|morning|hello|hi|hey|i'm (?:home|back)|bye"
            r"|see you"
            r"|welcome (?:back|home)|have a (?:nice|good|great) (?:day|night|one)|waves",
        ),
    ),
    (
        "cuddle",
        Phrases(
            r"抱抱|抱一?[下个]|抱住|[捏戳揉](?:了)?[捏戳揉]?.{0,4}(?:脸|鼻|腮|耳)?|戳戳|捏捏|贴贴"
            r"|蹭蹭|牵(?:起|着|住).{0,3}手|么么|亲亲"
            r"|亲(?:了)?亲?.{0,3}(?:额头|脸|手背|头发)|拍{1,2}了?拍?.{0,3}(?:肩|背)|勾.{0,2}手指",
            r"hugs?|cuddles?|boops?|pokes?|pinch(?:es)? (?:\w+ )?cheeks?|holds? (?:\w+ )?hand"
            r"|nuzzles?"
            r"|kiss(?:es|ed)? (?:\w+ )?(?:cheek|forehead|hand|nose|hair)|snuggles?",
        ),
    ),
    (
        "thanks",
        Phrases(r"谢谢|多谢|谢[啦了]|加油", r"thanks?(?: you)?|thx|cheers|good luck|well done"),
    ),
    (
        "nod",
        Phrases(
            r"点{1,2}了?点?头|笑了?笑|微笑|耸肩|挥{1,2}手|眨{1,2}眼|嗯|哦|好[的呀啊吧]|^行[吧啊]?"
            r"|哈哈|嘻嘻|嘿嘿",
            r"nods?|smiles?|grins?|shrugs?|ok(?:ay)?|lol|haha\w*|yes|yeah|yep|sure|mhm|hm+|winks?"
            r"|giggles?",
        ),
    ),
)
ASSENTS = Phrases(
    r"^[\W]*(?:嗯+|好+[的啊呀吧]?|可以|行|愿意|我愿意|是|不|不要|不行|不愿意|对不起)[\W]*$",
    r"^[\W]*(?:yes|yeah|ok(?:ay)?|i do|i will|no|never|sorry|of course)[\W]*$",
)
ASKS = Phrases(
    r"[？?]|(?:怎么|什么|为什么|哪|谁|几|多少)(?!都|也|这么|那么)|(?:吗|呢|么)(?:[。~，！]|$)",
    r"what|why|how|who|where|which|when(?= (?:do|did|is|are|will))|\?",
)
