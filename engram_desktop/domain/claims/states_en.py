"""English words of roles, numbers and limbs, and what states of people and things are told by."""

from __future__ import annotations

NOUN = r"(?:(?:the|a|an|my|his|her|their|our|its|your)\s+)?[\w'’\-]+(?:\s+[\w'’\-]+){0,5}?"
END = (
    r"(?=\s*(?:[,.;:!?\"”’)*]|$|\b(?:and|but|so|where|when|since|these days|now|with|out|until"
    r"|because"
    r"|after all|at last|again|anyway|too|instead|for|behind|across|till|while|as|on|next to"
    r"|by the|ever)\b))"
)
NUM = (
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety)(?:-\w+)?"
    r"|(?:a|one|two|three|four|five|six|seven|eight|nine) (?:hundred|thousand)|a dozen)"
)
# Behind an object that is none: flour sacks you hear.
NO_SUBJECT = (
    r"(?! (?:hear|see|find|want|need|can|could|are|were|have|had|know|sit|sleep)\b"
    r"| [a-z]{2,}(?:s|ed)\b)"
)
ROLE = (
    r"(?:sous-chef|head chef|junior chef|harbour-mistress|harbor-mistress|harbour-master|chef"
    r"|cook|waiter|waitress"
    r"|bartender|barista|nurse|doctor|surgeon|teacher|student|professor|lawyer|judge|clerk"
    r"|partner|manager|director"
    r"|president|ceo|engineer|programmer|designer|artist|painter|writer|journalist|reporter"
    r"|editor|actor|singer"
    r"|captain|lieutenant|sergeant|constable|inspector|detective|sheriff|deputy|marshal|soldier"
    r"|knight|squire|guard"
    r"|king|queen|prince|princess|duke|duchess|lord|servant|maid|butler|housekeeper|gardener"
    r"|hostler|blacksmith"
    r"|merchant|trader|sailor|mate|first mate|pilot|cartographer|priest|preacher|bishop|nun|monk"
    r"|witch|wizard|mage"
    r"|apprentice|assassin|thief|hunter|farmer|baker|butcher|tailor|driver|mayor|governor"
    r"|secretary|assistant|intern"
    r"|librarian|banker|buyer|cashier|commander|general|admiral|steward|innkeeper|barkeep"
    r"|postmaster|schoolteacher|owner|ringmaster|clown|acrobat|juggler|conductor|landlord|landlady"
    r"|tenant|shopkeeper|grocer|fisherman|smuggler|pirate|gunner|bosun|quartermaster|navigator"
    r"|helmsman|stoker|miner|mechanic|carpenter|mason|midwife|apothecary|pharmacist|healer|scholar"
    r"|tutor|governess|chaplain|abbot|abbess|headmaster|headmistress|principal|coach|referee|agent"
    r"|spy|courier|messenger|scribe|archivist|curator|scientist|researcher|technician|medic|vet"
    r"|dentist|therapist|treasurer|chairman|chairwoman|chancellor|minister|senator|ambassador"
    r"|councillor|warden|ranger|scout|watchman|gatekeeper|caretaker|janitor|porter|receptionist"
    r"|dancer|musician|composer|poet|photographer|producer|foreman|overseer|chief|lookout)"
)
LIMB = (
    r"(?:leg|arm|wrist|ankle|ribs?|hand|foot|knee|shoulder|elbow|finger|thumb|hip|collarbone|back"
    r"|head|eye)"
)
# Further rules: a facet, what a sentence must hold for it to be tried, a mark and a pattern.
MORE: tuple[tuple[str, str, str, str], ...] = (
    # where somebody sleeps, is put up, or has a room
    (
        "home",
        "sleep|bunk|stay|lodg",
        "assigns",
        rf"\b(?P<p>you|I|he|she)(?:['’]ll| will|['’]re| are|['’]s| is| am|['’]m"
        rf"| can)?\s+(?:be )?(?:sleep(?:ing|s)?|bunk(?:ing|s)?"
        rf"|stay(?:ing|s)?|lodg(?:ing|es?)) (?P<v>(?:in|at|above|over|on|aboard|with) (?:the|my"
        rf"|our|his|her|an?|(?-i:[A-Z]\w+))\s*{NOUN}){END}",
    ),
    (
        "home",
        "bunk|bed|room|quarters|cabin|berth|lodgings|digs",
        "assigns",
        rf"\b(?P<p>my|your|his|her) (?:bunk|bed|room|quarters|cabin|berth|lodgings|digs)(?:['’]s"
        rf"| is| was) "
        rf"(?P<v>(?:in|on|at|above|over|next to|behind) {NOUN}){END}",
    ),
    (
        "home",
        "room|cabin|flat|cottage|attic|loft|berth|house",
        "changes",
        rf"\b(?:takes?|took|rents?|rented|shares?|has) (?P<v>(?:the|a|an|his|her"
        rf"|my) (?:\w+ )?(?:room|rooms|cabin|flat|cottage|attic|loft|berth|house)"
        rf"(?: (?:over|above|at|in|on|with|of|next to|off) {NOUN})?){END}",
    ),
    (
        "home",
        "out of",
        "ends",
        rf"\b(?:mov(?:es?|ed|ing)|cleared) out of (?P<v>(?:the|his|her|my|our"
        rf"|(?-i:[A-Z]\w+)['’]s) {NOUN}){END}",
    ),
    # what somebody does
    (
        "work",
        "skipper|manage|tend |tends|teach|drive|flies|i fly|captain|edit|command|guard|farm|bake"
        "|mends|runs|i run|keeps|i keep|sails|pilot|waits|i wait",
        "habit",
        rf"\b(?P<v>(?:skippers?|manages?|tends?|teach(?:es)?|drives?|flies|fly|captains?|edits?"
        rf"|commands?|minds|guards?|farms?|bakes?|mends|runs?|keeps?|sails?|pilots?|waits?)"
        rf" (?:the|an?|tables|bar|for)(?: (?!time|day|night|hand|way){NOUN})?){END}",
    ),
    (
        "work",
        "given up|left|quit",
        "ends",
        rf"\b(?:has|had|have|['’]s|['’]ve) (?:given up|left|quit) (?P<v>(?:the|his|her"
        rf"|my) {NOUN}){END}",
    ),
    ("work", "dismissed", "ends", r"\b(?:has been|had been|was|were|been|is) dismissed(?P<v>)\b"),
    (
        "role",
        "of the|of this|of our|of a |at the|at this|at our|for the|for this|for our",
        "",
        rf"(?<=, )(?:the |an? )?(?P<v>{ROLE}) (?:of|at|for) (?:the|this|our|a)\b",
    ),
    (
        "role",
        "any more|anymore|any longer",
        "ends",
        rf"\b(?:isn|wasn|am no|ain)['’]t (?:the |an? )?(?P<v>{ROLE}) any ?(?:more|longer)",
    ),
    (
        "role",
        "make|made|name|elect|appoint|confirm",
        "changes",
        rf"\b(?:make|makes|made|name[sd]?|elect(?:s|ed)?|appoint(?:s|ed)?|confirm(?:s"
        rf"|ed)?) (?P<o>(?-i:[A-Z]\w+)(?: (?-i:[A-Z]\w+))?)\s+(?:as "
        rf"|to be )?(?:the )?(?P<v>{ROLE})\b",
    ),
    # who has a thing
    (
        "owns",
        "key|deed|ring|map|book|sword|pistol|gun|letter|crown|amulet|locket|seal|badge|box|money"
        "|chart|ledger",
        "",
        r"\b(?:has|keeps|holds|carries|wears|have) (?P<t>the (?:\w+ )?(?:keys?|deed|ring|map"
        r"|book|sword|pistol|gun|letter|letters|crown|amulet|locket|seal|badge|box|money|chart"
        r"|ledger))"
        r" (?:on|in|at|round|around) (?:a \w+ (?:on|at|in|round|around) )?(?:my|his|her)\b",
    ),
    (
        "owner",
        "mine|yours|hers|his",
        "changes",
        r"(?<![a-z,] )\b(?P<t>this|that|it)(?:['’]s| is) (?P<v>mine|yours|his|hers)(?: now)?\b",
    ),
    (
        "owns",
        "unhook|took|take|snatch|grab|pocket|seiz|inherit|claim",
        "passes",
        rf"\b(?:unhook(?:s|ed|ing)|took|takes|snatch(?:es|ed)|grab(?:s|bed)|pocket(?:s|ed)"
        rf"|seiz(?:es|ed)|inherit(?:s|ed)|claim(?:s|ed)) (?P<t>the {NOUN}) (?:from"
        rf"|off) {NOUN}{END}",
    ),
    (
        "owner",
        "'s,|'s.|'s;|’s,|’s.|’s;",
        "",
        r"\b(?P<t>it|that|the \w+)(?:['’]s| is) (?P<v>(?-i:[A-Z]\w+)['’]s)(?=[,.;])",
    ),
    # how much
    (
        "amount",
        "owe|owing|arrears|debt",
        "",
        rf"\b(?P<t>owe[sd]?|owing|arrears|debts?)\b[\w\s]{{0,24}}? (?P<v>{NUM}(?: (?:hundred"
        rf"|thousand|million))?)\b",
    ),
    (
        "amount",
        "there",
        "",
        rf"\bthere(?:['’]s| is| are| was| were) (?:only |still "
        rf"|just )?(?P<v>{NUM}(?: (?:hundred|thousand))?(?: \w+)?) (?:left )?in (?P<t>(?:the|my"
        rf"|our|his|her) [\w\-]+)",
    ),
    (
        "amount",
        "in it",
        "",
        rf"\b(?P<t>(?:the|my|our|his|her) (?:\w+ )?[\w\-]+) (?:had|has|holds|held) (?:only "
        rf"|still |just )?(?P<v>{NUM}(?: (?:hundred|thousand))?(?: \w+)?) in it\b",
    ),
    # what hurts, and what no longer does
    (
        "hurt",
        "tore|torn|bro|sprain|twist|crack|fractur|bruis|burn|dislocat|smash|gash|wrench|hurt"
        "|crush|shatter|bad |injur|lame|bandag|splint|swollen|sling|cast|plaster|useless",
        "",
        rf"\b(?:(?:tore|torn|broke|broken|sprained|twisted|cracked|fractured|bruised|burned|burnt"
        rf"|dislocated|smashed|gashed|wrenched|hurt|crushed|shattered) (?:my|his|her|(?P<v>it)"
        rf"|both (?:my|his|her))"
        rf"|(?P<w>(?:bad|broken|sprained|injured|lame|torn|bandaged|splinted|swollen"
        rf"|burned) (?:\w+ )?{LIMB})|(?P<x>{LIMB}(?:['’]s| is) (?:broken|sprained|in a sling"
        rf"|in a cast|in plaster|burned|useless)))\b",
    ),
    (
        "well",
        "t hurt|t ach|t trouble|t pain|no longer|not hurt|sling|cast |plaster|bandage|splint"
        "|stitch|crutch|bone|without",
        "changes",
        rf"\b(?P<v>{LIMB} (?:doesn|does not|no longer|hasn|isn|didn)\w*(?:['’]t)? (?:hurts?"
        rf"|hurting|aches?|pains?|troubles?)|(?:sling|cast|plaster|bandages?|splints?|stitches"
        rf"|crutch(?:es)?) (?:is|are|was|were|has been|have been|['’]s) (?:gone|off|out)"
        rf"|(?:sling|cast|plaster|bandages?|splints?|stitches) (?:came|comes|come) (?:off|out)"
        rf"|bone (?:had|has) (?:knit|set|healed)|threw away (?:his|her|my) crutch(?:es)?"
        rf"|walks? without (?:the|a|his|her|my) (?:stick|cane|limp|crutch(?:es)?))\b",
    ),
    # who belongs together, and no longer does
    (
        "bond",
        "married|engaged|couple|courting",
        "",
        r"\b(?:we['’]re|we are|they['’]re|they are) (?P<v>(?:getting|to be) married|engaged"
        r"|a couple|courting)\b",
    ),
    (
        "bond",
        "wedding|engagement|marriage|marry| off|left my|left his|left her",
        "ends",
        r"\b(?:the )?(?:wedding|engagement|marriage)(?:['’]s| is| was) (?:off|over|called off"
        r"|broken)(?P<v>)\b|\b(?:broke|breaks|broken|called|calls) (?:it|things|the (?:engagement"
        r"|wedding)) off\b"
        r"|\b(?:not going to|won['’]t|will not|never) marry\b|\bleft (?:my|his|her) (?:husband"
        r"|wife|fianc[ée]e?)\b",
    ),
)
