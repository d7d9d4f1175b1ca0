"""English words for amounts."""

from __future__ import annotations

from engram_desktop.domain.claims.states_en import NUM

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

AMOUNTS_EN: tuple[tuple[str, str, str, str], ...] = (
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
        "broke|penniless|bankrupt|cleaned out|not a penny|ruined|skint|out of",
        "over",
        r"(?:\b(?:am|is|was|are|were|went|gone)|['’](?:m|s|re)) (?:\w+ly |flat |stone |dead )?(?:"
        r"(?P<t>broke|"
        r"penniless|bankrupt|skint|cleaned out)(?=\s*[.,;!?\"”*]|$| and| by)|out of (?P<v>ammo"
        r"|ammunition"
        r"|bullets|arrows|money|food|water|fuel|rounds|shells))",
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
)
