"""English verbs for the places of things and people, for owners, amounts and times.

As in `turns_en`, a state mentioned in passing ends nothing; a change ends the state before it.
"""

from __future__ import annotations

from engram_desktop.domain.claims.states_en import NUM

_TAIL = r"[^.,;:!?\n\"”*—]{2,60}"
_AT = (
    r"(?:in|at|on|above|over|under|underneath|beneath|beside|by|near|behind|aboard|among|between"
    r"|outside|inside|next to|against|around|round|across from|beyond|below|atop|within)"
)
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
_HELD = (
    rf"(?P<t>(?:the|my|your|his|her|our|their|an?|(?-i:[A-Z])\w+['’]s)(?: only)? (?:[\w'’\-]+"
    rf" ){{0,2}}?[\w\-]+?){_STOP}"
)
_MOVED = (
    r"(?:moved|taken|removed|towed|carried|dragged|shifted|dug up|transferred|emptied|lifted|swept"
    r"|hauled|looted|pinched|nicked|stolen|cleared|borrowed|relocated|rearranged)"
)
_TAKES = (
    r"(?:mov(?:ed|es)?|took|takes?|taken|pull(?:ed|s)?|dug|digs|lift(?:ed|s)?|carr(?:ied|ies)|drew"
    r"|draws"
    r"|fish(?:ed|es)?|remov(?:ed|es)?|dragg?(?:ed|s)?|haul(?:ed|s)?|dr(?:ove|ives)|roll(?:ed|s)?"
    r"|wheel(?:ed|s)?|rode|shift(?:ed|s)?|retriev(?:ed|es)?|fetch(?:ed|es)?|pri(?:s|z)ed|slid|pluck"
    r"(?:ed"
    r"|s)|dislodg(?:ed|es)?|unhook(?:ed|s)?|bore|brought|transferr?(?:ed|s)?)"
)

_PLACES: tuple[tuple[str, str, str, str], ...] = (
    (
        "place",
        " was | is | are | were |'s |’s |lay |lies |stood |stands |hung |hangs |sat |sits |rested"
        " |rests |leaned |waited ",
        "",
        rf"\b{_THING}(?: (?:was|is|are|were|lay|lies|stood|stands|hung|hangs|sat|sits|rested|rests"
        r"|leaned|leans|waited)|['’]s)(?: (?:still|now|safely|safe|back|always|locked|hidden|buried"
        r"|parked|stabled|moored|tied|kept|at anchor|tucked|sewn|stashed|propped|folded|piled|laid"
        r"|displayed|closed|standing|lying|sitting|hanging|resting|down|up|out)){0,2}"
        rf" (?P<v>{_AT}\b{_TAIL}|outside|upstairs|downstairs)",
    ),
    (
        "place",
        "kept|hid|put |slid|left |buried|stash|wore|wears|carried|carries|tuck|hung|hangs|lock|laid"
        "|lays|set |sets|placed|stuff|shove|drop|stow|pack|wedge|pinned|sew|stuck|park|tied|hide",
        "states",
        r"\b(?:kept|keeps|hid|hides|puts?|slid|slides|left|leaves|buried|buries|stash(?:ed|es)?"
        r"|wore"
        r"|wears|carrie[sd]|tuck(?:ed|s)?|hung|hangs|lock(?:ed|s)?|laid|lays|sets?|place[sd]|stuff"
        r"(?:ed"
        r"|s)|shove[sd]|dropp?(?:ed|s)?|stow(?:ed|s)?|pack(?:ed|s)?|wedge[sd]|pinn?(?:ed|s)?|sewn"
        r"|sew(?:ed"
        rf"|s)|stuck|sticks|park(?:ed|s)?|tie[sd]|had sewn|had hidden) {_THING} "
        rf"(?P<v>{_AT}\b{_TAIL})",
    ),
    (
        "place",
        "gone|missing|nowhere|vanish|disappear|not there|wasn't there|wasn’t there",
        "gone",
        rf"\b{_THING}(?: (?:is|was|are|were)|['’]s)? (?P<v>(?:already |now |simply )?(?:gone(?! "
        rf"(?:to"
        r"|into|out|back|from|off|quiet|white|cold|dark|silent|still))|missing|nowhere to be "
        r"(?:seen"
        r"|found)|not there|vanished|disappeared))\b",
    ),
    (
        "place",
        "moved|taken|removed|towed|carried|dragged|shifted|dug up|transferred|emptied|lifted|swept"
        "|hauled|looted|pinched|nicked|stolen|cleared|borrowed|relocated",
        "gone",
        rf"\b{_THING} (?:had been|has been|was|were|have been|is|got|has|had) "
        rf"(?P<v>{_MOVED}\b[^.,;:!?"
        r"\n\"”*—]{0,50})",
    ),
    (
        "place",
        "moved|moves|took|takes?|taken|pull|dug|digs|lift|carr|drew|draws|fish|remov|drag|haul"
        "|drove"
        "|drives|roll|wheel|rode|shift|retriev|fetch|pris|priz|slid|pluck|unhook|bore |brought"
        "|transfer",
        "gone",
        rf"\b{_TAKES} {_THING} (?P<v>(?:away|up(?! to)|out|off|down|from|onto|into|round|over to"
        rf"|over|to"
        r" the|to a|to his|to her|behind|under|aboard|back to|outside|inside|upstairs|downstairs)\b"
        r"[^.,;:!?\n\"”*—]{0,50})",
    ),
    (
        "place",
        "no longer|isn't|isn’t|wasn't|wasn’t|not in|not on|not under|not at|not behind|weren't"
        "|weren’t|aren't|aren’t",
        "gone",
        rf"\b{_THING}(?: (?:is|was|are|were) (?:no longer|not)| (?:is|was|are|were)n['’]t)"
        rf" (?P<v>(?:{_AT}\b|there\b)[^.,;:!?\n\"”*—]{{0,50}})",
    ),
    (
        "place",
        "sewn|buried|hidden|tucked|stowed|put |moved|shifted|placed|locked|hung",
        "changes",
        r"\b(?:had|has|['’]d|['’]ve|have) (?:sewn|buried|hidden|tucked|stowed|put|moved|shifted"
        r"|placed"
        rf"|locked|hung|laid|stashed) {_THING} (?P<v>(?:{_AT}|into|to)\b{_TAIL})",
    ),
    (
        "place",
        "has moved|had moved|had slipped|has slipped|had rolled|had drifted|put to sea|put out|had"
        " fallen|sailed|had slid|'s moved|’s moved",
        "changes",
        rf"\b{_THING}(?: (?:had|has)|['’]s|['’]d)? (?:moved|slipped|rolled|drifted|put out|fallen"
        rf"|sailed"
        rf"|slid|put) (?P<v>(?:to|into|off|out|behind|under|down|away|from)\b{_TAIL})",
    ),
    (
        "emptied",
        "empty|bare|emptied|ransacked|cleaned out|cleared out",
        "gone",
        rf"\b{_THING}(?: [a-z]+ (?:the|my|his|her) (?P<x>\w+))?(?: (?:was|is|stood|stands|lay|gaped"
        rf"|hung"
        r"|sat)|['’]s| (?:had|has) been)(?: (?:open|standing|quite|wide|and|now|completely)){0,3} "
        r"(?P<v>"
        r"empty|bare|emptied|ransacked|cleaned out|cleared out)\b",
    ),
    # where people are
    (
        "at",
        " is | was | are |'s |’s |'m |’m | am |sat |sits |stood |stands |knelt|kneel|crouch|hid "
        "|hides"
        "|wait|lay |lies |camped|perch|sitting|standing|hiding|driving|remain|stay",
        "is",
        r"(?:\b(?:is|was|are|am|were|sat|sits|stood|stands|kn(?:elt|eels)|crouch(?:ed|es)?|hid"
        r"|hides"
        r"|wait(?:ed|s)?|lay|lies|camped|perched|remain(?:ed|s)?|stay(?:ed|s)?|holding \w+)|['’]s"
        r"|['’]m"
        r"|['’]re)(?: (?:still|now|already|sitting|standing|hiding|waiting|kneeling|lying|camped"
        r"|asleep"
        r"|up|down|out|over|deep|locked|trapped|stuck|alone|here)){0,3} (?P<v>(?:"
        r"(?:in|at|on|under|behind|aboard|inside|outside|beneath|by) (?!(?:love|fact|time|least"
        r"|first"
        r"|last|once|all|it|that|pain|danger|charge|trouble|a hurry|silence|his|her|my|your) ?\b)"
        rf"{_TAIL}|upstairs|downstairs|outside|inside|indoors)\b)",
    ),
    (
        "at",
        "left|leaves|out of|escap|fled|emerg|quit ",
        "over",
        r"\b(?:left|leaves?|(?:came|went|slipped|stepped|burst|bursts|climbed|walked|got|ran|crept"
        r"|stumbled|crawled|strode|broke|is|am|was|['’]s|['’]m|comes|goes|steps|walks|slips|climbs"
        r"|runs"
        r"|jumps?|jumped) (?:back |up |down )?out of|escape[sd](?: from)?|fled(?: from)?|emerge[sd]"
        r" from)"
        r" (?P<v>(?:the|his|her|my|your|(?-i:[A-Z]))[^.,;:!?\n\"”*—]{2,40})",
    ),
    (
        "at",
        "arriv|reach|is back|'s back|’s back|gone to|come up|come down|gone up|gone down|slipped"
        " into"
        "|returned to|landed|went inside|had gone|has gone|had come|has come|broken camp|withdrawn"
        "|sent"
        "|brought|steps down|stepped down|moved to|moved into",
        "turns",
        r"(?:\b(?:arriv(?:ed|es)? (?=in|at)|reach(?:ed|es)? (?=the|(?-i:[A-Z]))(?!the end)|(?:(?:is"
        r"|are|am)"
        r"|['’]s|['’]m) (?=back (?:in|at|on|home))|(?:had|has|have|['’]s|['’]d|['’]ve) (?:gone|come"
        r"|slipped"
        r"|moved|withdrawn|returned|fled|crept|climbed|ridden|crossed)(?= (?:back |up |down |over "
        r"|out |off"
        r" )?(?:to|into|inside|aboard|upstairs|downstairs|home|out|on|in)\b)|returned (?=to)|"
        r"(?:just )?land"
        r"ed (?=in|at|on)|went (?=inside|upstairs|downstairs|indoors|ashore|below))) ?"
        rf"(?P<v>{_TAIL}|inside|upstairs|downstairs|indoors|home)",
    ),
    (
        "at",
        " into | out| home|upstairs|downstairs|inside| away| off| aboard| ashore",
        "turns",
        r"\b(?:went|ran|walked|hurried|rushed|fled|crept|slipped|strode|marched|rode|drove|flew"
        r"|sailed"
        r"|climbed|stumbled|staggered|darted|ducked|dashed|headed|wandered|retreated|returned"
        r"|travell?ed|goes|runs|walks|hurries|rushes|flees|creeps|slips|strides|rides|drives|flies"
        r"|climbs|heads|ducks) (?P<v>(?:back )?(?:into (?:the|his|her|my|your|"
        r"(?-i:[A-Z]))[^.,;:!?\n\"”*—]"
        r"{2,40}|home\b|upstairs|downstairs|outside|inside|away(?=[.,;]| from)|off(?=[.,;]| to)"
        r"|aboard"
        r"|ashore))",
    ),
    (
        "at",
        "sent |took |brought |dragged |carried |found |moved |escorted|marched",
        "turns",
        r"\b(?:sent|took|brought|dragged|carried|found|moved|escorted|marched)"
        r" (?P<whom>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+){0,2}) (?:back |up |down |out |over |\w+ \w+"
        r" over )?"
        r"(?P<v>(?:to|into|home|at|aboard|inside)\b[^.,;:!?\n\"”*—]{0,50})",
    ),
)

_OWNERS: tuple[tuple[str, str, str, str], ...] = (
    (
        "owns",
        "owns|owned|has |had |have |'s got|’s got|'ve got|’ve got|carries|carried|wears|wore"
        "|wearing"
        "|held |holds |keeps|kept|bought|holding|carrying|went about in|sat on|sits on",
        "is",
        r"(?:\b(?:owns?|owned|has|had|have|carrie[sd]|carrying|wears|wore|wearing|held|holds"
        r"|holding|keeps"
        rf"|kept|bought|went about in|s(?:at|its) on)|['’](?:s|ve) got) {_HELD}",
    ),
    (
        "owner",
        "belong|mine|yours|hers|'s.|’s.|'s,|’s,|'s;|’s;|keeping",
        "states",
        rf"\b{_THING}(?: (?:on|of|in|to) [^.,;!?]{{2,24}}?)?(?: (?:was|is|were|are)|['’]s)(?:"
        rf" still)?"
        r" (?:in )?(?P<v>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+){0,2}['’]s|mine|yours|his|hers)(?:"
        r" keeping)?"
        r"(?=\s*[.,;:!?\"”*]|$)",
    ),
    (
        "loses",
        "sold|sells|pawn|lost|loses|gave up|gives up|give up|gave away|traded|surrender|return|hand"
        "|donat|smash|crash|wreck|threw away|throws away|threw down|throws down|threw|auction"
        "|forfeit"
        "|sign|parted with|got rid|hock|gambl|barter|given up|given away|ditch|scrapp|totaled"
        "|totalled"
        "|flung|drop",
        "over",
        r"\b(?:(?:re)?s(?:old|ells)|pawn(?:ed|s)?|lost|loses|g(?:ave|ives?|iven) (?:up|away|back)"
        r"|trad"
        r"(?:ed|es)?(?: in| away)?|surrender(?:ed|s)?|return(?:ed|s)?|hand(?:ed|s)?(?: over| back|"
        r" in)?"
        r"|donat(?:ed|es)?|smash(?:ed|es)?|crash(?:ed|es)?|wreck(?:ed|s)?|thr(?:ew|ows) (?:away"
        r"|down|out)"
        r"|auction(?:ed|s)? off|forfeit(?:ed|s)?|sign(?:ed|s)? (?:over|away)|parted with|got rid of"
        r"|hock(?:ed"
        r"|s)|gambled away|barter(?:ed|s)?(?: away)?|ditch(?:ed|es)?|scrapp?(?:ed|s)?|totall?ed"
        r"|sign(?:ed|s)?"
        rf"(?= (?:the|my|his|her) (?:\w+ ){{1,3}}?(?:over|away) to)) {_HELD}",
    ),
    (
        "owner",
        "stole|nick|seiz|confiscat|repossess|pinch|swip|snatch|impound|foreclos|taken|made off with"
        "|ran off with",
        "lost",
        r"\b(?:st(?:ole|olen|eals)|nick(?:ed|s)?|seiz(?:ed|es)?|confiscat(?:ed|es)?|repossess(?:ed"
        r"|es)?|pinch(?:"
        r"ed|es)|swip(?:ed|es)?|snatch(?:ed|es)?|impound(?:ed|s)?|(?:had|has|have|['’]d|['’]ve)"
        r" taken|(?:made|ran"
        r") off with) (?P<t>(?:the|my|his|her|your|our) (?!opportunit|chance|moment|day\b"
        r"|initiative|lead\b)(?:[\w'’\-]+ ){0,2}?[\w\-]+?)" + _STOP + "(?P<v>)",
    ),
    (
        "owner",
        "yours|mine|hers",
        "changes",
        rf"\b{_THING}(?: (?:to|of|on|in) [^.,;!?]{{2,24}}?)?(?: (?:is|are)|['’]s) (?P<v>yours|mine"
        rf"|hers)"
        r"(?: now)?(?=\s*[.,;:!?\"”*])",
    ),
)

THINGS: tuple[tuple[str, str, str, str], ...] = (*_PLACES, *_OWNERS)


# Amounts, and when something takes place.

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
