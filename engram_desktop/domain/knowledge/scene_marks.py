"""By which words a message tells that somebody comes or goes, or that the scene changes."""

from __future__ import annotations

import re

from engram_desktop.domain.text.phrases import Phrases

_NEAR = (
    "身边|身旁|身后|身前|面前|跟前|桌|窗|床|门口|门边|门前|旁边|这里|这儿|这边|耳边|前面|后面|一旁"
    "|柜台|炉"
)
# The scene becomes another one: place, time, or both.
CHANGES = Phrases(
    r"第[一二三四五六七八九十百\d]{1,4}(?:[幕章回]|[场节](?=[ ：:】，]))|画面[一转切]|与此同时"
    r"|同一时[间刻]"
    r"|另一[边处](?=[，,：:])|第[一二两三四五六七八九十百千\d]{1,6}天|次日"
    r"|翌日|隔天|当[晚夜天]"
    r"|(?:几|数|两|三|半|一|十|[\d]{1,3})个?(?:天|日|周|星期|月|年|小时|钟头|时辰|多月"
    r"|分钟)(?:之?后|过去)"
    r"|不久之?后|过了(?:几|好几)[天日周月年个]|场景[:：切转]|地点[:：]|时间[:：]|镜头[一切转]"
    r"|视角[:：切转]"
    rf"|(?:来|回|赶)到了?(?!{_NEAR})|到达|抵达|走[出进]了?(?!来)|离开[^，。]{{1,8}}(?:后|时|的时候)"
    r"|(?:大?门|房门)(?:合上|关上|带上)(?:之?后|的)|等[^，。]{1,8}(?:走远|离开|走后|出去|走了)"
    r"|[走离][开远去]?(?:之后|以后|后[，,])|脚步声(?:远去|消失|渐渐)|人都?走[了光]|散[了场会]"
    r"|挂[断了掉](?:了)?电话|电话挂|我们(?:走|离开|动身|出发|上路)|回程|路上",
    r"(?:scene|act|chapter) (?:\d+|[ivx]+|one|two|three|four|five)|time ?skip|later(?=,)"
    r"|meanwhile|elsewhere|the next (?:day|morning|evening|night)|the following \w+"
    r"|later (?:that|the same) \w+|that (?:night|evening|afternoon)|\w+ (?:minutes?|hours?|days?"
    r"|weeks?|months?|years?) (?:later|after)|scene:|location:|at the same time|back (?:at|home)"
    r"|back in (?:the|her|his|their|my)"
    r"|arrives? at the|once (?:\w+ ){1,3}(?:leaves?|left|gone|is gone|has gone|are gone)"
    r"|after (?:\w+ ){1,3}(?:leaves?|left|gone)"
    r"|when (?:\w+ ){1,3}(?:has left|have left|is gone|are gone)"
    r"|the door (?:closes|shuts|clicks shut) behind|hangs? up",
)
# So does a line of dashes, or one that stands in brackets: a place.
RULES = re.compile(
    r"^[ \t]*(?:(?:[-*=~—_·.][ \t]*){3,}$|#{1,6}[ ]|【[^】\n]{1,40}】[ \t]*$"
    r"|\[[^\]\n]{1,60}\][ \t]*$)",
    re.MULTILINE,
)
# At the very start of a message a time of day begins a scene.
OPENS = re.compile(
    r"[\s*（(【\[]*(?:今天|昨天|这天|那天|第二天)?(?:清晨|早晨|早上|上午|中午|正午|午后|下午|傍晚"
    r"|黄昏|日落|入夜"
    r"|夜里|夜晚|深夜|半夜|午夜|晚上|凌晨|黎明|放学|下班|打烊|散会|周[一二三四五六日末]|星期"
    r"|[春夏秋冬][天日季]"
    r"|(?:at|over|after|during|before) (?:lunch|dinner|breakfast|supper)\b|(?:[早午晚]饭|早餐"
    r"|午餐|晚餐)[时后前]"
    r"|(?:(?:at|around|about|near|towards?|by|before|after) )?(?:dawn|noon|midday|dusk|sunset"
    r"|sunrise|midnight|night(?:fall)?)\b|(?:early |late )?(?:in the )?"
    r"(?:morning|afternoon|evening)\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)",
    re.IGNORECASE,
)
# The player, called “you”, is told not to be there.
AWAY = Phrases(
    r"你(?:走|离开|离去|出门|睡着|睡下|睡熟|入睡|昏迷|转身)(?:了|之|以)*后|等你(?:走|睡|离开|出门"
    r"|转身)|你不在(?:的时候|时|家|场)"
    r"|你(?:睡着|睡熟|昏迷|离开)(?:的时候|时)|目送你|趁你(?:睡|不|离|昏|没)|背着你|你听不[见到]"
    r"|你没听[见到]",
    r"after you(?:'ve| have)? (?:leave|left|go|gone|fall asleep)|while you(?:'re| are)? (?:sleep"
    r"|away|gone|asleep"
    r"|out|not looking)|once you(?:'re| are|'ve| have)? (?:gone|left|leave|asleep)|behind your back"
    r"|out of your (?:sight|hearing)|you (?:can't|cannot|don't) hear|without you",
)
# A narrator who begins with a place tells of another scene; whoever does so by a well-known one.
PLACE = re.compile(
    r"[\s*（(【\[]*[^，。“”：:\n]{1,14}(?:里|上|中|内|外|门口|旁|边|下|处|前|室|馆|店|房|台|楼|院"
    r"|园|街|路|厅|港|崖|窖)[，。]"
    r"|[\s*(\[]*(?:in|at|on|inside|outside|under|behind|near) (?:the|a|an|his|her"
    r"|their) [^.\n]{1,40}[,.]",
    re.IGNORECASE,
)
KNOWN_PLACE = re.compile(
    r"[\s*（(【\[]+[^，。“”：:\n]{0,8}(?:教室|办公室|天台|走廊|操场|厨房|房间|卧室|客厅|酒馆|医院"
    r"|图书馆|公园|学校|宿舍"
    r"|车站|咖啡馆|餐厅|院子|森林|城堡|王宫|小卖部|书房|地下室|海边|码头|渡口)(?:里|上|中|内|外"
    r"|门口)?[，。]"
)
# Nobody but those named is there.
ALONE = Phrases(
    r"独自|独处|孤身|一个人(?:待|留|坐|站|走|在|靠|躺|守)|只剩[下了]?(?:[他她我你自]"
    r"|[^，。]{0,14}(?:一个?人|两个?人|二人|俩))|四下无人|空无一人"
    r"|没有(?:别人|旁人|其他人)|只有[我你他她]?们?(?:两个?人|俩|二人)|二人独处|单独(?:相处|在一起"
    r"|见面)|没人的"
    r"|(?:两人|二人|两个人)(?:来到|站在|走到|躲|独|坐在|进了)|无人的"
    r"|[把将拉拽带领][着住]?[^，。；“”]{1,8}(?:[拉拽叫带]到|走到|来到|去了?"
    r"|进)[^，。；“”]{0,6}"
    r"(?:一旁|一边|角落|旁边|屋檐下|走廊|门外|僻静|没人|阳台|屋外|外面|楼梯|无人|隔壁|里屋|暗处"
    r"|树下)"
    r"|你走后|你离开后|你不在",
    r"alone|by (?:him|her|my)self|just the two of|no one else|nobody else"
    r"|in private|(?:pull|take|draw|lead|follow|drag)s? [^.!?,;\"“”]{1,30}"
    r" (?:aside|into (?:a|the) corner|outside|upstairs|out (?:to|into|on))",
)
ENTERS = Phrases(
    r"推门|推开[^，。]{0,6}门|进来|进了|走进|走入|步入|踏进|闯进|冲进|冲上|跑进|溜进|回来|出现"
    r"|赶来|赶到|到来|到了"
    r"|走过来|跑过来|走上前|凑过来|凑上|探出|探进|加入|走来|跑来|过来|迎上来|带着|跟着|也在|在旁"
    r"|站在|坐在|靠在"
    r"|蹲在|躺在|守在|等在|插[嘴话]|(?:说|问|道|答|喊)(?=[：:，。])|接过|递给|端[来着上]",
    r"enters?|entered|arrives?|arrived|joins?|joined|walks? in|walked in|comes? (?:in|back)"
    r"|came (?:in|back)|steps? in(?:to)?|bursts? in|appears?|appeared|returns?|returned|shows? up"
    r"|showed up|is (?:here|there|sitting|standing|leaning|waiting)|sits|stands|follows|says|asks"
    r"|replies|answers",
)
LEAVES = Phrases(
    r"[叫带抬接送赶支哄打发]走(?:了|[，。]|$)|支开|甩[开掉]|而去|下线|走[到向][^，。]{0,4}(?:门外"
    r"|屋外|外面)|听不[见到](?!的)|耳机|离开|离去|离席"
    r"|走了(?<![啄带拿抢偷夺取吃牵抱接叼卷吹运送搬吸撕飞溜]走了)(?=[，。！？…”*\s]"
    r"|$)|走出|走掉|出门|出去|跑出|冲出|退出|退下|告辞|告退|告别"
    r"|回(?:了|到)?(?:房|家|去|屋|宿舍|自己的?[房屋家住宿]|岗|衙|营|楼上|店里)|上楼|下楼|下山"
    r"|下台|溜[走下出了]|走开|退场|离场|散去|转身就走|扬长而去|夺门而|拂袖|消失在|走远|远去"
    r"|先走|睡了过去|睡着|睡熟|昏[了迷]过?去?|昏倒|晕倒|去(?:睡|洗澡|值班|巡逻|上班|上课|买|取|拿"
    r"|厨房|后院|后厨)",
    r"(?:footsteps|steps) (?:fade|recede|die)|(?:drives?|drove|rides?|rode|runs?|ran) (?:off"
    r"|away)|(?:called|led|taken) away"
    r"|out of (?:the room|earshot|hearing)|(?:fallen|is|are|was) asleep|headphones|can't hear"
    r"|door behind|leaves?|left the|left for|walks? (?:out|off|away)|walked (?:out|off|away)"
    r"|heads? (?:home|out|upstairs|off|back|to bed)|headed (?:home|out|upstairs|off|back|to bed)"
    r"|exits?|storms? (?:out|off)|slips? (?:out|away)|goes? (?:home|upstairs|out|to bed)|went"
    r" (?:home|upstairs|out|to bed)|departs?|disappears?|excuses? (?:him|her|my|them)sel\w+"
    r"|steps? out"
    r"|steals? (?:away|off|out)|goes (?:below|inside|ashore|back)|climbs? down|retires?"
    r"|falls? asleep|fell asleep|passes out",
)
# So said, who speaks goes along: “she pulls Bert out of the room”.
TOGETHER = Phrases(
    "拉着|带着|牵着|拽着|拖着|扶着|抱着|陪着?|和|跟|与|同|领着",
    r"with|pulls|drags|takes|leads|and|follows",
)
# Said before the word, it did not happen.
NOT_YET = re.compile(
    r"(?:没有?|不|别|未|想要?|要|准备|打算|刚要|正要|正想|若|如果|等|敢|肯|愿意?|舍得|可以|能|会"
    r"|勿|何时|什么时候"
    r"|让|叫|请|(?<![a-z])(?:not|n't|to|will|would|could|can|never|if|about to|wants to|don't|let)"
    r")\s*(?:再|就|先|马上|就这么|这么)?\s*$",
    re.IGNORECASE,
)
# So said, it was another time.
LONG_AGO = re.compile(
    r"当年|以前|曾|从前|昨[天晚夜]|上次|总是|经常|往日|小时候|生前"
    r"|(?<![a-z])(?:once|used to|always|often|had|last)(?![a-z])",
    re.IGNORECASE,
)
SAYS_GOING = Phrases(
    r"我(?:就|得|要|该)?先?(?:走|回去|回家|回房|告辞|撤|失陪|出门|上楼|去睡|回店|回岗"
    r"|去忙)了?(?:[。，！~]|$|吧|先)"
    r"|先走[一了]步|我?先?(?:睡|休息|歇)了|晚安|失陪|告辞|我去去就|我(?:先|得|要|出)?去(?:一下"
    r"|一趟|个|接|打|拿|取|买|睡|洗"
    r"|上|找|看看|端|叫)|出去(?:一下|接|打)"
    r"|拜拜|再见|明天见|回头见|改天见",
    r"I(?:'m|'ll| am| have to| should| must| need to| had better)"
    r" (?:be |get )?(?:going|leav\w+|off|head\w*|go)|good ?night|see you|goodbye|bye|brb"
    r"|(?:be )?right back|back in a \w+|gotta go"
    r"|excuse me (?:a|for a)|need a (?:minute|moment)",
)
OVERHEARS = Phrases(
    r"偷听|躲在|藏在|贴在门|门外听|听[得见到]了?(?:一清二楚|清清楚楚|全部|每一个字)|无意中?听"
    r"|正好听|恰好听|隔着[门墙]",
    r"overhears?|overheard|eavesdrop\w*|listens? (?:at|behind|from)|hid(?:es|den|ing)? behind"
    r"|behind the (?:door|curtain)",
)
# Such a word alone tells of anything, a sound or a ship: somebody must be named with it.
GOES_FAR = frozenset(("走远", "远去", "消失在", "disappears", "disappear", "went out"))
HE = re.compile(r"我|他|她|(?<![A-Za-z])(?:I|he|she|they)(?![A-Za-z])", re.IGNORECASE)
# Before a name: something is done to or said to somebody who is there.
TOWARDS = re.compile(
    r"(?:对着?|向着?|朝着?|给|看着|望着|看向|望向|扫过|瞪着?|拍拍?|扶着?|扶住|抱住|抱着|拉着|拉住"
    r"|牵着|挽着|问|回答"
    r"|(?<![a-z])(?:to|at|beside|towards?|asks?|tells?|hugs?|nods? to))\s*(?:了|过|the )?$",
    re.IGNORECASE,
)
# “…” says Clara.
SAYS = re.compile(r"(?:^|\s)(?:says|asks|replies|answers|said|asked|replied)\s+$", re.IGNORECASE)
SPEAKS = re.compile("[^。！？“”:：]{0,20}(?:说|道|问|答|喊)[：:]")
AFAR = re.compile(
    r"电话|短信|微信|消息|写信|来信|照片|画像|墓|梦|想起|想到|写给|寄给|隔着|远处"
    r"|(?<![a-z])(?:phone|text|message|letter|photo|picture|grave|dream|remember|call)",
    re.IGNORECASE,
)
WITH = re.compile(
    r"(?:和|跟|同|与|带着|拉着|陪着?|牵着|扶着|with|and|、)\s*(?:the )?$", re.IGNORECASE
)
YOU = Phrases("你", r"you(?:r|rs|'re|'ll|'ve)?")
NARRATORS = frozenset(
    "旁白 叙述者 叙事者 说书人 系统 主持人 narrator system storyteller gm dm kp note".split()
)
