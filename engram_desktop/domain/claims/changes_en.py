"""By which English words states of people and things are told in passing, and by which they change.

A value stands where its verb has it (after in, to, as, is now), whatever it is.
"""

from __future__ import annotations

from engram_desktop.domain.claims.states_en import END, NO_SUBJECT, NOUN, NUM, ROLE

_ROOM = (
    r"(?:rooms?|cabin|berth|bunk|quarters|attic|loft|garret|cell|tent|flat|suite|chambers?|barracks"
    r"|dormitory|dorm|house|cottage|apartment|hold|tower|lodgings|hammock|hut|lodge|gatehouse"
    r"|stable)"
)
_LIMBS = (
    r"(?:legs?|arms?|wrists?|ankles?|ribs?|hands?|foot|feet|knees?|shoulders?|elbows?|fingers?"
    r"|thumbs?|hips?|collarbone|back|thighs?|calf|jaw|nose|neck|wings?|paws?|palms?)"
)
_HARM = (
    r"(?:broken|splinted|bandaged|strapped|bound|shattered|gashed|slashed|torn|sprained|cracked"
    r"|fractured|dislocated|swollen|crushed|burned|burnt|frostbitten|infected|laid open|in a sling"
    r"|in a cast|in plaster|in splints|stitched|wrapped)"
)
_BE = r"(?:['’]m|['’]re|['’]s| am| are| is| was| were)"
_MANNER = r"(?:(?:now|also|still|only|just|currently|officially) )?"
_TRADE = (
    r"(?:corporal|private|major|colonel|ensign|bodyguard|slave|[a-z]*(?:master|mistress|keeper"
    r"|maker|smith|wright|warden|driver|hand|monger|herd)"
    r"|demonstrator|operator|auditor|inspector|investigator|lecturer|lodger|probationer|trainee"
    r"|recruit|cadet|novice|acolyte|prefect|purser|rigger|welder|picker|cabin boy|errand boy"
    r"|head girl|head boy)"
)
_OFFICE = (
    rf"(?:(?:first |second |chief |head |acting |deputy |junior |senior |master |lead |trainee"
    rf" )?(?:{ROLE}|{_TRADE}))"
)
_WHOSE = r"(?:the|my|your|his|her|our|their|its|an?)"

# Rows: a facet, what a sentence must hold for it to be tried, a mark and a pattern.
CHANGES: tuple[tuple[str, str, str, str], ...] = (
    # where somebody lives
    (
        "home",
        "been given|been put|been assigned|put you|put me|put him|put her|given you",
        "assigns",
        rf"\b(?P<p>you|I|he|she)(?:['’]ve| have|['’]s| has|['’]d| had) been (?:given|assigned|put"
        rf"(?: up)?(?: in| into)?|moved (?:to|into)) (?P<v>{_WHOSE} (?:\w+ ){{0,2}}{_ROOM}"
        rf"(?: (?:over|above|in|at|by|behind|under) {NOUN})?){END}",
    ),
    (
        "home",
        "you're in|you’re in|i'm in|i’m in|you're on|you’re on|you are in",
        "assigns",
        rf"\b(?P<p>you|I){_BE} (?:now )?(?P<v>(?:in|on|above|over) {_WHOSE} (?:\w+ ){{0,2}}{_ROOM})"
        rf"\b",
    ),
    (
        "home",
        "shifted|moved|settled|moves|shifts|settles",
        "changes",
        rf"(?P<v>{_ROOM}\b[^.!?]{{0,60}}?),? (?:and |where )?(?P<p>he|she|I|you)"
        rf"(?:['’]s| has|['’]ve| have|['’]d| had)? (?:shift(?:ed|s)|mov(?:ed|es)|settle[sd])"
        rf" (?:in|into (?:it|them))\b",
    ),
    (
        "home",
        "shift|transfer|move|carr|haul|lug",
        "changes",
        rf"\b(?:shift(?:ed|s)|transferred|mov(?:ed|es)|(?:carr(?:ied|ies)|haul(?:ed|s)|lug(?:ged|s)"
        rf"|mov(?:ed|es)) (?:my|his|her|your) (?:things|bags?|trunk|kit|gear|duffel|bedroll|books))"
        rf" (?P<v>(?:into|to|up to|down to|over to|across to) {_WHOSE} (?:\w+ ){{0,3}}{_ROOM}"
        rf"(?: (?:over|above|in|at|by|behind|under) {NOUN})?){END}",
    ),
    (
        "home",
        "own|found|got",
        "changes",
        rf"\b(?:has|have|had|got|gets|found|finds|bought|buys)(?: finally| at last)?"
        rf" (?P<v>(?:an?|her|his|my|your) own (?:little |small )?{_ROOM}|(?:an?|her|his|my)"
        rf" (?:\w+ )?"
        rf"{_ROOM} of (?:her|his|my|your) own|own place)",
    ),
    ("home", "moved out|moves out", "ends", r"\bmove[sd] out(?P<v>)(?=[.,;!\"”*]| of\b| for\b|$)"),
    (
        "home",
        "room|apartment|flat|house|cabin|quarters|bunk|place",
        "states",
        rf"\b(?P<o>(?-i:[A-Z]\w+))['’]s (?:room|apartment|flat|house|cabin|quarters|bunk|place)"
        rf"(?:['’]s| is| was) (?P<v>(?:in|on|at|above|over|behind) {NOUN}){END}",
    ),
    (
        "home",
        "there now|here now",
        "changes",
        r"\b(?:sleeps?|lives?|stays?) (?P<v>there|here) now\b",
    ),
    (
        "home",
        "of my own|of his own|of her own|of your own",
        "changes",
        rf"\b(?P<v>an? (?:\w+ )?{_ROOM} of) (?P<p>my|his|her|your) own\b",
    ),
    # what somebody is or does
    (
        "role",
        "my |his |her |our |your ",
        "states",
        rf"{_BE} {_MANNER}(?:my|his|her|our|your|their) (?:new |old |own"
        rf" )?(?P<v>{_OFFICE})\b(?!['’])",
    ),
    ("role", "been ", "states", rf"\b(?:been) (?:the |an? |our )?(?P<v>{_OFFICE})\b"),
    ("role", ",", "beside", rf"(?<=, )(?:the |my |our )?(?P<v>{_OFFICE})(?=[.,!;])"),
    (
        "role",
        "you're|you’re|i'm|i’m|you are|is now|are now|am now|now",
        "changes",
        rf"\b(?:(?P<p>I|you|he|she){_BE} (?:the )?(?P<v>{_OFFICE}) now\b"
        rf"|(?:is|are|am|['’]s|['’]re|['’]m) now (?:the |an? |our |my )?(?P<w>{_OFFICE})\b)",
    ),
    (
        "role",
        "any more|anymore|any longer|no longer",
        "ends",
        rf"(?:isn|aren|wasn|weren|am no|ain)['’]t (?:[\w]+['’]s |{_WHOSE} )?(?P<v>{_OFFICE})"
        rf" any ?(?:more|longer)\b|\bno longer (?:[\w]+['’]s |{_WHOSE} )?(?P<w>{_OFFICE})\b",
    ),
    (
        "work",
        "stripped|lost|resign|stepp|steps|gave up|gives up|removed",
        "ends",
        r"\b(?:stripped of|removed from|lost|loses|resign(?:s|ed)(?: from)?|stepp(?:s|ed) down from"
        r"|gave up|gives up) (?:the|his|her|my|your) (?P<v>[a-z]+?)(?:cy|ship|acy|y)?"
        r"(?=[,.;!]| (?:of|at|and)\b)(?<=cy|ip|ob|st|at|ce)",
    ),
    (
        "work",
        "badge|commission|notice|resignation|uniform|apron",
        "ends",
        r"\b(?:turn(?:s|ed) in|hand(?:s|ed) in|hand(?:s|ed) back|gave back|gives back|threw down"
        r"|throws down|resigned) (?:my|his|her|your) (?:badge|commission|notice|resignation"
        r"|uniform)(?P<v>)\b",
    ),
    (
        "role",
        "become|became|made ",
        "changes",
        rf"\b(?:becomes|became|has become|(?:is|was) made|(?:is|was) (?:promoted|elevated) to)"
        rf" (?:an?"
        rf" |the )?(?:full |new |proper )?(?P<v>{_OFFICE})\b",
    ),
    ("role", "just|only", "states", rf"{_BE} (?:just|only) (?:an? |the )(?P<v>{_OFFICE})\b"),
    (
        "work",
        "work",
        "",
        rf"\bwork(?:s|ed|ing)? (?:nights|days|mornings|part[- ]time|full[- ]time|weekends|shifts)"
        rf" (?P<v>(?:at|for|in) {NOUN}){END}",
    ),
    (
        "work",
        "strip",
        "ends",
        r"\bstrip(?:s|ped)? (?P<o>(?-i:[A-Z]\w+)|him|her|you|me) of (?:his|her|your|my|the)"
        r" (?:rank|title|command|office|post)(?P<v>)",
    ),
    ("work", "graduat", "ends", r"\bgraduat(?:ed|es)(?P<v>)\b"),
    (
        "work",
        "fired|sacked|dismissed|fires|sacks",
        "ends",
        r"\b(?:fire[sd]|sack(?:s|ed)|dismiss(?:es|ed)) (?P<o>(?-i:[A-Z]\w+)|him|her|me"
        rf"|you)\b{NO_SUBJECT}(?P<v>)",
    ),
    (
        "work",
        "nights|days|shift",
        "",
        rf"{_BE} on (?:the )?(?:nights|days|night shift|day shift|late shift) (?P<v>(?:at|in)"
        rf" {NOUN}){END}",
    ),
    (
        "work",
        "t work",
        "ends",
        r"\b(?:don|doesn)['’]t work (?P<v>(?:for|at|in) [^.,!?]{2,30}?) (?:any ?more|any longer"
        r"|now)\b",
    ),
    # what hurts, and what no longer does
    (
        "hurt",
        "fever",
        "states",
        r"\b(?:got|have|has|had|running|burning with) (?:a )?(?:high |bad )?(?P<v>fever)\b",
    ),
    (
        "well",
        "fever",
        "changes",
        r"\b(?P<v>fever(?:['’]s| has| had)? (?:finally |at last )?(?:broke|broken|gone|down"
        r"|passed))\b",
    ),
    (
        "hurt",
        "bullet|arrow|knife|blade|splinter|unconscious|coma|paraly|blind|deaf|mute|can't walk",
        "",
        rf"\b(?P<v>(?:bullet|arrow|knife|blade|splinter)s? (?:in|through) (?:my|his|her|your)"
        rf" (?:\w+ )?{_LIMBS}|unconscious|in a coma|paralysed|paralyzed|(?:is|['’]s|am|['’]m|was"
        rf"|went"
        rf"|gone) (?:blind|deaf|mute)|can['’]t (?:walk|see|stand|speak))\b",
    ),
    (
        "well",
        "fine|again|out of",
        "changes",
        rf"\b(?P<v>{_LIMBS}(?:['’]s| is| are| was)? (?:all )?(?:fine|better|all right|well)(?: now"
        rf"| again)?|(?:can|could) (?:walk|see|stand|speak|move|run|hear)\b[^.!?]{{0,24}} again"
        rf"|out of"
        rf" (?:the|a|his|her|my) (?:sling|cast|wheelchair|splints?|plaster|brace))\b",
    ),
    (
        "well",
        "wakes|woke|came to|comes to|came round",
        "wakes",
        r"\b(?P<v>wakes(?: up)?|woke(?: up)?|came to|comes to|came round|comes round)(?=[.,;!]|$)",
    ),
    (
        "hurt",
        "broken|splint|bandag|strap|bound|shatter|gash|slash|torn|sprain|crack|fractur|disloc"
        "|swollen"
        "|crush|burn|frostbit|infect|laid open|sling|cast|plaster|stitch|wrap",
        "",
        rf"\b(?P<v>{_LIMBS}(?:['’]s| is| was| are| were|,)? (?:[\w]+ )?{_HARM}|{_HARM} (?:\w+ )?"
        rf"{_LIMBS})\b",
    ),
    (
        "hurt",
        "limp|crutch|fever|cough|stammer|blind|deaf|mute",
        "states",
        r"\b(?P<v>limp(?:s|ing|ed)|on crutches|on a crutch|running a fever|coughing (?:up"
        r" )?blood)\b",
    ),
    (
        "well",
        "good as|right as|mended|healed|knit|sound again|whole again",
        "changes",
        rf"\b(?P<v>(?:good|right) as (?:new|ever|rain)|it(?:['’]s| has| is) (?:all |fully"
        rf" )?(?:mended"
        rf"|healed|knit)|{_LIMBS}[^.!?,;]{{0,20}} (?:healed|mended|knit|sound again|whole"
        rf" again))\b",
    ),
    (
        "well",
        "linen|bandage|splint|plaster|cast|strap|sling|stitches|crutch|brace",
        "changes",
        r"\b(?P<v>(?:unwinds?|unwound|unwraps?|unwrapped|took off|takes off|cuts? off|removed"
        r"|removes"
        r"|throws? away|threw away|throws|threw|took out|takes out|unstrapp?(?:s|ed)) (?:the|his"
        r"|her"
        r"|my) (?:last of the )?(?:linen|bandages?|splints?|plaster|cast|strap(?:s|ping)?|sling"
        r"|stitches|crutch(?:es)?|brace)|took (?:the|his|her|my) (?:linen|bandages?|splints?"
        r"|plaster"
        r"|cast|strap(?:s|ping)?|sling|stitches|brace) off)\b",
    ),
    # who belongs together, and no longer does
    (
        "bond",
        "engaged|betrothed|getting married|married|going to marry|marrying",
        "engaged",
        r"\b(?P<v>engaged to|betrothed to|getting married|to be married|been married|marrying)\b",
    ),
    (
        "bond",
        "husband|wife|fianc|boyfriend|girlfriend|betrothed|sweetheart",
        "states",
        r"\b(?P<p>my|his|her) (?P<v>husband|wife|fianc[ée]e?|boyfriend|girlfriend|betrothed"
        r"|sweetheart)(?=,| is|\.| (?-i:[A-Z]))",
    ),
    (
        "bond",
        "marry|marrying|divorc|wedding|engagement",
        "refuses",
        r"(?:(?:wouldn|won|can|couldn|shan)['’]t|will not|would not|not (?:going to|gonna)|never"
        r"(?: going to)?|not) marry(?:ing)?\b(?P<v>)|\bdivorc(?:ing|ed) (?:me|him|her|you)\b"
        r"|\b(?:wedding|engagement)(?:['’]s| is) (?:off|over)\b",
    ),
    (
        "bond",
        "ring",
        "refuses",
        r"\b(?:works?|worked|pulls?|pulled|twists?|twisted|slides?|slid|takes?|took|tugs?|tugged"
        r"|wrench(?:es|ed)) (?:an?|the|her|his|my) (?:\w+ )?ring (?:\w+ly )?off\b(?P<v>)",
    ),
    (
        "bond",
        "together|couple|dating|item",
        "changes",
        r"(?:are|['’]re|got|get|['’]ve been|were) (?P<v>(?:back )?together(?! (?:in|at|on|with"
        r"|to)\b)|a couple|an item|dating)\b",
    ),
    (
        "bond",
        "friend|brother|sister|partner",
        "states",
        r"(?:is|['’]s|are|['’]re) (?:my|his|her|your) (?:best |oldest |closest |sworn"
        r" )?(?P<v>friend"
        r"|friends|partner|ally)\b",
    ),
    (
        "bond",
        "no friend|no brother|no sister|no son|no daughter|not my",
        "refuses",
        r"(?:['’]re|are|is|['’]s) no (?:friend|brother|sister|son|daughter|husband|wife) of (?:mine"
        r"|his|hers)(?P<v>)|\bnot my (?:friend|brother|sister|son|daughter) any ?(?:more|longer)",
    ),
    (
        "bond",
        "dating|seeing|divorced",
        "states",
        r"(?:am|['’]m|is|['’]s|are|['’]re) (?P<v>dating|seeing (?-i:[A-Z]\w+))\b",
    ),
    (
        "bond",
        "over|through|done|finished|divorced|divorce papers|no longer",
        "refuses",
        r"\b(?:we|they|(?-i:[A-Z]\w+) and I|(?-i:[A-Z]\w+) and (?-i:[A-Z]\w+))(?: are|['’]re)"
        r" (?:over|through|finished|divorced|no longer together)(?P<v>)\b|\bdivorce papers\b",
    ),
    # who has a thing
    (
        "given",
        "hands|passes|tosses|lends|slides|pass|lent|toss",
        "changes",
        r"\b(?:hands|passes|passed|lends|lent|signs|signed) (?P<t>(?:the|my|his|her)"
        r" (?:[\w'’\-]+ )?[\w'’\-]+) (?:over )?to (?P<v>(?-i:[A-Z]\w+)|me|him|her|you)\b",
    ),
    (
        "owner",
        "hang|around|in my|in his|in her|with me",
        "",
        rf"\b(?P<t>{_WHOSE} (?:\w+ )?\w+)(?:['’]s| is| are| was| hangs?| hung| sits| rests)(?:"
        rf" still"
        rf"| always)? (?:in|on|round|around|at) (?P<v>my|his|her|your|(?-i:[A-Z]\w+)['’]s) (?:neck"
        rf"|bag|pocket|belt|hip|hands?|boot|finger|wrist|safe|keeping|pack)\b",
    ),
    (
        "owns",
        "got the|got a|taken the|took the|have the",
        "",
        rf"\b(?:['’]ve got|have got|has got|has taken|have taken|['’]ve taken|have|has) (?P<t>the"
        rf" (?:\w+ )?\w+){END}",
    ),
    (
        "given",
        "toss|throw|threw|hand|lend|lent|pass|slid",
        "passes",
        rf"\b(?:toss(?:es|ed)|throws?|threw|hands?|handed|lends?|lent|pass(?:es|ed)|slides?|slid"
        rf"|gives?|gave|leaves?|left) (?P<v>(?-i:[A-Z]\w+)|me|him|her|you) (?P<t>(?:the|my|his|her)"
        rf" (?:\w+ )?\w+){END}",
    ),
    (
        "given",
        "unclasp|unbuckle|unhook|took off|takes off|draws|drew|unpin",
        "changes",
        r"\b(?:unclasps?|unclasped|unbuckles?|unbuckled|unhooks?|unhooked|takes? off|took off"
        r"|unpins?"
        r"|unpinned|draws|drew) (?P<t>(?:the|my|his|her) (?:[\w'’]+ )?\w+),? and (?:gives|gave"
        r"|hands"
        r"|handed|presses|pressed|puts|put) it (?:to|into|in|around|round|on) (?P<v>(?-i:[A-Z]\w+)"
        r"|me|him|her|you)\b",
    ),
    (
        "owner",
        "burned|burnt|lost|sold|stolen|destroyed|sank|gone|smashed|broke",
        "lost",
        r"\b(?P<t>(?:the|my|his|her|your) (?:\w+ )??\w+?)(?: is| was"
        r"|['’]s| has been| has| had been)?"
        r" (?:burned|burnt|lost|sold|stolen|destroyed|sank|sunk|gone(?! (?:up|down|to)\b)"
        r"|smashed)(?P<v>)\b"
        r"|\b(?:sold|lost|pawned|burned|smashed) (?P<w>)(?=(?:the|my|his|her) \w+[.,;!])",
    ),
    (
        "owner",
        "mine now|yours now|his now|hers now",
        "changes",
        r"\b(?P<t>these|those|they)(?: are|['’]re) (?P<v>mine|yours|his|hers) now\b"
        r"|\b(?:it|this|that)(?:['’]s| is) (?P<w>yours|mine|his|hers) now\b",
    ),
    (
        "owns",
        "wears|wearing|carries|keeps|owns|has the|has a",
        "states",
        rf"\b(?:wears|wore|carries|keeps|owns) (?P<t>(?:the|an?|my|his|her) [\w'’\-]+(?:"
        rf" [\w'’\-]+)?"
        rf"(?: of {NOUN})?){END}",
    ),
    (
        "owner",
        "hand|palm|arms|lap|pocket|fist",
        "changes",
        r"\b(?:puts?|press(?:es|ed)|lays?|laid|drops?|dropped|sets?|tucks?|tucked|slips?|slipped"
        r"|plac(?:es|ed)|push(?:es|ed)|thrusts?) (?P<t>(?:the|an?|my|his|her|that|this)"
        r" [\w'’\-]+(?: [\w'’\-]+)?|it) (?:in|into|on) (?P<v>my|your|his|her|(?-i:[A-Z]\w+)['’]s)"
        r" (?:\w+ )?(?:hands?|palms?|arms|lap|pocket|fists?|fingers)\b",
    ),
    # where a thing is
    (
        "place",
        "hangs|stands|sits|lies|rests|hung|stood",
        "",
        rf"\b(?P<t>(?:the|my|his|her) (?:\w+ )?\w+) (?:hangs|hung|stands|sits|lies|rests)"
        rf" (?P<v>(?:in|on"
        rf"|at|over|above|under|behind|beside) (?:the|my|his|her|an?) {NOUN}){END}",
    ),
    (
        "place",
        " inside | into | beneath | behind | under ",
        "passes",
        rf"\b[a-z]{{3,}}(?:s|ed|t|d) (?P<t>(?:the|my|his|her) [\w'’\-]+) (?P<v>(?:inside|into"
        rf"|beneath|behind|under) (?:the|my|his|her|an?) {NOUN}){END}",
    ),
    (
        "place",
        "docked|parked|moored|anchored|stationed|tied up",
        "",
        rf"\b(?P<t>{_WHOSE} (?:\w+ )?\w+)(?:['’]s| is| was| are| were) (?:now |still )?(?:docked"
        rf"|parked"
        rf"|moored|anchored|stationed|tied up) (?P<v>(?:in|at|on|by|outside|behind) {NOUN}){END}",
    ),
    ("age", "turn", "", rf"\bturn(?:s|ed) (?P<v>{NUM})(?! (?:and|to|pages|times|degrees))"),
    (
        "origin",
        "born |grew up|raised|brought up",
        "",
        r"\b(?P<t>born|grew up|raised|brought up) (?:and (?:raised|bred) )?(?:in|on|at|aboard)"
        r" (?:the )?(?P<v>(?-i:[A-Z]\w+)(?: (?-i:[A-Z]\w+))?)",
    ),
    # how much, and when
    (
        "amount",
        "down to|up to|went|rose|fell|dropped|now|raised",
        "changes",
        rf"\b(?P<t>(?:the|my|our|his|her) (?:\w+ )?\w+)(?:['’]s| is| are| was| has)? (?:gone "
        rf"|went |goes"
        rf" |rose |fell |dropped |jumped |raised |cut |now )?(?:up |down )?(?:to|at|now)"
        rf" (?P<v>{NUM}"
        rf"(?: (?:hundred|thousand))?(?: [a-z]+)?){END}",
    ),
    (
        "amount",
        " is | are |'s|’s",
        "states",
        rf"\b(?P<t>(?:the|my|our|his|her) (?:\w+ )?\w+)(?:['’]s| is| are) (?P<v>{NUM}"
        rf"(?: (?:hundred|thousand))?(?: [a-z]+)?){END}",
    ),
    (
        "amount",
        "percent|per cent",
        "",
        rf"\b(?P<v>{NUM}) (?:percent|per cent) (?:of )?(?:the |our )?(?P<t>fuel|power|oxygen"
        rf"|battery"
        rf"|charge|shields?|water|air|ammo)\b",
    ),
    (
        "amount",
        "day|noon|midnight|january|february|march|april|may|june|july|august|september|october"
        "|november|december",
        "assigns",
        rf"\b(?P<t>(?:the|my|our|your|his|her) (?:\w+ )?\w+)(?:['’]s| is) (?:on|at|in) (?P<v>\w+day"
        rf"|noon|midnight|(?:January|February|March|April|May|June|July|August|September|October"
        rf"|November|December)){END}",
    ),
    (
        "amount",
        " for ",
        "",
        rf"\b(?:got|have|has|there(?:['’]s| is)) (?:only |just |enough )?(?P<t>food|water|air"
        rf"|oxygen"
        rf"|fuel|power|supplies|money|ammunition) (?:left )?for (?P<v>{NUM} (?:more )?(?:days?"
        rf"|hours?"
        rf"|weeks?|months?|jumps?))",
    ),
    (
        "amount",
        "back|paid|repaid",
        "ends",
        r"\b(?:paid|pays|repaid) (?:(?-i:[A-Z]\w+)|him|her|you|them|me|it) (?:all )?back(?P<v>)\b",
    ),
    (
        "amount",
        "set for|scheduled|put off|postponed|pushed|brought forward|moved to|moved up",
        "reset",
        rf"\b(?P<t>(?:the|my|our|your|his|her) (?:\w+ )?\w+)(?:['’]s| is| was| has been|['’]s been"
        rf" | had been) (?:set for|scheduled for|put off (?:to|until|till)|postponed (?:to|until"
        rf"|till)"
        rf"|pushed (?:back )?(?:to|until|till)|brought forward to|moved (?:up |back )?to)"
        rf" (?P<v>{NOUN})"
        rf"{END}",
    ),
    (
        "amount",
        "in debt",
        "",
        rf"\b(?P<v>{NUM}(?: (?:hundred|thousand|million))?(?: \w+)?) in (?P<t>debt)\b",
    ),
    (
        "amount",
        "debt|arrears|rent|bill|fine|ransom|loan|mortgage",
        "ends",
        r"\b(?P<t>debts?|arrears|loan|mortgage)(?:['’]s| is| was| has been| had been| are| were)?"
        r" (?:been )?(?P<v>cancelled|paid(?: off)?|cleared|discharged|forgiven|settled"
        r"|written off)\b",
    ),
)
