"""English words for how much there is, when something is, and who is called what."""

from __future__ import annotations

from engram_desktop.domain.claims.states_en import NUM

_DET = r"(?:[Tt]he|[Mm]y|[Yy]our|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir|[Tt]his|[Tt]hat|[A-Z]\w+['’]s)"
_NAMED = r"(?: (?-i:[A-Z])[\w'’]+)?"
_THING = rf"(?P<t>{_DET} (?:[\w'’\-]+ ){{0,2}}?[\w\-]+){_NAMED}"
_STOP = (
    r"(?=\s*(?:[,.;:!?\"”*)—]|$)| (?:on|in|at|around|round|strapped|slung|tied|from|that|which|who"
    r"|to|over|under|through|up|down|out|off|with|like|right|and|but|now|when|as|for|because|by"
    r"|back"
    r"|again|before|after|near|of|so|everywhere|instead|once|then|across|along|about|against"
    r"|without|until|left|last|this|yesterday|today|away)\b)"
)
_NUMBER = (
    rf"(?:[$£€]?\d+(?:,\d{{3}})*(?:/\d+)?|(?:{NUM})(?: (?:hundred|thousand|million|dozen"
    rf"|score))?(?: and (?:{NUM}))?)"
)
_FEW = (
    r"(?:(?:about|around|only|just|barely|exactly|over|nearly|some|still|maybe|roughly|a full) )?"
)
_COUNTED = (
    rf"(?P<v>{_NUMBER}) (?P<t>(?:[a-z][a-z\-]+ ){{0,2}}?[a-z][a-z\-]+)(?=\s*(?:[,.;:!?\"”*)—|\]]|$)"
    r"| (?:left|remaining|in|on|of|to|for|at|from|and|but|when|now|living|with|under|aboard|strong"
    r"|after|before|or|that|who)\b)"
)
_EVENT = (
    r"(?P<t>(?:(?:[Tt]he|[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir) |(?-i:[A-Z])\w+(?: "
    r"(?-i:[A-Z])\w+)?['’]s )?"
    r"(?:[\w\-]+ )?(?i:wedding|trial|launch|duel|exams?|test|heist|meeting|hearing|execution"
    r"|hanging"
    r"|baby|term|ball|party|deadline|manuscript|flight|race|dance|concert|gig|game|match|tournament"
    r"|funeral|festival|coronation|election|interview|appointment|surgery|operation|date|dinner"
    r"|performance|premiere|opening|auction|sale|attack|assault|raid|ship|boat|train|bus|caravan"
    r"|convoy|departure|ceremony|feast|rehearsal|audition|class|lesson|session|reunion|vote|visit"
    r"|trip|mission|expedition|voyage|payment|delivery|shipment|report|essay|thesis|show|graduation"
    r"|christening|ritual|summit|parley|exchange|inquest|inspection|evacuation|landing|column"
    r"|reinforcements|move|move-in|viewing|check-up|holiday|vacation)|(?:the|my|our|your|his|her"
    r"|their)"
    r" [a-z]+)"
)
_DATE = (
    r"(?:(?:the )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh"
    r"|twelfth|\w+teenth|twentieth|twenty-\w+|thirtieth|thirty-first|\d+(?:st|nd|rd|th))\b(?: day)?"
    r"(?: of \w+)?|\w+day\b(?: night| morning| evening| afternoon)?|tonight|tomorrow|dawn|noon"
    r"|midnight|sunrise|sunset|dusk|\d{3,4} (?:hours )?on [\w ]{3,20}"
    r"|(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
    r"(?: (?:the )?\w+)?|spring|summer|autumn|winter|Christmas|Easter|New Year['’]s(?: Eve)?"
    rf"|\d{{1,2}}(?::\d\d)? ?(?:am|pm|o['’]clock)|(?:another |{NUM} (?:more )?)(?:days?|weeks?"
    rf"|months?))"
)

_AMOUNTS: tuple[tuple[str, str, str, str], ...] = (
    (
        "count",
        "has |had |have |'s got|’s got|'ve got|’ve got|holds |held |keeps |kept |carried |carries "
        "|got ",
        "is",
        r"(?:\b(?:has|had|have|holds|held|keeps|kept|carrie[sd]|got)|['’](?:s|ve) got)"
        rf" (?:a (?:crew|band|force|company|army|fleet|flock|herd|staff|garrison) of"
        rf" )?{_FEW}{_COUNTED}",
    ),
    (
        "count",
        "crew of|band of|force of|army of|fleet of|flock of|staff of|garrison of|company of",
        "is",
        r"\b(?:has|had|have|led|leads|commanded) (?:a|an) (?P<t>crew|band|force|company|army|fleet"
        r"|flock"
        rf"|herd|staff|garrison) of {_FEW}(?P<v>{_NUMBER})\b",
    ),
    (
        "count",
        "down to|left with|muster|stood at|stands at",
        "turns",
        r"(?:\b(?:is|was|are|were|am|get|got)|['’](?:s|m|re)) (?:now |already )?(?:down to|left"
        r" with)"
        rf" (?:his |her |my |your |our |their |the )?(?:last )?{_FEW}{_COUNTED}"
        rf"|\b(?:could|can) (?:only |barely )?muster {_FEW}(?P<w>{_NUMBER})",
    ),
    (
        "count",
        "left|remain|now",
        "turns",
        r"(?:\b(?:has|had|have|holds|held)|['’](?:s|ve) got) "
        rf"{_FEW}(?P<v>{_NUMBER}) (?P<t>(?:[a-z][a-z\-]+ ){{0,2}}?[a-z][a-z\-]+) (?:left|remaining"
        rf"|now)\b",
    ),
    (
        "remains",
        "left|remain",
        "changes",
        rf"(?P<v>{_NUMBER}) (?P<t>(?:[a-z][a-z\-]+ ){{0,2}}?[a-z][a-z\-]+?) (?:(?:were|was|are|is)"
        rf" )?"
        r"(?:left|remain(?:ed|s|ing)?)\b(?: to (?P<whom>(?-i:[A-Z])\w+|him|her|you|me))?",
    ),
    (
        "remains",
        "leaves|left",
        "changes",
        rf"\b(?:leaves|left|leaving) (?P<whom>(?-i:[A-Z])\w+|him|her|you|me) with {_FEW}{_COUNTED}",
    ),
    (
        "count",
        "spent|lost|used up|gambled|drank|burned through|blew",
        "over",
        rf"\b(?:spent|lost|used(?: up)?|gambled(?: away)?|drank|burned(?: through)?|blew|fired|shot"
        rf" off)"
        rf" (?:{_NUMBER} of|all(?: of)?|most of|half|the last of) (?:his|her|my|your|the) (?P<t>"
        rf"(?:[a-z]+"
        r" ){0,2}?[a-z]+)" + _STOP + "(?P<v>)",
    ),
    (
        "count",
        "broke|penniless|bankrupt|cleaned out|not a penny|ruined|skint|out of",
        "over",
        r"(?:\b(?:am|is|was|are|were|went|gone)|['’](?:m|s|re)) (?:\w+ly |flat |stone |dead )?(?:"
        r"(?P<t>broke|"
        r"penniless|bankrupt|skint|cleaned out)(?=\s*[.,;!?\"”*]|$| and| by)|out of (?P<v>ammo"
        r"|ammunition"
        r"|bullets|arrows|money|food|water|fuel|rounds|shells))",
    ),
    (
        "amount",
        "rent|price|bounty|fee|toll|wage|salary|fare|reward|ransom|debt|tuition|tax|bill|score"
        "|fortune"
        "|balance|savings|stake",
        "states",
        r"\b(?P<t>rent|price|bounty|fee|toll|wages?|salary|fare|reward|ransom|debt|tuition|tax|bill"
        r"|score"
        r"|fortune|balance|savings|stake)(?: on [^.,;!?]{2,25}?)?(?: (?:is|was|stood at|stands at"
        rf"|came to|comes to|ran to|were|are|was reckoned at)|['’]s|:) {_FEW}(?P<v>{_NUMBER}(?:"
        rf" [a-z]+)?)",
    ),
    (
        "amount",
        "rent|price|bounty|fee|toll|wage|salary|fare|reward|ransom|debt|tuition|tax|bill|score"
        "|stood at"
        "|balance|savings|stake",
        "changes",
        r"\b(?P<t>rent|price|bounty|fee|toll|wages?|salary|fare|reward|ransom|debt|tuition|tax|bill"
        r"|score"
        r"|balance|savings|stake)(?: on [^.,;!?]{2,25}?)?(?:(?: (?:is|was|has|had|have|were))?"
        r"(?: now)?(?: been)?|['’]s) (?:gone |went |rises? |rose |risen |f(?:ell|allen) |dropped "
        r"|jumped"
        r" |raised |lowered |cut |climbed |doubled |now |up |down |stood |stands )+(?:up |down )?"
        r"(?:to |at )?"
        rf"(?P<v>{_NUMBER}[\w\-]*(?: [a-z]+)?)",
    ),
    (
        "amount",
        "raised|lowered|cut |doubled|put the",
        "changes",
        r"\b(?:raised|lowered|cut|doubled|dropped|put|upped|slashed) (?:the|my|your|his|her|our"
        r"|their)"
        r" (?P<t>[a-z]+)(?: (?:on|for) [^.,;!?]{2,25}?)? (?:up |down )?(?:to|at)"
        rf" (?P<v>{_NUMBER}(?: [a-z]+)?)",
    ),
    (
        "amount",
        "held |holds |contained|contains|empty|bare",
        "states",
        rf"\b(?P<t>(?:[Tt]he|[Mm]y|[Oo]ur|[Hh]is|[Hh]er) (?:\w+ )?[\w\-]+) (?:held|holds|contained"
        rf"|contains)"
        rf" {_FEW}"
        rf"(?P<v>{_NUMBER} [a-z]+)",
    ),
    (
        "amount",
        "empty|bare",
        "ends",
        r"\b(?P<t>(?:[Tt]he|[Mm]y|[Oo]ur|[Hh]is|[Hh]er) (?:\w+ )?[\w\-]+) (?:is|was|stood|stands"
        r"|lay|lies|sat)(?:"
        r" open| wide"
        r"| and| quite| completely){0,3} (?P<v>empty|bare)\b",
    ),
    (
        "amount",
        "food|water|air|oxygen|fuel|power|supplies|money|rations|bread|grain|provisions",
        "",
        r"\b(?:got|have|has|had|was|were|is|are|['’]s) (?:only |just |enough |barely )?(?P<t>food"
        r"|water|air"
        r"|oxygen|fuel|power|supplies|money|rations|bread|grain|provisions) (?:left )?(?:for|to"
        r" last)"
        rf" (?P<v>{_NUMBER} (?:more )?(?:days?|hours?|weeks?|months?))",
    ),
    (
        "gauge",
        "hp|mp|mana|stamina|gold|credits|ammo|rations|fuel|water|oxygen|battery|phone|shields|hull"
        "|morale|food|level|lvl|xp|health|energy|power|charge",
        "",
        r"(?<![\w'’ ])(?:[\[|(*] ?)?(?P<t>HP|MP|Mana|Stamina|Gold|Credits|Ammo|Rations|Fuel|Water"
        r"|Oxygen"
        r"|Battery|Shields|Hull|Food|Health|Energy|Power|Charge)(?:\s*[:=]\s*| (?=\d))(?:(?P<o>"
        r"(?-i:[A-Z])"
        r"\w+) )?(?P<v>\d+(?:/\d+)?(?:%| [a-z]+)?)",
    ),
    (
        "gauge",
        "fuel|battery|phone|oxygen|power|shields|hull|charge|tank|ammo",
        "",
        r"\b(?P<t>fuel|battery|phone|oxygen|power|shields|hull|air|charge|tank|ammo)(?: (?:is|was"
        r"|are)"
        rf"|['’]s)?(?: now)? (?:down to|up to|at|on) (?P<v>{_NUMBER}(?:%| ?percent| ?per cent)?)",
    ),
    # when
    (
        "amount",
        "monday|tuesday|wednesday|thursday|friday|saturday|sunday|tonight|tomorrow|first|tenth"
        "|ninth"
        "|fourth|fifth|twelfth|dawn|noon|midnight|sunrise|sunset|dusk|january|february|april|june"
        "|july"
        "|august|september|october|november|december|christmas|easter|o'clock|set for|scheduled|due"
        " "
        "|opens on|planned for",
        "assigns",
        rf"\b{_EVENT}(?:(?: (?:is|was|are|were|will be|is to be(?: held)?|was to be(?: held)?|to"
        rf" be)|['’]s)(?: (?:set|scheduled"
        r"|fixed|due|planned|booked|expected|down))?|(?: (?:opens|begins|starts|leaves|sails"
        r"|departs|arrives"
        r"|takes place|is held|goes off)))(?: for| on| at| in| by| this| next| to be on| until)*(?:"
        r" \d{3,4}"
        rf" on)? (?P<v>{_DATE})",
    ),
    (
        "amount",
        "put off|postpone|moved|pushed|brought forward|reschedul|delay|shifted|deferr|instead",
        "reset",
        rf"\b{_EVENT}(?: (?:has|had|have|is|was|are|were|got|gets)|['’]s|['’]d)?(?: now)?(?: been)?"
        r" (?:put off|postponed|moved|pushed|brought forward|rescheduled|delayed|shifted|deferred"
        r"|changed)"
        rf"(?: up| back| on)?(?: to| until| till| for| by)?(?P<v> {_DATE}|)",
    ),
    (
        "amount",
        "put |move|postpone|push|bring|reschedul|delay|shift|change",
        "reset",
        r"\b(?:put|moved|postponed|pushed|brought|rescheduled|delayed|shifted|changed) "
        rf"{_EVENT}(?: off| up| back| forward)?(?: to| until| till| for) (?P<v>{_DATE})",
    ),
    (
        "amount",
        "cancel|called off|scrapped|is off|'s off|’s off|was off",
        "ends",
        rf"\b{_EVENT}(?:(?: (?:has|had|have))? (?:been|is|was)|['’]s) (?P<v>cancell?ed|called off"
        rf"|off|scrapped"
        r"|abandoned)\b",
    ),
    (
        "amount",
        "instead| now|not before|would not|will not|won't|won’t|for another",
        "reset",
        rf"\b{_EVENT}(?:(?: (?:is|was|are|would not|will not|begins|starts|sails|leaves|would)"
        rf"|['’]s|"
        rf" won['’]t)(?: \w+)?)(?: on| at| in| for)? (?P<v>{_DATE}) ?(?:instead|now|at the earliest"
        rf"|then)\b",
    ),
)

_PROPER = (
    r"(?:(?:the |an? )?(?:(?:plain|Miss|Mrs|Mr|Lady|Lord|Sir|Dr|Detective|Captain|Agent|Brother"
    r"|Sister|Countess|Count|Duke|Duchess|Baron|Queen|King) )*(?-i:[A-Z])[\w'’\-]+(?: (?:of )?"
    r"(?-i:[A-Z])[\w'’\-]+)*)"
)
_NAMES: tuple[tuple[str, str, str, str], ...] = (
    (
        "called",
        "now|from now on|changed|took the name|nobody called|goes by|any more|anymore|prefers"
        "|dropped",
        "turns",
        rf"(?:\bgoes by (?P<v>{_PROPER}) (?:now|these days)|\b(?:changed|legally changed) (?:his"
        rf"|her|my|its"
        rf"|their) name to (?P<w>{_PROPER})|\b(?:took|takes|has taken|had taken) (?:back )?the name"
        rf" (?:of )?"
        rf"(?P<x>{_PROPER}))",
    ),
    (
        "called",
        "call me|now|my name",
        "turns",
        rf"\b[Cc]all me (?P<v>{_PROPER})(?=[^.!?]{{0,20}}(?:now|from))",
    ),
    (
        "called",
        "any more|anymore|any longer",
        "over",
        rf"\b(?:called|calls?) (?P<whom>him|her|me|you) (?P<v>{_PROPER}) (?:any ?more|any longer)",
    ),
    (
        "called",
        "new name|new designation|new codename|new identity|new alias|true name|real name",
        "turns",
        rf"\b(?P<p>[Mm]y|[Yy]our|[Hh]is|[Hh]er) (?:new|true|real) (?:name|designation|codename"
        rf"|identity|alias"
        rf"|call sign)"
        rf"(?: is| was|['’]s) (?P<v>{_PROPER})",
    ),
    (
        "called",
        "name|handle|call sign|designation|alias|called",
        "is",
        rf"\b(?P<p>[Mm]y|[Yy]our|[Hh]is|[Hh]er) (?:name|codename|handle|call sign|designation"
        rf"|alias)(?: is| was"
        rf"|['’]s)"
        rf" (?P<v>{_PROPER})",
    ),
    (
        "called",
        "called|named|known as|billed as|answered to|answers to|goes by|went by|signed|registered",
        "is",
        rf"\b(?:(?:is|was|been) (?:called|named|known as|billed as|registered as)|answer(?:ed|s) to"
        rf"|goes by"
        rf"|went by|signed the register as|signed (?:himself|herself)) (?P<v>{_PROPER})",
    ),
    (
        "called",
        "called|everybody|they call",
        "is",
        rf"\b(?:called|calls?) (?P<whom>him|her|me|you) (?P<v>{_PROPER})",
    ),
    (
        "named",
        "called|named|known as|registered as",
        "states",
        rf"\b{_THING} (?:is|was|had been) (?:called|named|known as|registered as) (?P<v>{_PROPER})",
    ),
    (
        "named",
        "renamed|rechristened|redubbed|now called|become|became",
        "changes",
        rf"\b{_THING} (?:is|was|had been|has been|were) (?:renamed|rechristened|redubbed|now"
        rf" called) "
        rf"(?P<v>{_PROPER})",
    ),
)
_LATER: tuple[tuple[str, str, str, str], ...] = (
    (
        "amount",
        "paid|repaid",
        "ends",
        r"\b(?P<t>paid|repaid) (?:\w+ ){1,3}?back,? (?:every (?:last )?\w+|in full|all of it"
        r"|everything|the whole (?:lot|sum))(?P<v>)",
    ),
    (
        "amount",
        "square|even|quits",
        "ends",
        r"\b(?:[Ww]e|[Yy]ou and I|[Hh]e and I|[Ss]he and I)(?:['’]re| are) (?:all |now )?"
        r"(?P<t>square|even|quits)(?= now|\s*[.,!;\"”]|$)(?P<v>)",
    ),
    (
        "amount",
        "owe",
        "changes",
        rf"(?P<v>{_NUMBER}(?: (?:hundred|thousand|grand))?) (?:that )?(?:I|you|we|he|she|[A-Z]\w+)"
        r" (?:still )?(?P<t>owes?)\b",
    ),
    (
        "amount",
        "pays",
        "",
        r"\b(?P<t>(?:[Tt]he|[Tt]his|[Tt]hat|[Mm]y|[Oo]ur) (?:job|work|gig|contract|position|post"
        rf"|role)) pays(?: only| about| me| us)? (?P<v>{_NUMBER}[\w\-]*(?: [a-z]+)?)",
    ),
    (
        "amount",
        "debt|loan|arrears|mortgage|tab",
        "ends",
        r"\b(?:paid|pays?|cleared|settled|repaid) (?:off )?(?:all )?(?:of )?(?:his|her|my|the|your"
        r"|our) "
        r"(?P<t>debts?|loan|arrears|mortgage|tab)(?P<v>)\b",
    ),
    (
        "amount",
        "not |won't|won’t",
        "reset",
        rf"\b{_EVENT} (?:(?:would|will|does|did|could) not|won['’]t|wouldn['’]t) \w+"
        rf" (?:for|until|till|before) (?P<v>{_DATE})",
    ),
)

AMOUNTS_EN: tuple[tuple[str, str, str, str], ...] = (*_AMOUNTS, *_LATER, *_NAMES)
