"""English words for roles, numbers and limbs, and patterns for states of people and things."""

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
# After a noun that is no object: flour sacks you hear.
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

# Further rules: a facet, hints, a mark and a pattern.
MORE: tuple[tuple[str, str, str, str], ...] = (
    # where a person sleeps, stays, or has a room
    (
        "home",
        "sleep|bunk|stay|lodg",
        "assigns",
        rf"\b(?P<p>you|I|he|she)(?:['’]ll| will|['’]re| are|['’]s| is| am|['’]m"
        rf"| can)?\s+(?:be )?(?:sleep(?:ing|s)?|bunk(?:ing|s)?"
        rf"|stay(?:ing|s)?|lodg(?:ing|es?)) (?P<v>(?:in|at|above|over|on|aboard|with) (?:the|my"
        rf"|our|his|her|an?|(?-i:[A-Z]\w+))\s*{NOUN}){END}",
    ),
    # owner of a thing
    (
        "owner",
        "mine|yours|hers|his",
        "changes",
        r"(?<![a-z,] )\b(?P<t>this|that|it)(?:['’]s| is) (?P<v>mine|yours|his|hers)(?: now)?\b",
    ),
    # amounts
    (
        "amount",
        "owe|owing|arrears|debt",
        "",
        rf"\b(?P<t>owe[sd]?|owing|arrears|debts?)\b[\w\s]{{0,24}}? (?P<v>{NUM}(?: (?:hundred"
        rf"|thousand|million))?)\b",
    ),
    # injuries, and recovery
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
    # bonds between people, and their end
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
    (
        "home",
        "you're in|you’re in|i'm in|i’m in|you're on|you’re on|you are in",
        "assigns",
        rf"\b(?P<p>you|I){_BE} (?:now )?(?P<v>(?:in|on|above|over) {_WHOSE} (?:\w+ ){{0,2}}{_ROOM})"
        rf"\b",
    ),
    ("role", ",", "beside", rf"(?<=, )(?:the |my |our )?(?P<v>{_OFFICE})(?=[.,!;])"),
    (
        "role",
        "you're|you’re|i'm|i’m|you are|is now|are now|am now|now",
        "changes",
        rf"\b(?:(?P<p>I|you|he|she){_BE} (?:the )?(?P<v>{_OFFICE}) now\b"
        rf"|(?:is|are|am|['’]s|['’]re|['’]m) now (?:the |an? |our |my )?(?P<w>{_OFFICE})\b)",
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
        "well",
        "good as|right as|mended|healed|knit|sound again|whole again",
        "changes",
        rf"\b(?P<v>(?:good|right) as (?:new|ever|rain)|it(?:['’]s| has| is) (?:all |fully"
        rf" )?(?:mended"
        rf"|healed|knit)|{_LIMBS}[^.!?,;]{{0,20}} (?:healed|mended|knit|sound again|whole"
        rf" again))\b",
    ),
    (
        "bond",
        "ring",
        "refuses",
        r"\b(?:works?|worked|pulls?|pulled|twists?|twisted|slides?|slid|takes?|took|tugs?|tugged"
        r"|wrench(?:es|ed)) (?:an?|the|her|his|my) (?:\w+ )?ring (?:\w+ly )?off\b(?P<v>)",
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
        "hand|palm|arms|lap|pocket|fist",
        "changes",
        r"\b(?:puts?|press(?:es|ed)|lays?|laid|drops?|dropped|sets?|tucks?|tucked|slips?|slipped"
        r"|plac(?:es|ed)|push(?:es|ed)|thrusts?) (?P<t>(?:the|an?|my|his|her|that|this)"
        r" [\w'’\-]+(?: [\w'’\-]+)?|it) (?:in|into|on) (?P<v>my|your|his|her|(?-i:[A-Z]\w+)['’]s)"
        r" (?:\w+ )?(?:hands?|palms?|arms|lap|pocket|fists?|fingers)\b",
    ),
    (
        "origin",
        "born |grew up|raised|brought up",
        "",
        r"\b(?P<t>born|grew up|raised|brought up) (?:and (?:raised|bred) )?(?:in|on|at|aboard)"
        r" (?:the )?(?P<v>(?-i:[A-Z]\w+)(?: (?-i:[A-Z]\w+))?)",
    ),
    (
        "role",
        "make|made|name|elect|appoint|confirm",
        "changes",
        rf"\b(?:make|makes|made|name[sd]?|elect(?:s|ed)?|appoint(?:s|ed)?|confirm(?:s"
        rf"|ed)?) (?P<o>(?-i:[A-Z]\w+)(?: (?-i:[A-Z]\w+))?)\s+(?:as "
        rf"|to be )?(?:the )?(?P<v>{ROLE})\b",
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
)
