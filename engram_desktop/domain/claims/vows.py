"""Whether a spoken sentence binds its speaker: a vow, an appointment or a threat, by its grammar.

These forms bind: a deed for the hearer with its due time, an important deed with “will”, a deed
ruled out for good, harm under a condition, a meeting at a time. Deeds done at once, hoped for,
past, considered, asked for, or of another person do not bind.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from engram_desktop.domain.claims.hinted_rules import Marker

# --- Chinese: speaker, due time, deed ---

_I = (
    r"(?:我们?|咱们?|俺|朕|孤|寡人|哀家|本(?:宫|座|王|帝|尊|官|将军?|少爷?|小姐|姑娘|公子|大爷"
    r"|尊者)"
    r"|老(?:夫|子|娘|身|朽|衲|奴)|在下|为(?:师|父|娘)|弟子|徒儿|奴(?:婢|才|家)|贫(?:道|僧|尼)"
    r"|臣妾?|微臣|属下|末将"
    r"|小(?:人|的|女子|生|弟|妹)|晚辈|洒家|鄙人|妾身?|姑奶奶|大爷我|爷)"
    r"(?!的|老板(?!娘)|上司|同事|朋友|领导|[爸妈爷奶叔舅姑姨哥姐爹娘])"
)
_DAY = (
    r"(?:明|后)(?:天|日|晚|早|儿|晨|夜|年|个)|今(?:晚|夜|儿晚上)|(?:下|这|本)?(?:个)?(?:周|星期"
    r"|礼拜)[一二三四五六日天末]"
    r"|下(?:次|回|周|个?月|个?学期|星期|礼拜|半年|班)|来(?:年|日|世|生)|(?:年|月|周)底|寒假|暑假"
    r"|开春|入[春夏秋冬]"
    r"|(?:半|[一二两三四五六七八九十百几\d]+)(?:天|日|年|个?月|个?时辰|个?小时|分钟|炷香|周"
    r"|个星期|刻钟)(?:之?[后内]|以[后内])"
    r"|[一二三四五六七八九十\d]+月(?:初|底|[一二三四五六七八九十\d]+)?"
    r"|(?<![一])[子丑寅卯辰巳午未申酉戌亥]时|[一二三四五]更|天[黑亮]|日[出落]|午夜|黄昏|黎明|正午"
    r"|(?<![有了那这])[一二两三四五六七八九十\d]{1,3}点(?![也都儿点头])|中秋|端午|重阳|除夕|元宵"
    r"|清明|春节|过年|国庆|元旦|圣诞|七夕|第一[次场个回天]"
    r"|(?<!从)(?:你|您)的?生[日辰]|有朝一日|总有一天"
)
_ONCE = (
    r"(?:^|[，,。！!：:“「\s])(?:等|待)(?!等|[一会]|着|待)[^，,。！!？?]{2,14}?(?:[，,]"
    r"|[了后完](?:班|课|学|工)?(?=我|就|再"
    r"|给|便)|(?=就|便|再给|我[^，,。！!？?]{0,2}(?:请|给|带|陪|教|还|送|帮|替|娶|嫁)[你您]))"
    r"|(?:^|[，,。！!：:“「\s])[^，,。！!？?我你他她]{1,6}(?:完|好|成)了?(?=我就|就)"
    r"|(?:^|[，,。！!：:“「\s])[^，,。！!？?我你他她]{1,8}了[^，,。！!？?我你他她]{0,3}[，,]"
    r"(?=我第一件事)"
    r"|[^，。！？]{2,10}(?<![我你他她们实久在])(?:之前|以前|之后|以后(?=我|再)|前(?=[，,]|我))"
)
_TIME = re.compile(rf"{_DAY}|{_ONCE}")
_FOR_YOU = (
    r"(?:给|替|为|帮|陪|带|送|还|请|教|接|娶|嫁|收|救|保|等|告诉|放|寄|赔|养|赢|迎"
    r"|(?:做|讲|留|唱|写|弹|跳|画|念|买|煮|炖|烤|缝|绣|织|打|酿|烧)给)"
    r"(?:着|了|回|到|好|出|给)?(?:你们?|您|妳|娘娘|[陛殿阁]下|皇上|师[父傅叔尊娘姐兄]|掌门|大人|主子)"
)
# important deeds: with “will” alone they bind
_WEIGHTY = (
    r"(?:回来(?!了)|回家(?!了)|回山|回京|带[^，。]{1,6}(?:回|走|离开|逃|出去|去看)|来接"
    r"|去接[^，。]|娶|嫁给|迎娶|还(?:给|你|清|钱|上)"
    r"|找(?:到|出|回)|查(?:到底|清|明|出|个)|夺回|抢回|杀了?|报仇|复仇|报(?:这|此)|雪恨|讨回|打败"
    r"|击败|战胜|救(?:活|出|你|他|她|回)|治好|医好|解[^，。]{0,4}毒"
    r"|护(?:你|住|着|送)|守(?:住|护)|保(?:你|住|护|全)|揭(?:发|穿|露)|公之于众|传(?:下去|给你|授)"
    r"|送(?:你|到|回|去)|交(?:给|到|还)|教你|请你"
    r"|写(?:好|完|给|的)|做(?:给|到)|赔(?:给|你)|补(?:上|给|偿)|偿命|奉还|付出代价|陪葬|跪着"
    r"|不得好死|碎尸|扔(?:下|进|掉)|丢进|烧(?:了|成|掉)|毁了"
    r"|收[^，。]{1,4}为徒|为[^，。]{1,4}(?:报|讨|赎)|替[^，。]{1,6}(?:报|讨|找|守|交|还|办)"
    r"|自首|投案|认罪|赔罪|坦白|作证"
    r"|改(?:掉|好)|戒(?:掉|烟|酒|了)|攒够|赢回|等(?:你|着你))"
)
_WILL = (
    r"(?:一定|必定|必将|绝对|肯定|定然|早晚|迟早|终究?|总|亲自|亲手)*(?:会|要|定|必|当|将|一定"
    r"|早晚|迟早|亲自|亲手)(?:会|要|将|叫|让|能)*"
)
_NEVER = (
    r"(?:再也不(?!用|必|是|需|见得)(?:会|敢)?|再不|绝不(?:会)?|决不(?:会)?|绝对不会|永远不会"
    r"|永远都不会|永不"
    r"|(?<=[以今往]后)(?:什么|谁)?(?:都|也)?不(?:会|再)*(?=[瞒骗欺赌]|离开|丢下|撒谎|喝酒|抽烟)"
    r"|死也不(?:会)?|一辈子(?:都)?不(?:会)?"
    r"|说什么也不(?:会)?|此生(?:绝|定|必)?不|不会(?=把|让|丢下|抛下|扔下|离开|告诉|说出去|伤|负"
    r"|骗|害|忘|抛弃|放弃|放过|再|逃|走))"
)
_NOT_OWNED = r"(?![^，。！？]{0,2}的[。！？，”」])"  # 人是我杀的: a past deed
_HARM = (
    r"(?:打断|打死|打爆|杀了?|宰了?|剁了?|砍了?|卸(?:了|下|你|掉)|烧了?|扔|丢(?:进|下|出)|揍"
    r"|扒了?|割了?|撕(?:了|烂)|毁了?|灭了?|废了?|弄死|埋了?|拧(?:断|下)"
    r"|掐死|踢|送你[上去]|要(?:你|了你)|拆了?|捏碎|打得|抽(?:死|你)|砸(?:了|烂)|卖(?:了|到)"
    rf"|告(?:发|官)|报警|血洗|屠){_NOT_OWNED}"
)

_BINDS_ZH = Marker(
    # an important deed of the speaker with “will”
    rf"(?:^|[，,：“”「。；！\s]){{0,1}}(?:(?<![跟和给对为把被让叫替你他她向])){_I}(?:就|也|还|自"
    rf"|明[天日早]|今[晚夜]|现在)?{_WILL}[^，。！？你他她]{{0,10}}?{_WEIGHTY}"
    rf"|{_I}(?:就|也|必|定)*{_WILL}[^，。！？]{{0,4}}(?:给|替|为|帮|带"
    rf"|向)[^，。！？]{{1,8}}?{_WEIGHTY}"
    rf"|{_I}(?:必|定|誓|早晚|迟早|总有一天)[^，。！？]{{0,8}}(?:首级|性命|狗命|人头|代价|十倍"
    rf"|百倍|加倍|叫|让你|让她|让他|杀|手刃|救|取|报|护)"
    rf"|{_I}(?:替|帮)你(?:交|送|守|照看|保管|报|办|转|扛|垫|还|讨|看着)|{_I}给你(?:介绍|打听|寄"
    rf"|留|攒)"
    # in exchange for something
    rf"|你(?:就)?(?:帮|给|替|陪)我[^，。！？]{{1,8}}[，,]我(?:就)?(?:教|给|帮|送|请|陪|带|还|替)你"
    rf"|{_I}保(?:你|您)[^，。！？]{{0,6}}(?:命|安|平安|全家|周全|无恙|富贵)"
    # ruled out for good
    rf"|(?:^|[，,。：“「\s](?:{_I}?(?:这辈子|今生|这一世|今后|以后|往后|从今往后|从此|从今以后))?"
    rf"|{_I}[^，。！？你他她它]{{0,8}}?){_NEVER}(?![是很能有结变老消懂明知存])[^，。！？]{{1,}}"
    rf"|(?:谁|任何人|一个人|半个字|一个字)[^，。！？]{{0,3}}(?:也|都)?(?:不会?|绝不)(?:告诉|说|讲"
    rf"|让|透露|丢|放)"
    rf"|没(?:有)?人(?:能|敢|可以)[^，。！？]{{0,8}}(?:踏|伤|碰|动|进|欺|带走|夺)"
    rf"|便不会让|就不会让|(?:从今往后|从今以后|以后|今后|从此)[^。！？]{{0,3}}(?:有我"
    rf"|我[^，。]{{0,3}}(?:护|保|陪|养|罩|照顾))"
    # harm, under a condition or at some time
    rf"|(?:再|敢|否则|不然|若不?|要是|不[^，。]{{1,6}}[，,])[^。！？]{{0,16}}[，,]?\s*(?:{_I}"
    rf"|看我|信不信我|小心我)(?:就|便|必|定|非|要|会)*(?:把你|让你|将你"
    rf"|叫你)?[^，。！？]{{0,3}}{_HARM}"
    rf"|(?:不了|不到|不成|没有?[^，。]{{1,6}}|不[^，。]{{1,6}})[，,][^，。！？]{{0,5}}{_I}(?:就"
    rf"|便|立刻|马上)"
    rf"(?:把|将|跟|和)?[^，。！？]{{0,6}}?(?:{_HARM}|解散|开除|辞退|辞职|分手|离婚|退出|走人|绝交"
    rf"|断绝|撤资)"
    r"|(?:早晚|迟早|总有一天|定要|必要|定叫|必叫|定让|一定要|非要)[^，。！？]{0,10}(?:奉还|偿命"
    r"|付出代价|不得好死|后悔莫及|陪葬|血债|碎尸)"
    # before a god or a grave
    r"|以[^，。]{1,8}(?:之名|的名义|起誓|为誓)|对(?:天|着?[^，。]{1,6})(?:起誓|发誓|立誓)"
)
# a deed for the hearer, which is a promise if it has a due time
_BENEFIT_ZH = Marker(
    rf"{_FOR_YOU}|{_I}[^，。！？]{{0,10}}(?:打开|看完|杀|劫)|{_I}[^，。！？]{{0,2}}去(?:找|取|拿"
    rf"|查|杀|救|探|劫|接|请|求|抓)|{_I}(?:会)?把[^，。]{{2,}}"
    rf"|取你|等你|还你|让你[^，。]{{0,6}}(?:付|看|知道)"
)
_MEETS_ZH = Marker(
    r"(?:口|里|下|外|前|边|旁|上|头|站|馆|店|楼|庙|亭|山|场|城|桥|巅|处|岸|校|堂|园"
    r"|院)[^，。！？次]{0,4}(?<!次)(?<!再)(?:(?<![看遇听撞碰瞧望梦])见(?!面|到|过|了)|等你|碰头"
    r"|会合|集合|相见|碰面|见面|候着"
    r"|恭候)"
    r"|你(?:们)?(?:一个人)?(?:过|出)?来(?:一下|一趟|找我)|老地方|不见不散|碰头|会合"
    r"|决(?:一)?(?:胜负|死战|高下|雌雄)|再战|一(?:战|决)"
    r"|与你[^，。]{0,4}战"
    r"|等(?:你|您)(?!的(?:消息|回复|好))"
    r"|取你(?:性命|狗命|人头)|劫营|动手|攻城|出发|动身|启程|(?:我们|咱们)[^，。！？]{0,4}(?:结婚"
    r"|成亲|私奔|拜堂)|开城门"
)
# Everyday words that bind without “will”: to take on a task, to treat a person, to pay back.
_BEGINS = r"(?:^|[，,。！!；;：:“「\s])"
_EVERYDAY_ZH = Marker(
    rf"包在{_I}身上|{_BEGINS}(?:这件?事儿?|那件?事儿?|剩下的事?|其余的|都|就|全)+交给{_I}(?!的)"
    rf"|{_BEGINS}交给{_I}(?:吧|就行|就好|好了|来办)?[。！!…~～”」]*$"
    rf"|{_I}(?:会|一定|绝对|肯定|什么都会)?(?:替[你您他她]们?)?(?:保密|守口如瓶)|烂在{_I}?肚子里"
    rf"|{_I}(?:绝|一定|肯定)?(?:谁|任何人|什么|一个字|半个字|一句)?(?:也|都)?不会?(?:说|讲|告诉)"
    r"(?:出去|漏嘴)?的?[。！!…~～”」]*$"
    rf"|{_BEGINS}我(?:一定|肯定|准|会)+(?:去|来|到)的?[。！!…~～”」]*$"
    rf"|(?:{_DAY})[^，,。！!？?]{{0,4}}我们?(?:一定|肯定|会)*[准按]时(?:去|来|到)(?![了过])"
    r"|(?:改天|改日|回头|下次|下回|有空)我?(?:一定|再|好好|就)*请[你您]们?(?:去|来)?(?:吃|喝"
    r"|看(?!看)|玩|搓)"
    rf"|{_BEGINS}(?:我们|咱们|咱俩|来|那就?|好)*拉[钩勾](?:上吊(?!的|过|时)|[，,]?(?:一百年|谁"
    rf"|不许))"
    rf"|{_BEGINS}(?:{_DAY}|[^，,。！!？?我你您他她它的]{{1,6}}(?:之?前|以前|之?内))"
    r"[^，,。！!？?我你您他她它]{0,3}(?:一定|肯定|保证|准)会?(?:如数|全部|都|亲自|亲手)?"
    r"(?:还(?![是有会要能在没得不])|赔|付|交)(?:清|上|给)?(?:[你您他她]们?"
    r"|钱)?[^，,。！!？?是]{0,3}[。！!…~～”」]*$"
    rf"|{_BEGINS}(?:一定|肯定|保证)会?还[给清]?[你您他她]",
    hints="准时|按时|我会|我一定|我肯定|我准|包在|交给|保密|守口|肚子里|说|讲|告诉|请|拉钩|拉勾|还|赔|付|交",
)
_SUPPOSED = re.compile("如果|要是|假如|假使|可能|也许|[他她]说|以为|小时候|的时候|那时|当年")
_SOME_DAY = re.compile(r"改天|改日|有空")
_NO_TREAT = re.compile(r"哈|呵|嘿嘿|客气|[吗？?]")
_NOT_ZH = re.compile(
    # past, or done at once
    r"已经?|刚才|刚刚|曾经?|当年|当初|那时|昨[天日晚夜]|本来|原本|早就|(?:过|到|完|好|来|去|走"
    r"|给了你?)了[。！~～”」]*$|过了|过[。！]"
    r"|这就|马上|立[刻即]|现在就|先(?:去|给|帮|把)|我(?:来|去)(?:给|帮)"
    r"|我(?:周|星期|礼拜)[一二三四五六日天末](?!.*(?:就|再|会|要|一定))[^，,。！!？?]{1,12}[了过]"
    r"(?:你|他|她|它)?们?(?=[，,。！!]|$)"
    # considered, hoped, supposed
    r"|期待|(?:等|待)我[^，。]{1,8}[来时]，(?!我|就|咱)|天天|每天|下次(?:再|见|聊)|再(?:聊|见)"
    r"|准备|打算|计划|是否|必须|让我们|(?:方法|办法|机会|话题)|今天|所以|特意"
    r"|一起[^，。]{0,8}吧(?![，,][^。]*[点时]在)|你(?:也|就)?(?:可以|能)|(?:请|一定要|记得"
    r"|务必)(?:答应|小心|注意|告诉我|保重|记)|联系我"
    r"|确保|可能|也许|或许|大概|尽量|尽力|试试|希望|但愿|但求|恨不得|想[必要象]|应该|说不定|不知"
    r"|如果|假如|假使|早就|差点|本想|祝|相信|觉得|认为"
    # of another person, or general information
    r"|(?:老师|老板|经理|队长|医生|师父|师傅|大人)说了?[，,：:]"
    r"|(?:他|她|爸|妈|爹|娘|有人|人们|对我|跟我|和我)(?:曾|还|也|总)?[^，。]{0,4}(?:说|讲|答应)"
    r"|说[，：:]|欢迎|服务|竭诚|光临|惠顾|修行|人生"
    r"|不能|不可以|不得不|别让|别把|要不是|谢谢|感谢|听说|据说|为什么|怎么|什么时候|谁敢|哪"
    r"|(?:失望|后悔|努力|加油|珍惜|支持|陪伴|改天|有空|改日)"
)
_YOU_DO_ZH = re.compile(
    r"^[“「\s，]*(?:好|嗯|那|行|别怕|放心)?[，,]?(?:你们?|您|他们?|她们?|它)(?:就|也|都|还|可"
    r"|一定|早晚|迟早|明天|今晚|下次)*(?:会|要(?!是)|能|必|将|得|可以|一定)"
    r"|等[你您][^，。！？我]{1,14}，(?:再|就|要|记得)?[来回]来?(?:给|看|找|告诉|见)(?![你您])"
)

# --- English ---

_WILL_EN = r"(?:I|we)(?:['’]ll| will| shall|['’]m (?:going to|gonna)| am going to|['’]re going to)"
_TIME_EN = re.compile(
    r"\b(?:(?:the )?first (?:weekend|day|night|chance|thing|sunday|morning)|tomorrow|tonight"
    r"|(?:on |next |this |by |until )?(?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)day"
    r"|next (?:time|week|month|year|term|spring|summer|autumn|fall|winter)|at (?:dawn|noon"
    r"|midnight|dusk|sunset|sunrise|first light|midsummer|midwinter|the end of)"
    r"|at (?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d+)(?! (?:of|percent))"
    r"|midnight"
    r"|(?:with)?in (?:\w+ )?(?:an?|one|two|three|four|five|six|seven|ten|\d+) (?:\w+ )?(?:hours?"
    r"|days?|weeks?|months?|years?)"
    r"|(?:a|one) (?:year|month|week) from (?:today|now)|by (?:the )?(?:\w+ )?(?:end of|dawn|noon"
    r"|morning|night|winter|spring|summer|autumn|christmas|friday|then)"
    r"|by (?:spring|winter|summer|autumn|nightfall|sundown|morning)|before (?:dark|dawn|winter"
    r"|spring|summer|the \w+ is out|the \w+|\w+ (?:comes|ends|falls))"
    r"|(?:for|at|over|on) (?:christmas|easter|thanksgiving|new year|your birthday|the holidays)"
    r"|from now on|in the morning|in the spring|one of these days"
    r"|when (?:the|you|your|i['’]?m?|we|it|this)\b|after (?:the|this|that|we|you|work|your)\b"
    r"|as soon as|once (?:the|you|your|this|i|we|it)\b|some ?day|the moment"
    r"|(?:two|three|four|five|seven|ten) (?:days|weeks|months|years))\b",
    re.IGNORECASE,
)
_DEED_EN = (
    r"(?:bring|take|give|get|make|build|find|save|put|write|send|cook|bake|buy|pay|repay|teach"
    r"|marry|carry|lead|fix|mend|return|deliver|cover|open|finish|visit|meet|fight|drive|pick"
    r"|help|introduce|testify|vouch|speak (?:up )?for|stand up for"
    r"|show|tell|fetch|come|be (?:back|home|there|here|outside|at|waiting)|have|see|keep|throw"
    r"|free|walk|sew|plant|stay|quit|stop|go (?:with|look|to|after)|wait)"
)
_WEIGHTY_EN = (
    r"(?:come back|come for|be back|be home|be there for your|return|bring (?:you|him|her|them|it"
    r"|the|back|your)|get (?:you|him|her|them|every|all of you|us) (?:\w+ ){0,3}(?:home|out|back"
    r"|through|there)"
    r"|take (?:you|him|her|them|us) (?:\w+ )?(?:home|away|with me|there|to|over|back|on)"
    r"|find (?:whoever|who|him|her|them|out who|the (?:killer|man|one|cure|truth|thief|murderer)"
    r"|your|you)"
    r"|kill|avenge|save|free|rescue|cure|heal|defeat|destroy|ruin|hunt|protect|guard|keep (?:you"
    r"|him|her|them|your|this|the) (?:\w+ )?(?:safe|secret|room|warm|for|out of)"
    r"|marry|pay (?:you|him|her|them|it|for|every|back|off|that|this|your|his|their)|repay"
    r"|give (?:you|him|her"
    r"|them) (?:\w+ ){0,3}(?:back|sword|everything|home)|put (?:this|that|the|it) |throw (?:the"
    r"|this|it|you|that) (?:\w+ )?(?:in|into|to)"
    r"|see (?:that|to it|you|him|her|them) (?!soon|later|then|around|what|how|if|when)"
    r"|have (?:your|his|her|their|the \w+['’]s) (?:head|life|heart|blood|hide)|write (?:that|the"
    r"|you a) |bake|buy you|teach you|make (?:you|him|her|them|it) (?:pay|up|right|sorry|proud)"
    r"|open the (?:gate|door)|follow (?:this|that|the \w+) .{0,12}(?:end|through)|tell (?:the"
    r"|them|him|her|everyone|everybody) |put (?:it|this) right|quit|stop (?:drink|smok|gambl)"
    r"|finish (?:this|it|him|the)|make (?:this|it|things) right|cover your|stand by you"
    r"|wait for you|fight you|find you)"
)
_HARM_EN = (
    r"(?:kill|break|burn|gut|skin|throw|hang|shoot|drown|bury|cut|tear|rip|sell|snap|smash|crush"
    r"|beat|slit|feed|have|scream|tell|call the|report|end|destroy|ruin|make (?:you|him|her))"
)

_BINDS_EN = Marker(
    rf"\b{_WILL_EN}(?: (?:personally|always|surely|certainly|definitely|myself|just"
    rf"|so))? {_WEIGHTY_EN}"
    rf"|\bI can (?:get|bring|have|deliver|find) [^.!?]{{1,30}} (?:for|to) you (?:by|before"
    rf"|tonight|tomorrow)\b"
    rf"|\bI can and I will\b|\bI['’]m (?:coming (?:back )?for you|getting (?:every|you|all|us|him"
    rf"|her|them)\b.{{0,30}}\b(?:home|out|back)|taking you (?:home|away|with)|not (?:leaving"
    rf"|going to (?:leave|let|tell|give))\b|done with (?:\w+ing|the|you))"
    rf"|\b(?:I|we)(?: won['’]t|['’]ll never|(?: will| shall) (?:never|not)"
    rf"|['’]m never going to) (?:ever |let you |let (?:him|her|them|anyone|anybody|that) |tell"
    rf"|leave|hurt|harm|betray|abandon|touch|put |rent|see (?:him|her|them)|drink|smoke|forgive"
    rf"|rest until|stop until|give up on|lie to you again|breathe a word|say a word|break|sell"
    rf"|rest)"
    rf"|\b(?:I|we)(?: won['’]t|['’]ll (?:not|never)| (?:will|shall) (?:not|never)) (?!be\b|have\b"
    rf"|know\b"
    rf"|need\b|say\b|lie\b|deny\b|pretend\b|argue\b|see you\b"
    rf"|keep you\b)\w+[^.!?]{{0,50}}\b(?:again|ever"
    rf"|tonight|until|till|any ?more|on my own|as long as|while)\b"
    rf"|\bI['’]m (?:reporting|suing|firing|divorcing|evicting|cutting) (?:you|him|her|them)\b"
    rf"|\bI['’]m calling the (?:cops|police|guards?|law)\b"
    rf"|\b(?:no one|nobody|no \w+|not one|not a \w+|none of you)\b[^.!?]{{0,30}}\b(?:shall|will"
    rf"|gets?|lays?|touch(?:es)?|harms?|ever)\b[^.!?]{{0,40}}\b(?:while (?:I|the|my)|as long as"
    rf"|you|from now)"
    rf"|\b(?:I|we)['’]d never (?:let you|leave|hurt|harm|betray|abandon|tell|forgive|sell|break)"
    rf"|\bwhile I (?:live|breathe|stand)\b|\bas long as I (?:live|breathe|stand)\b"
    rf"|\bfrom now on (?:no|I|we)"
    rf"|\b(?:or|and|again|word|else|peep|step)(?: and"
    rf"| or)? (?:so help me )?{_WILL_EN} {_HARM_EN}\b|\bor I (?:burn|kill|break|shoot|cut|hang)\b"
    rf"|\b(?:you|he|she|they)(?:['’]ll| will| shall) (?:pay|answer|burn|hang|regret|rue"
    rf"|die) (?:for|the day|by my)\b"
    rf"|\b(?:dinner|drinks?|lunch|the first round|breakfast|it|that|this one)(?:['’]s| is"
    rf"| are) on me\b"
    rf"|\b(?:you['’]ll|you shall|you will) (?:have|get) (?:my|your|it|the|them)\b[^.!?]*\bby\b"
    r"|\bby (?:the|my)\b[^,.!?]{2,30}\bI (?:swear|vow)",
    re.IGNORECASE,
)
_EVERYDAY_EN = Marker(
    r"(?<!said )(?<!says )\b(?:(?:my|our) lips are sealed|your secret(?:['’]s| is) safe)\b"
    r"|^\W*not a (?:word|soul)(?: (?:to|from) [\w ]{2,20})?(?:, \w+)?,? I (?:swear|promise|vow)\b"
    r"|\bI(?:['’]ll| will) keep (?:it|this|that) (?:a secret|secret|quiet|to myself|between us)\b"
    r"|\bconsider it done\b"
    r"|\bleave (?:it|that|this|everything|the rest|him|her|them) to me(?=[.!,;]|$)"
    r"|\byou can (?:always )?(?:count|rely|depend) on me(?=[.!,;]|$)"
    r"|\bI(?:['’]ll| will) see to it\b(?! that you)"
    r"|\b(?:you|he|she|they)(?:['’]ll| will) [^.!?]{3,60}, (?:[A-Z]\w+, )?I (?:promise|swear)\b"
    r"|\bI promise(?: you)?,? (?:that )?(?:you|he|she|they|nobody|no one)(?: all| both)? (?:"
    r"walks? (?:out|free|away)|gets? (?:out|home|paid|your|through)|leaves? (?:here|alive|free)"
    r"|comes? (?:home|back|out)|goe?s? (?:free|home)|lives?(?=[.!,;]|$)|makes? it|hurts? you"
    r"|touch(?:es)? you|keeps? (?:your|the))\b(?![^.!?]*\b(?:every|always))"
    r"|\bI(?:['’]ll| will) (?:get|bring|send|return|have|mail|hand) [^.!?]{1,40} (?:(?:back )?to"
    r"|for) you\b[^.!?]{0,12}\b(?:soon(?! enough)|shortly)\b",
    re.IGNORECASE,
)
_BENEFIT_EN = Marker(
    rf"\b{_WILL_EN}(?: (?:personally|definitely|even|also|just|still))? (?!(?:let you know|try"
    rf"|check|be (?:sure|fine|able)|need|see (?:how|what|if)|think|look|keep|make sure|have to"
    rf"|want|consider|start|do|show|send|take a|get a|talk|give (?:it|that)|go\b(?! (?:with"
    rf"|to the|look|after))))"
    rf"{_DEED_EN}\b[^.!?]{{0,60}}\b(?:you|your|back|home|he|she|him|her|them|it|this|there"
    rf"|outside|at|water|draft|gates?|needles)\b"
    rf"|(?<!\bas )(?<!\bwhen )(?<!\bonce )(?<!\btill )(?<!\buntil )(?<!\bafter )(?<!\bbefore )"
    rf"\bI['’]m (?:back|home)\b(?! (?:in the|at the|with)\b)"
    rf"|\bI['’]m (?:cooking|paying|driving|coming|taking|bringing|buying|marrying|telling)\b"
    rf"|\bwe(?:['’]ll| will)? (?:hit|leave|strike|attack|ride|march|move|go|meet|run|get married"
    rf"|marry|fight|settle|finish)\b",
    re.IGNORECASE,
)
_MEETS_EN = Marker(
    r"^[“\"\s*]*(?:(?:tomorrow|tonight|midnight|noon|dawn|\w+day|in (?:\w+) (?:days|weeks|months"
    r"|years))\b[,. ]*)+(?:at \w+|then)?[,. ]*(?:three days from now|from now)?[^.!?]{0,6}\b(?:at"
    r"|by|on|in|behind|under|outside) the [^.!?]{3,60}[.!,]"
    r"|\b(?:[Mm]eet|[Ff]ind) me (?:at|by|in|on|under|behind|outside|near|there|here)\b"
    r"|\b[Cc]ome to (?:the|my) [^.!?]{3,40}\b(?:tonight|tomorrow|midnight|noon|dawn|at \w+)\b"
    r"|\bwe finish this\b|\b(?:I['’]ll|we['’]ll) meet\b"
    r"|\blet['’]s (?:go|meet|have|leave)\b.*\b(?:\w+day|tomorrow|tonight|noon|midnight|at \w+)\b",
    re.IGNORECASE,
)
_NOT_EN = re.compile(
    r"\b(?:maybe|perhaps|might|probably|hope(?:fully)?|I (?:think|guess|suppose|wish|bet|doubt"
    r"|believe)|if I|would(?:n['’]t)? have|was going to|used to|I ?could|try to|right away"
    r"|right now|in a moment|in a (?:sec|minute)|at once"
    r"|told me|once told|said (?:that|he|she|they)|always will|you will do|welcome|happy to serve"
    r"|(?:don['’]t|do not) know (?:how|what|where|when|who|if|whether)|not sure (?:how|what|if)"
    r"|can['’]t wait|looking forward|wondering (?:if|whether)|sign that|let me|let you down|take"
    r" you up|make sure|if you (?:like"
    r"|want|need)|do my best|sounds? (?:good|great)|this time around)\b",
    re.IGNORECASE,
)

_FIRST_ZH = Marker(
    ".",
    hints="我|咱|本|老|在下|为师|弟子|朕|孤|臣|见|等|不|早晚|迟早|一起|取|替|给|陪|战|决|为|请|带|送|教"
    "|放",
)
_TIMED_ZH = Marker(
    ".",
    hints="第一件|明|后|今晚|今夜|今儿|周|星期|礼拜|下次|下回|下个|下学|下半|下班|来年|来日|来世|来生|底|假|春|秋|冬|夏|内|前|等|待|月|时|更"
    "|黑|亮|日出|日落|午|黄昏|黎明|点|中秋|重阳|除夕|元宵|节|过年|国庆|元旦|圣诞|七夕|生日|生辰"
    "|有朝|总有|完了|好了|成了",
)
# of deeds that bind without a time
_WILL_ZH = Marker(
    ".",
    hints="帮我|给我|替我|陪我|会|要|定|必|当|将|早晚|迟早|亲|誓|保你|保您|替你|帮你|给你|再也|再不|绝|决|永|死也|此生|没人"
    "|没有人|不告诉|不说|不让|打断|杀|就|以|对|谁|任何|半个字|护|保|敢|否则|不然|小心|有我|奉还"
    "|偿命|守|不",
)
_FIRST_EN = Marker(
    ".",
    hints="i'll|i’ll|i will|i shall|i'm |i’m |we'll|we’ll|we will|we shall|let's|let’s|i won"
    "|i’d never|i'd never|nobody|no one"
    "|will pay|'ll pay|’ll pay|shall|on me|dawn|noon|midnight|swear|vow|promise|i can "
    "|while i |or i |you'll have|you’ll have"
    "|i'll not|i’ll not|meet me|find me|come to|i'm back|i’m back|i'm home|i’m home"
    "|we finish|we hit|we leave|we strike|we ride|we fight|we meet|we go ",
)


MARKERS_ZH = (_FIRST_ZH, _TIMED_ZH, _WILL_ZH, _BINDS_ZH, _BENEFIT_ZH, _MEETS_ZH, _EVERYDAY_ZH)
MARKERS_EN = (_FIRST_EN, _BINDS_EN, _BENEFIT_EN, _MEETS_EN, _EVERYDAY_EN)
BINDING = (*MARKERS_ZH[3:], *MARKERS_EN[1:])  # one of them matches every binding sentence


Search = Callable[[Marker], re.Match[str] | None]


def binds(text: str, search: Search, *, is_zh: bool) -> bool:
    """Return whether a sentence binds its speaker; ``search`` finds a marker in it."""
    if is_zh:
        return _binds_zh(text, search)
    if search(_EVERYDAY_EN):
        return _NOT_EN.search(text) is None
    if search(_FIRST_EN) is None:
        return False
    is_due = (search(_BENEFIT_EN) or search(_MEETS_EN)) and _TIME_EN.search(text)
    return bool(is_due or search(_BINDS_EN)) and _NOT_EN.search(text) is None


def _binds_zh(text: str, search: Search) -> bool:
    everyday = search(_EVERYDAY_ZH)
    if everyday and not (_SOME_DAY.search(text) and _NO_TREAT.search(text)):
        told = text[everyday.start() :]
        return not (_SUPPOSED.search(text) or _NOT_ZH.search(_SOME_DAY.sub("", told)))
    if search(_FIRST_ZH) is None:
        return False
    is_due = search(_TIMED_ZH) and (search(_BENEFIT_ZH) or search(_MEETS_ZH)) and _TIME.search(text)
    if not is_due and not (search(_WILL_ZH) and search(_BINDS_ZH)):
        return False
    return _NOT_ZH.search(text) is None and _YOU_DO_ZH.search(text) is None


_KIND = re.compile(
    r"欢迎|竭诚|服务|不能让|期待|希望|好奇|答应我|向我保证|\bI['’]ll believe\b|\bpromise me\b",
    re.IGNORECASE,
)


def is_only_kind(text: str) -> bool:
    """Return whether a sentence with “surely” or “never” is polite, or a wish."""
    return _KIND.search(text) is not None


# Oaths about a state, said out of kindness, or exaggerated.
_IDLE = re.compile(
    r"(?:保证|保管|包你|发誓)[^，。]{0,4}(?:[你您谁它]|这)[^。]{0,12}(?:好[吃喝看听玩]|喜欢|满意"
    r"|爱上"
    r"|忘不了|过瘾|舒服|[吃喝见尝听][^，。]{0,2}(?:一[口次回]|过))"
    r"|保证(?:好[吃喝看听玩]|[香甜]|不(?:疼|痛|苦|酸|辣|咸|好吃))"
    r"|(?:我|人家)[就要真快会都得]*(?:[饿笑困气撑累热冷急]?死|疯|吐|爆炸|窒息)(?:了|给你看)"
    r"|不活了|跟你(?:拼了?|急了?|没完)(?=[。！，”]|$)|要是我死|(?:我死(?:了|后)|死后)[^。]{0,4}把我"
    r"|赏光|赏脸|好好招待|恭候|款待|做东"
    r"|\bI(?:['’]ll| will| shall| would|['’]d)(?: just| simply| surely| probably)? (?:die\b(?! for"
    r"| before| with)|burst|explode|scream|faint|cry\b|starve|throw up|be sick|lose my mind"
    r"|go (?:mad|crazy|insane))"
    r"|\b(?:promise|swear|guarantee)(?: you)?,? (?:that )?(?:you|it|this|that|these|they|there|he"
    r"|she)(?: \w+)?(?:['’](?:ve|s|re)| is| are| was| were| has| have| had| tastes?| smells?)\b"
    r"(?!.*\b(?:last time|again)\b)"
    r"|\byou(?:['’]ll| will) (?:love|like|enjoy|thank me|never (?:taste|want|guess))"
    r"|\bbe right (?:with you|back|there|over|down|out|up)\b",
    re.IGNORECASE,
)
# Things that are certain, belief praised or requested, and permanent feelings.
_OF_HEART = re.compile(
    r"^[^我]*一定还(?:有|会|是|在|能|要|没)[^我]*$|^[^我]*[你您他她][^我，,]{0,8}(?:说到做到"
    r"|说话算[话数]|守信|言而有信)[^我]*$"
    r"|^(?!.*(?:发誓|保证|答应|起誓)).*我[^，,。！!？?]{0,6}不会?(?:再)?"
    r"(?:忘[记掉了]?(?:[你您他她]们?|今[天日夜晚]|这[^，,。！!]{0,6})?的?|(?:怪|怨|恨|嫌弃|后悔"
    r"|介意|讨厌)"
    r"[^，,。！!？?]{0,6})[。！!…~～”」]*$"
    r"|^(?!.*\b(?:swear|promise|vow)\b).*\b(?:I|we)(?:(?:['’]ll| will| shall) (?:never|not)"
    r"|[ ]won['’]t)(?: ever)? (?:forget(?! to)|regret|hate|blame|miss|understand|like|love)\b",
    re.IGNORECASE,
)
_LAUGHS = re.compile(
    r"笑[成得骂嘻着闹出弯]|破涕为笑|噗|扑[哧嗤]|(?<![冷狞嘲奸阴讥惨苦])笑(?:了|\*)|娇嗔|嗔怪"
    r"|捶了?[^。]{0,3}一|咯咯|哈哈|玩笑|打闹|挠|\b(?:laugh|giggl|chuckl|grinn|teas|wink|jok)\w*",
    re.IGNORECASE,
)
_HARMS = re.compile(
    rf"{_HARM}|拼了|饶不了|\bI(?:['’]ll| will|['’]m (?:going to|gonna))(?: \w+)? {_HARM_EN}\b",
    re.IGNORECASE,
)


def is_idle(text: str) -> bool:
    """Return whether an oath is about a state, is politeness, or is an exaggeration."""
    return _IDLE.search(text) is not None or _OF_HEART.search(text) is not None


# A quotation opened where a speech begins, and not closed: a letter read aloud.
_READS = re.compile(
    r"[“「\"]\s*[‘『][^’』“”\"]*[\u4e00-\u9fff][^’』“”\"]*$|[“「\"]\s*[‘『]$"
    r"|[“\"]\s*['‘](?:(?![.,!?]['’](?:\s|$))[^“”\"])*$"
)


def is_playful(quote: str, around: str) -> bool:
    """Return whether words are not serious: harm amid laughter, or a letter read aloud."""
    if _HARMS.search(quote) is not None and laughs(around):
        return True
    first = quote.strip()
    at = around.find(first) + len(first) - len(first.lstrip("'‘『"))
    return _READS.search(around[: max(at, 0)]) is not None


def laughs(around: str) -> bool:
    """Return whether a person laughs or teases in the words around a speech."""
    return _LAUGHS.search(around) is not None


def due_in(text: str, *, is_zh: bool) -> str:
    """Return the words of a sentence for its due time, or ""."""
    when = (_TIME if is_zh else _TIME_EN).search(text)
    return when[0] if when is not None else ""


def is_vow(quote: str) -> bool:
    """Return whether words are a promise: to break one is not a lie."""
    is_zh = not quote.isascii() and "’" not in quote
    return binds(quote, lambda marker: marker.search(quote), is_zh=is_zh)
