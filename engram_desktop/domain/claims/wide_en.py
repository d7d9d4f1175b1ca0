"""English by classes of verbs, whatever the values: whose a task or thing is, ranks, rooms, hurts.

Rows are as in `changes_en`: a facet, what a sentence must hold, a mark and a pattern.
"""

from __future__ import annotations

from engram_desktop.domain.claims.states_en import END, NOUN

_WHO = r"(?:(?-i:[A-Z])[\w\-]+(?: (?-i:[A-Z])[\w\-]+)?|me|you|him|her)"
_OF = r"(?:the|my|your|his|her|our|their|its|this|that)"
_THING = rf"(?P<t>{_OF} (?:[\w'’\-]+ ){{0,3}}?[\w\-]+)"
_BEEN = r"(?:is|was|were|are|has been|had been|have been|['’]s been|gets|got|being)"
_STOP = (
    r"(?=\s*[.,;:!?\"”*—)]|$| (?:and|but|now|then|so|when|while|at|in|on|for|from|until|after"
    r"|before|as|with|that|this|last|to)\b)"
)
# What somebody sees to, beside what ends in -ing.
_TASKS = (
    r"(?:\w+ing|books|accounts|fires|laundry|dishes|shopping|garden|rounds|paperwork|lamps|errands"
    r"|watch|night watch|ledgers?|housework|gardens|chores|bills|keys|hens|horses|rota|repairs"
    r"|maps?|navigation|cooking)"
)
# What is told of by the place that it has in a house, ship or camp.
_ROOM = (
    r"(?:rooms?|cabin|berth|bunk|bed|quarters|attic|loft|garret|cell|tent|flat|suite|chambers?"
    r"|barracks|dormitory|dorm|house|cottage|apartment|hold|tower|lodgings|hammock|hut|lodge"
    r"|stable|wing|deck|floor|basement|cellar|shed|container|store|inn|hotel|hostel|shelter|studio"
    r"|bedroom|ward|caravan|trailer|farmhouse|villa|palace|monastery|convent|boat|barge)"
)
_PART = (
    r"(?:necks?|fingers?|waist|belt|hips?|wrist|hands?|pockets?|bag|pack|shoulders?|back|arms|lap"
    r"|palm|chest|sleeve|boot|pouch|satchel|saddlebag|cloak|jacket|coat|throat|hair|ears?|head"
    r"|keeping|possession|custody|care|thigh|side|side|holster|purse|apron|vest|fist|grip)"
)

WIDE: tuple[tuple[str, str, str, str], ...] = (
    # who sees to what
    (
        "owns",
        "does|do the|did the|do all",
        "states",
        rf"\b(?:do(?:es)?|did)(?: all)? (?P<t>(?:the|our|my|his|her) (?:\w+ )?{_TASKS}){_STOP}",
    ),
    (
        "owns",
        "in charge of|responsible for|looks after|looked after|sees to|saw to|oversees|oversaw"
        "|supervis|commands|commanded|kept the|keeps the|stood the|ran the|runs the|leads the"
        "|led the|handles|handled",
        "states",
        r"\b(?:in charge of|responsible for|looks? after|looked after|sees? to|saw to|oversees"
        r"|oversaw|supervise[sd]|commands|commanded|keeps|kept|stands|stood|runs|ran|leads|led"
        rf"|handles|handled) (?P<t>(?:the|our) (?:[\w'’\-]+ ){{0,2}}?[\w\-]+){_STOP}",
    ),
    (
        "owns",
        "over the|over as|charge of|over from",
        "changes",
        r"\b(?:takes?|took|taken|taking) (?:over|charge of|command of|control of|possession of)"
        rf" (?P<t>(?:the|his|her|my|your|our) (?:[\w'’\-]+ ){{0,2}}?[\w\-]+){_STOP}",
    ),
    (
        "owner",
        "passed|passes|went|goes|fell|falls|came|comes|reverted|reverts",
        "changes",
        rf"\b(?P<t>(?:the |command of |control of |charge of )?(?:the|his|her|my|our)"
        rf" (?:[\w'’\-]+ ){{0,2}}?[\w\-]+)(?: has| had)? (?:passe[sd]|went|goes|gone|fell|fallen"
        rf"|falls|came|comes|reverts|reverted) (?:back |down |over )?to (?P<v>{_WHO}){_STOP}",
    ),
    (
        "owner",
        "given|handed|passed|turned over|signed over|left to|entrusted|assigned|transferred"
        "|made over|deeded|bequeathed|awarded|sold to|lent to|promised|restored|returned",
        "changes",
        rf"\b{_THING} {_BEEN} (?:[\w, ]{{0,30}}?and )?(?:given|handed|passed|turned|signed|left"
        r"|entrusted|assigned|transferred|made|deeded|bequeathed|awarded|sold|lent|restored"
        rf"|returned) (?:back |over |on |down )?to (?P<v>{_WHO}){_STOP}",
    ),
    (
        "given",
        "left|leaves|willed|wills|bequeath|signed|signs|hand|turn|deed|made over|entrust|pass"
        "|give|gave|lend|lent|return|sold|sells|restor|yield|surrender|cede",
        "changes",
        r"\b(?:left|leaves|willed|wills|bequeath(?:s|ed)|sign(?:s|ed)(?: over)?|hand(?:s"
        r"|ed)(?: over"
        r"| back| down)?|turn(?:s|ed) over|deed(?:s|ed)|made over|entrust(?:s|ed)|pass(?:es"
        r"|ed)(?: on"
        r"| down)?|gave(?: back)?|gives(?: back)?|lent|lends|return(?:s|ed)|sold|sells|restore[sd]"
        rf"|yield(?:s|ed)|surrender(?:s|ed)|cede[sd]) {_THING} (?:over |back |on )?to"
        rf" (?P<v>{_WHO}){_STOP}",
    ),
    (
        "owner",
        "'s now|’s now|'s. |’s.|'s,|’s,|'s)|was |is ",
        "",
        rf"\b{_THING} (?:is|was)(?: now| still)? (?P<v>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?)['’]s"
        r"(?=[.,;!\"”*]|$| now\b| again\b| alone\b)",
    ),
    (
        "owns",
        " from | off ",
        "changes",
        r"\b(?:stole|steals|stolen|took|takes|taken|won|wins|bought|buys|inherited|inherits"
        r"|snatched|snatches|borrowed|borrows|claimed|seized|seizes|confiscated|wrested|got|gets)"
        rf" {_THING} (?:from|off) (?:{_WHO}|the|his|her|my|their)\b",
    ),
    (
        "given",
        "around|round|about|over|on |onto|into|in ",
        "changes",
        r"\b(?:fasten(?:s|ed)|ti(?:es|ed)|hung|hangs|clasp(?:s|ed)|loop(?:s|ed)|slip(?:s|ped)|slid"
        r"|slides|press(?:es|ed)|put|puts|push(?:es|ed)|close[sd]|drap(?:es|ed)|pin(?:s|ned)|lays"
        rf"|laid|settle[sd]|drop(?:s|ped)) (?P<t>it|them|{_OF} (?:[\w'’\-]+ )?[\w\-]+)"
        r" (?:around|round|about|over|on|onto|into|in|to|against)"
        rf" (?P<v>(?-i:[A-Z])\w+['’]s|my|his|her|your) (?:\w+ )?{_PART}\b",
    ),
    (
        "owner",
        " at his | at her | at my | on his | on her | on my | around | in his | in her | in my "
        "| over his | over her | over my | across his | across her ",
        "states",
        rf"\b{_THING} (?:at|on|around|round|in|over|across|against)"
        rf" (?P<v>his|her|my|your|(?-i:[A-Z])\w+['’]s) (?:\w+ )?(?:neck|hip|belt|waist|finger|wrist"
        r"|back|shoulder|throat|thigh)\b",
    ),
    (
        "owner",
        "my ship|my boat|my house|my land|my inn|my place|my tavern|my shop|my bar|my farm"
        "|my horse",
        "",
        r"\b(?:she|it|this|that)(?:['’]s| is) (?P<v>my) (?P<t>ship|boat|house|land|inn|place|tavern"
        r"|shop|bar|farm|horse|car|truck|plane|castle|hall|store|restaurant)\b",
    ),
    (
        "owner",
        "my ship|my boat|my house|my land|my inn|my tavern|my shop|my bar|my farm|my horse|my dog"
        "|my car",
        "",
        rf"\b{_THING}(?:['’]s| is| was) (?P<v>my) (?:ship|boat|house|land|inn|tavern|shop|bar"
        rf"|farm|horse|dog|car)\b",
    ),
    # where somebody lives
    (
        "home",
        "move|shift|transfer|relocat",
        "changes",
        r"\b(?:move[sd]?|shift(?:s|ed)?|transfer(?:s|red)?|relocate[sd]?)(?: (?:my|his|her|your)"
        r" (?:things|bags?|trunk|kit|gear|duffel|bedroll|books|belongings|stuff))?(?: (?:up|down"
        r"|out"
        r"|back|over|across))?(?: from [^.,;]{2,30}?)?"
        rf" (?P<v>(?:in|into|to) {_OF} (?:[\w'’\-]+ ){{0,3}}?{_ROOM})\b",
    ),
    (
        "home",
        "be sleeping|sleep in|sleeping in|have the|bunk in|bunking|billeted|quartered|housed",
        "assigns",
        rf"\b(?P<p>you)(?:['’]ll| will| can) (?:be (?:sleeping|staying|bunking|living)|sleep|stay"
        rf"|bunk|live|have) (?:in |on |at |with )?(?P<v>{_OF} (?:[\w'’\-]+ ){{0,3}}?{_ROOM})\b",
    ),
    (
        "home",
        "sleeping|sleeps|slept|bunk|billeted|quartered|housed|camped|camping|put up",
        "",
        r"\b(?:(?:was|is|were|had been|has been|been|am|are) (?:sleeping|bunking|billeted|quartered"
        r"|housed|camping|put up|living|staying|lodging)|sleeps|slept|bunk(?:s|ed)|lodge[sd])"
        rf" (?P<v>(?:in|on|at|above|over|under|behind|aboard) {_OF} (?:[\w'’\-]+ )"
        rf"{{0,3}}?{_ROOM})\b",
    ),
    (
        "home",
        "gave |give |given |found |finds |offered ",
        "assigns",
        rf"\b(?:gave|give|gives|given|found|finds|offered|offers) (?P<whom>{_WHO})"
        rf" (?P<v>(?:an?|the|his|her|my|your) (?:[\w'’\-]+ ){{0,3}}?{_ROOM}(?: (?:in|over|above|at"
        rf"|by|on|under|behind|with|off) {NOUN})?){END}",
    ),
    (
        "home",
        "set up home|set up house|made her home|made his home|settled in|settled down"
        "|put down roots",
        "changes",
        rf"\b(?:set up (?:home|house)|made (?:his|her|my|their|a) home|settled(?: down)?|put down"
        rf" roots) (?P<v>(?:in|at|on|near|above|by|with) {NOUN}){END}",
    ),
    (
        "home",
        "quarters|room|bunk|cabin|bed",
        "states",
        rf"\b(?P<o>(?-i:[A-Z]\w+))['’]s (?:quarters|room|rooms|bunk|cabin|bed|berth|tent) (?:were"
        rf"|was"
        rf"|is|are) (?P<v>(?:in|on|at|above|over|behind|under|next to) {NOUN}){END}",
    ),
    # what somebody is: two states in one sentence, posts that pass on
    (
        "role",
        "rose a|stood up a|came out a|came back a|left a|returned a|walked out a|woke a",
        "changes",
        r"\b(?:rose|stood up|came out|came back|left|returned|walked out|woke) an? (?P<v>knight"
        r"|lord"
        r"|lady|captain|king|queen|priest|priestess|doctor|officer|sergeant|major|colonel|general"
        r"|wizard|mage|master|baron|baroness|countess|count|duke|duchess|citizen|free (?:man|woman)"
        r"|widow|prince|princess)\b",
    ),
    (
        "work",
        "badge|commission|notice|resignation|uniform|apron|sword|insignia|keys|seal|robes|collar"
        "|papers|stethoscope|whistle|crown",
        "ends",
        r"\b(?:laid|lays|set|sets|put|puts|placed|places|threw|throws|took off|takes off|hung up"
        r"|hangs up|unpinned|unpins|tossed|tosses|pushed|pushes|slid|slides) (?:down )?(?:my|his"
        r"|her|your) (?:badge|commission|resignation|uniform|insignia|apron|robes|collar|crown)"
        r"(?P<v>)\b",
    ),
    (
        "role",
        "chair|chief|head|master|mistress|keeper|captain|warden|acting|retired|director|manager",
        "fragment",
        r"(?:The |Our |An? )?(?P<v>(?:Chair(?:man|woman)|Chief|Head|Master|Mistress|Keeper|Captain"
        r"|Warden|Director|Manager|Steward) (?:of|at) (?:the )?\w+(?: \w+)?(?=\.)"
        r"|(?:\w+ )?(?:[Cc]hief|[Dd]irector|[Mm]anager|[Cc]aptain|[Hh]ead)(?=, (?:acting"
        r"|retired)\b))",
    ),
    (
        "work",
        "second in command|third in command|head of|chairman|chairwoman|chief of|master of|mistress"
        "|keeper of|captain of|warden of|steward of|lord of|lady of",
        "states",
        r"\b(?:is|was|['’]s|['’]m|am|as|are|['’]re) (?:the |acting |our )?(?P<v>(?:second|third) in"
        r" command|(?:head|chair(?:man|woman)|chief|master|mistress|keeper|captain|warden|steward"
        rf"|lord|lady) of (?:the )?{NOUN}){END}",
    ),
    (
        "work",
        "laid down|lays down|steps down|stepped down|stood down|stands down|abdicat|gave up the"
        "|gives up the|out of office|voted out|relieved of|stripped of|put out to|pensioned",
        "ends",
        r"\b(?:laid down|lays down) (?:the|his|her|my) \w+(?:y|ship|cy|office|post"
        r"|command)(?P<v>)\b"
        r"|\b(?:steps|stepped|stood|stands) down(?P<w>)(?= as| from|[.,;!]|$)"
        r"|\babdicate[sd](?P<x>)",
    ),
    # what hurts, and what no longer does
    (
        "well",
        "crutch|sling|cast|bandage|splint|stitches|brace|plaster|patch|cane|walking stick"
        "|wheelchair"
        "|strap|dressing|eyepatch|linen",
        "changes",
        r"\b(?P<v>(?:without|no longer (?:needs?|needed|uses?|used)|threw away|throws away|burned"
        r"|left behind|off with|did(?:n['’]t| not) need|rid of|out of|had done with|finished with)"
        r" (?:the|his|her|my|your|a) (?:old )?(?:crutch(?:es)?|sling|cast|bandages?|splints?|brace"
        r"|plaster|eyepatch|cane|walking stick|stick|wheelchair))\b",
    ),
    (
        "well",
        "mended|healed|knitted|knit |as new|up and about|on the mend|back on|recovered|on his feet"
        "|on her feet|on my feet|cured|never better|right as rain|fully fit|fighting fit|fit as"
        "|antidote|scar",
        "changes",
        r"\b(?P<v>(?:is|was|are|were|['’]s|has|had|have|['’]ve) (?:\w+ )?(?:mended|healed|knitted"
        r"|knit|cured|recovered)|good as new|as good as new|up and about|back on (?:his|her|my"
        r"|your)"
        r" feet|on (?:his|her|my|your) feet again|right as rain|fighting fit|fit as a fiddle|never"
        r" better|(?:healed|faded|knitted) (?:to|into) an? (?:\w+ )?scar)\b",
    ),
    (
        "well",
        "both eyes|could see|can see|can walk|could walk|sight|voice|hearing|memory",
        "changes",
        r"\b(?P<v>(?:can|could) (?:see|walk|hear|speak|talk|run|stand|move (?:it|them|her|his|my)"
        r" ?\w*)(?: \w+){0,4}? (?:again|now|both eyes)|(?:sight|voice|hearing|memory|strength)"
        r"(?: \w+)? (?:came back|had come back|returned|had returned|has returned|is back"
        r"|was back))"
        r"\b",
    ),
    (
        "hurt",
        "lost his voice|lost her voice|lost my voice|lost his sight|lost her sight|lost his memory"
        "|lost her memory|lost my memory|lost his hearing|lost her hearing|lost my sight",
        "",
        r"\b(?:has |had |have |['’]ve |['’]d )?(?P<v>lost (?:his|her|my|your) (?:voice|sight|memory"
        r"|hearing))\b",
    ),
    (
        "hurt",
        "broken|sprain|crack|fractur|dislocat|twist|torn|bruis|shatter|wrench",
        "states",
        r"\b(?:got|has|have|had|['’]ve got|['’]s got) (?:an? |two |three |some )?(?P<v>(?:broken"
        r"|sprained|cracked|fractured|dislocated|twisted|torn|bruised|shattered|wrenched)"
        r" (?:\w+ )?\w+)\b",
    ),
    # whom somebody is bound to
    (
        "bond",
        "gave the ring back|gave back the ring|returned the ring|ring back|called it off"
        "|broke it off"
        "|took off the ring|took off her ring|took off his ring",
        "ends",
        r"\b(?:gave|gives|hands|handed|sent|threw|throws) (?:the|his|her|him|you|me)?(?: the| his"
        r"| her)? ?ring back(?P<v>)|\b(?:gave back|returned|took off) (?:the|his|her|my) (?:wedding"
        r" |engagement )?ring(?P<w>)\b|\b(?:called|broke) it off(?P<x>)\b",
    ),
    (
        "bond",
        "shook hands|made peace|buried the hatchet|made it up|made up with|forgave|forgives"
        "|reconcile|friends now|allies now|enemies now|trusted|trusts",
        "changes",
        r"\b(?P<v>(?:shook|shake|shakes) hands on it|(?:made|make) (?:it up|peace)"
        r"|buried the hatchet"
        r"|(?:are|were|['’]re) (?:friends|allies|enemies|strangers|lovers|partners|sisters"
        r"|brothers)"
        r" now|(?:has |had )?forg(?:ave|iven|ives)|trust(?:ed|s) \w+ (?:with|now))\b",
    ),
    # where somebody was kept or posted
    (
        "at",
        "recalled|posted|stationed|transferred|reassigned|sent home|discharged|called back",
        "turns",
        r"\b(?:is|was|were|been|has been|had been|got) (?:recalled|posted|transferred|reassigned"
        r"|called back|sent) (?P<v>(?:back )?(?:to|home)\b[^.,;:!?\n\"”*—]{0,40})",
    ),
    (
        "at",
        "free|at large|at liberty",
        "over",
        r"\b(?:is|was|were|am|are|['’]s|['’]m) (?:free|at large|at liberty|a free (?:man|woman))"
        r"(?P<v>)(?=[.,;!\"”*]|$| again| now| at last)",
    ),
)
