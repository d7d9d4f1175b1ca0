"""English frames of everyday speech: a class of nouns or verbs in each way of saying it.

Rows are as in `turns_en`: a facet, what a sentence must hold, a mark and a pattern. What is told
without a verb of its own (a fragment, a gift, a swap, a bandage that came off) stands here.
"""

from __future__ import annotations

from engram_desktop.domain.claims.states_en import LIMB, NUM, ROLE

_TAIL = r"[^.,;:!?\n\"”*—]{2,60}"
_BE = r"(?:\b(?:am|is|are|was|were)|['’](?:m|s|re))"
_HAVE = r"(?:\b(?:have|has|had|got)|['’](?:ve|s|d) got|['’]ve|['’]s had|['’]ve had)"
_WHOM = r"(?P<whom>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+){0,2}|him|her|me|you)"
_NAME = r"(?-i:[A-Z])\w+"
_WHOSE = r"(?:the|my|your|his|her|our|their|this|that|(?-i:[A-Z])\w+['’]s)"
_THING = rf"(?P<t>(?:it|them|{_WHOSE} (?:[\w'’\-]+ ){{0,2}}?[\w\-]+))"
_NEW = (
    r"(?:now|these days|from now on|from (?:today|tonight|tomorrow|this \w+)|as of \w+|as of now)"
)
# Where people are put up; a kitchen or a garden is no such place.
_LODGING = (
    r"(?:attic|loft|garret|basement|cellar|bunk ?room|bunkhouse|bunk|cot|berth|cabin|dorm"
    r"|dormitory|barracks|tent|trailer|caravan|camper|container|hut|shack|cottage|lodge|annexe?"
    r"|guest ?house|guest ?room|spare room|box ?room|back room|top floor|ground floor|flat"
    r"|apartment|studio|penthouse|suite|room|rooms|quarters|lodgings|digs|hostel|motel|hotel|inn"
    r"|boarding house|convent|monastery|chapel|rectory|vicarage|orphanage|shelter|squat|couch"
    r"|sofa|wing|stables?|hayloft|houseboat|farmhouse|chambers?)"
)
_BELONGINGS = (
    r"(?:things|stuff|trunks?|bags?|boxes|bedroll|bedding|clothes|suitcases?|furniture|bed|books"
    r"|belongings|gear|kit|luggage)"
)
_ILLNESS = (
    r"(?:ague|fever|flu|influenza|pneumonia|consumption|cancer|gout|plague|malaria|cholera|typhus"
    r"|scurvy|pox|asthma|diabetes|arthritis|bronchitis|jaundice|dysentery|anaemia|anemia|amnesia"
    r"|rheumatism|epilepsy|concussion|frostbite|sunstroke|migraines?|shingles|tumou?r|infection"
    r"|cough|limp|stammer|stutter|rash|blisters|the shakes|the shingles|fits|seizures)"
)
_DRESSING = (
    r"(?:cast|boot|brace|splints?|bandages?|gauze|dressings?|stitches|plaster|sling|eye ?patch"
    r"|crutch(?:es)?"
    r"|cane|stick|wheelchair)"
)
_SENSES = (
    r"(?:walk|run|see|hear|speak|talk|stand|breathe|move|read|write|sing|dance|sit up|eat|sleep)"
)
_OFFICE = (
    rf"(?:{ROLE}|leader|boss|head|skipper|keeper|taster|bookkeeper|accountant|bouncer|caddie|dean"
    r"|executor|heir|regent|champion|sentry|nanny|usher|editor-in-chief|number two"
    r"|second-in-command)"
)

_HOME: tuple[tuple[str, str, str, str], ...] = (
    (
        "home",
        "attic|loft|garret|basement|cellar|bunk|cot|berth|cabin|dorm|barrack|tent|trailer|caravan"
        "|camper|container|annex|guest|spare|box|back room|floor|hostel|motel|convent|monastery"
        "|orphanage|shelter|squat|couch|sofa|stable",
        "at",
        rf"{_BE} (?:still )?(?:up |down |out |over |back )?(?P<v>(?:in|on|at|above) (?:the|an?)"
        r" (?:[\w\-]+ ){0,2}?(?:attic|loft|garret|basement|cellar|bunk ?room|bunkhouse|cot|berth"
        r"|dorm|dormitory|barracks|trailer|caravan|camper|container|annexe?|guest ?house"
        r"|guest ?room|spare room|box ?room|back room|top floor|hostel|motel|convent|monastery"
        r"|orphanage|shelter|squat|couch|sofa)|in (?:(?:bunk ?|bed)?room|berth|cabin|bunk|cell"
        r"|suite|apartment|flat|dorm|pod) (?!with|for|and|in|at|on|of)[\w\-]+)\b(?! (?:door|window"
        r"|stairs))",
    ),
    (
        "home",
        "attic|loft|garret|basement|cellar|bunk|cot|berth|cabin|dorm|floor|room|couch|sofa|flat"
        "|apartment|studio",
        "is",
        rf"{_HAVE} (?P<v>(?:the|an?|my own|his own|her own) (?:[\w\-]+ ){{0,2}}?(?:attic|loft"
        r"|garret|basement|cellar|bunk ?room|top bunk|bottom bunk|cot|berth|cabin|dorm|top floor"
        r"|ground floor|back room|spare room|box ?room|couch|sofa|flat|apartment|studio)"
        r"(?: (?:over|above|at|in|on|off|by|near) [^.,;:!?\n\"”*—]{2,40})?)",
    ),
    (
        "home",
        "now|these days|from t|as of",
        "turns",
        rf"{_BE} (?:up |down |out |over |back )?(?P<v>(?:in|on|at|above|over|with) (?:the |an? |my"
        rf" |his |her )?(?:[\w\-]+ ){{0,2}}?{_LODGING}(?: [\w\-]+)?) (?:[^.,;!?]{{0,20}} )?{_NEW}\b"
        rf"|\bnow (?:{_BE} )?(?:up |down |out |over |back )?(?P<w>(?:in|on|at) the"
        rf" (?:[\w\-]+ )?{_LODGING})",
    ),
    (
        "home",
        " now |now up|now down",
        "turns",
        rf"{_BE} (?:up |down |out |over )(?P<v>[^.,;!?\"”]{{0,30}}) now\b(?! (?:that|and))",
    ),
    (
        "home",
        "new room|new place|new home|new flat|new house|new apartment|new quarters|new digs"
        "|new bunk|new bed|new cabin|new lodgings|new office|new address",
        "turns",
        r"\b(?P<p>[Mm]y|[Yy]our|[Hh]is|[Hh]er) new (?:room|place|home|flat|apartment|house|bed"
        rf"|bunk|quarters|digs|lodgings|cabin|office|address) ?(?:is|was|['’]s) (?P<v>{_TAIL})",
    ),
    (
        "home",
        "for you|for him|for her|for me|for mr|for m|up a |up the ",
        "turns",
        rf"\b(?:made|set|put|fixed|cleared|found|rented|got|readied|aired) (?:up "
        rf"|out )?(?P<v>(?:an?"
        rf"|the) (?:[\w\-]+ )?(?:{_LODGING}|bed|pallet|mattress|place)) (?:up )?for {_WHOM}\b",
    ),
    (
        "home",
        "swapped|traded|switched|changed|exchanged",
        "turns",
        r"\b(?:swapped|traded|switched|changed|exchanged) (?P<v>rooms|beds|bunks|cabins|floors"
        r"|flats|places|houses)\b",
    ),
    (
        "home",
        "things|stuff|trunk|bag|box|bed|clothes|suitcase|furniture|books|belongings|gear|kit"
        "|luggage",
        "turns",
        rf"\b(?:carried|brought|took|moved|dragged|hauled|shifted|lugged|sent|had|packed)"
        rf" (?:all )?(?:of )?(?P<p>my|your|his|her) (?:\w+ )?{_BELONGINGS} (?P<v>(?:up|down|over"
        rf"|out"
        rf"|across|into|to|from|fetched|moved|brought|sent|carried){_TAIL})",
    ),
)

_WORK: tuple[tuple[str, str, str, str], ...] = (
    (
        "role",
        "from to|as of|from now|from this|starting|effective",
        "turns",
        rf"{_BE} (?:the |our |my |an? )?(?P<v>(?:[\w\-]+ )?{_OFFICE})(?: (?:of|at|in) [\w'’ ]"
        rf"{{2,24}}?)?,? (?:from (?:today|tonight|tomorrow|now on|this \w+|\w+day)|as of \w+"
        rf"|starting \w+|effective \w+)",
    ),
    (
        "role",
        "new ",
        "turns",
        rf"{_BE} (?:the|our|my|your|their) new (?P<v>(?:[\w\-]+ )?{_OFFICE})\b",
    ),
    (
        "work",
        " at | at the | over at",
        "fragment",
        rf"\b(?P<v>(?:[A-Z][a-z\-]+ )?(?:(?i:{_OFFICE}))) (?:at|of|for|to|in) (?:the |our |this )?"
        r"[\w'’ ]{2,40}",
    ),
    (
        "work",
        "teach|nurse|cook|tend bar|drive|sing|play|paint|write|clean|wash|guard|sell|fix|preach"
        "|practise|practice|sew|bake|farm|fish|mine|deal|model|audit|coach|design",
        "is",
        r"\b(?:I|he|she|you|(?-i:[A-Z])\w+) (?P<v>(?:teach|nurse|cook|tend bar|drive|sing|play"
        r"|paint|write|clean|wash|guard|sell|fix|preach|practi[sc]e|sew|bake|farm|fish|deal|model"
        r"|audit|coach|design)(?:e?s)?(?: [\w\-]+){0,3}? (?:at|for|over at|down at|in) (?:the |our"
        r" |a )?(?!night|noon|home|least|last|all|once|first|me|you|him|her|it|them|the moment"
        r"|the morning|the evening)[\w'’ ]{3,40})",
    ),
    (
        "work",
        "done at|done with|finished at|finished with|through with|through at|quit",
        "over",
        rf"{_BE} (?:all )?(?:done|finished|through) (?:at|in) (?P<v>(?:the )?(?:{_NAME}|[\w\-]+)"
        r"[^.,;!?\"”]{0,30})",
    ),
    (
        "work",
        "start at|start in|starts at|starts in|starting at|starting in|begin at|begins at|starts"
        " as|start as|start with|starts with|start on",
        "turns",
        r"\b(?:start|starts|begin|begins|starting) (?P<v>(?:at|in|with|as) (?:the |an? |my )?"
        r"[\w'’\- ]{3,40}?)(?= (?:on )?(?:[A-Z]\w+day|next|tomorrow|this|in the)|[.,;!?])",
    ),
    (
        "work",
        "offered|hired|took the|took a",
        "turns",
        r"\b(?:offered|gave|hands?|handed) (?P<whom>me|him|her|you) (?P<v>(?:the|an?) (?:\w+ )?"
        r"(?:job|post|position|place|chair|library|shop|command|badge|desk|practice|parish|school"
        r"|contract|role|part)\b[^.!?]{0,60}\b(?:and )?(?:I|he|she|you) (?:said yes|took it"
        r"|accepted|take it|said I would))",
    ),
    (
        "work",
        "can't run|can’t run|cannot run|can't do|can’t do|can't lead|can’t lead|can't be|can’t be"
        "|can't keep|can’t keep|too old|too tired",
        "over",
        r"\b(?:can['’]t|cannot|can no longer) (?P<v>(?:run|lead|keep|manage|command) (?:the|an?"
        r"|this"
        r"|my) [\w\-]+)",
    ),
    (
        "work",
        "badge|star|apron|crown|collar|stripes|uniform|robe|chain of office|sash|baldric|armband",
        "turns",
        r"\b(?:pinned|put|strapped|buckled|set|hung|draped|fastened) (?:the|a|that) (?P<v>(?:\w+ )?"
        r"(?:badge|star|crown|chain of office|sash|baldric|armband|collar)) (?:\w+ )?(?:on|to|over"
        rf"|round|around) {_WHOM}\b",
    ),
    (
        "work",
        "badge|star|apron|crown|collar|stripes|sash|baldric",
        "turns",
        r"\b(?:pinned|put|strapped|buckled|fastened) (?:it|the (?P<v>badge|star|crown|sash|baldric"
        r"|collar)) (?:on|to) (?:his|her|my) own\b(?P<w>)",
    ),
)

_ALIVE: tuple[tuple[str, str, str, str], ...] = (
    (
        "dead",
        "make it|last breath|his last|her last|passed|never woke|did not wake|t wake|rise again"
        "|not rise|bled out|gone to god|to be done for|wake up",
        "is",
        r"\b(?:(?:didn['’]t|did not|never) (?:make it(?! (?:to|in|on|back|home|past|there|out"
        r"|as|through the door))|wake(?: up)? again|rise again|wake up)"
        r"|never woke(?: up)?(?! (?:him|her"
        r"|me|you))|breath(?:ed|es) (?:his|her|their) last|drew (?:his|her|their) last breath"
        r"|passed (?:on|in (?:his|her|the)|last|this|peacefully)|bled out"
        r"|went (?:[^.,;!?]{0,20} )?in (?:his|her) sleep)\b",
    ),
    (
        "dead",
        "lost |bur|carried off|took ",
        "is",
        rf"\b(?:[Ww]e|[Tt]hey) (?:lost|buried|['’]ve lost|have lost) {_WHOM}(?= (?:on|in|last|at"
        r"|this|to|yesterday|today|that)|[.,;!?])",
    ),
    (
        "dead",
        "nothing to be done|nothing anyone|nothing anybody|beyond help|no saving|past saving",
        "is",
        r"\b(?:nothing (?:(?:more |left )?to be done|any(?:one|body) could do) for|no saving) "
        r"(?P<whom>him|her|(?-i:[A-Z])\w+)\b",
    ),
    (
        "dead",
        "fell at|fell in|fell before|fell on the|fell with|went down with",
        "is",
        r"\b(?:fell (?:at|before|in battle|in the (?:fighting|battle|siege|charge|assault|breach)"
        r"|on the (?:field|wall|walls|barricades?))|went down with (?:the|his|her) (?:ship|boat)"
        r")\b(?! (?:the feet|her feet|his feet|my feet|your feet|once|last))(?! (?:his|her|my|your"
        r") (?:feet|knees))",
    ),
)

_BOND: tuple[tuple[str, str, str, str], ...] = (
    (
        "bond",
        "not engaged|not married|not together|not a couple|t engaged|t married|t together|not"
        " friends|t friends|not dating|t dating|not seeing|not betrothed",
        "over",
        r"(?:\b(?:are|am|is|were|was)|['’](?:re|m|s))(?: not|n['’]t) (?:even )?(?:engaged|married"
        r"|together|a couple|dating|friends|betrothed|an item)(?: any ?more| any longer| now)?"
        r"(?P<v>)(?= ?[.,;!?\"”*]| any| now| as of)",
    ),
    (
        "bond",
        "fianc|wife|husband|girlfriend|boyfriend|partner|sweetheart|betrothed",
        "fragment",
        r"\b(?:My|Our) (?:\w+ )?(?P<v>fianc[ée]e?|wife|husband|girlfriend|boyfriend|partner"
        r"|sweetheart|betrothed)(?=[.!…])",
    ),
    (
        "bond",
        "ring|her things|his things|letters",
        "over",
        r"\b(?:sent|gave|handed|threw|returned|posted|mailed) (?:(?:him|her|you|me) back (?:his|her"
        r"|your|my|the) ring|(?:him|her|you|me) (?:his|her|your|my) ring back|(?:back )?(?:his|her"
        r"|your|my|the) ring(?: back)?(?: to (?:him|her|me|you))?)(?=[.,;!?]| and)(?P<v>)"
        r"|\b(?:pulled|took|tugged|twisted|slid|slipped) (?:the|a|his|her|my) (?:\w+ )?(?:wedding |"
        r"engagement )?ring off\b",
    ),
    (
        "bond",
        "through|over between|over with|finished|between us|betrothal|engagement|wedding"
        "|won't marry|won’t marry|not marry",
        "over",
        r"\b(?:[Ii]t['’]s|[Ii]t is|[Ii]t was|[Tt]hings are|all) over between (?P<v>)(?:us|them)\b"
        r"|\b[Ww]e(?:['’]re| are) (?:through|finished|done|over)(?=[.,;!?\"”]| now)"
        r"|\b(?:the|our) (?:betrothal|engagement|wedding|marriage)(?:['’]s| is"
        r"| was) (?:done(?: with)?"
        r"|finished|broken|over|off)\b|\bI (?:won['’]t|will not|shall not) marry (?:you|him|her)\b",
    ),
)

_HEALTH: tuple[tuple[str, str, str, str], ...] = (
    (
        "hurt",
        "ague|fever|flu|influ|pneu|consump|canc|gout|plague|malar|chol|typh|scurvy|pox|asth|diab"
        "|arthr|bronch|jaund|dysent|anaem|anem|amnes|rheum|epil|concuss|frostb|sunst|migr|shing"
        "|tumo|infect|cough|limp|stamm|stutt|rash|blist|shakes|fits|seiz",
        "is",
        rf"{_HAVE} (?:a |an |the |some |this )?(?:\w+ )?(?P<v>{_ILLNESS})\b"
        rf"|(?<=with )(?:the |a |an )?(?:\w+ )?(?P<w>{_ILLNESS})\b|\b(?:caught|developed) (?:a |an"
        rf" |the )?(?:\w+ )?(?P<x>{_ILLNESS})\b",
    ),
    (
        "hurt",
        "ague|fever|flu|pneum|consump|canc|gout|plague|malar|asth|arthr|frostb|concuss|infect"
        "|broken|fractured|sprained|frostbit",
        "fragment",
        rf"\b(?P<v>(?i:(?:[\w\-]+ )?{_ILLNESS}|(?:broken|fractured|sprained|twisted|cracked|torn)"
        rf" {LIMB}|frostbite))(?=[.,!…])",
    ),
    (
        "hurt",
        "blind|deaf|mute|lame|dumb|paraly|crippled|hospital|bedridden|coma|limp|useless|deathbed",
        "is",
        r"(?:\b(?:am|is|are|was|were|been|went|gone)|['’](?:s|m|re)) (?:\w+ly |still |half |stone"
        r" |back )?(?P<v>blind|deaf|mute|lame|dumb|paraly[sz]ed|crippled|bedridden|in (?:the )?"
        r"hospital|in a coma|in intensive care|laid up|on (?:his|her|my) deathbed|in the infirmary"
        r"|in (?:the )?sick ?bay)\b",
    ),
    (
        "hurt",
        "knees|knee|back|hip|eyes|sight|hearing|heart|lungs|legs|leg|hand|hands",
        "is",
        r"\b(?:[Mm]y|[Hh]is|[Hh]er|[Yy]our) (?:left |right |bad |poor )?(?P<v>knees?|back|hips?"
        r"|eyes(?:ight)?|sight|hearing|heart|lungs?|legs?|hands?|voice)(?:['’]s| is| are|['’]re)"
        r" (?:\w+ly |all )?(?:gone|bad|shot|ruined|failing|giving out|going|wrecked|useless|dead"
        r"|finished|numb)\b",
    ),
    (
        "well",
        "ague|fever|flu|pneum|cough|pain|limp|rash|infection|swelling|sickness|illness|tumo|lump"
        "|shakes|fits|headache",
        "turns",
        rf"\b(?:[Tt]he|[Mm]y|[Hh]is|[Hh]er|[Yy]our) (?P<v>{_ILLNESS}|pain|swelling|sickness|illness"
        r"|lump|headaches?|shaking|bleeding)(?:['’]s| is| has| had|['’]d)? ?(?:all )?(?:gone|left"
        r"(?: me| him| her| you)?|broke|broken|passed|lifted|cleared(?: up)?|stopped|went away"
        r"|eased)\b",
    ),
    (
        "well",
        "all clear|clean bill|good as new|on the mend|all healed|fully healed|all mended|right as"
        " rain|fit again|out of danger|out of the woods|in remission|discharged",
        "turns",
        r"\b(?P<v>(?:the|got the|an?) (?:all[- ]clear|clean bill of health)|good as new|on the mend"
        r"|(?:all|fully|completely) (?:healed|mended|cured|better)|right as rain|out of danger"
        r"|out of the woods|in remission|fit again)\b",
    ),
    (
        "well",
        "cast|boot|brace|splint|bandage|gauze|dressing|stitch|plaster|sling|patch|crutch|cane|stick"
        "|wheelchair",
        "turns",
        rf"\b(?:[Tt]he|[Mm]y|[Hh]is|[Hh]er|[Yy]our) (?P<v>{_DRESSING})(?:['’]s| is| are| was| were|"
        r" has| have| had)? ?(?:already |finally )?(?:came|come|comes|been taken|taken)? ?(?:off"
        r"|out|"
        rf"gone)\b|\b(?:has|have|had|['’]s got) the (?P<x>{_DRESSING}) off\b|\b(?:took|cut|takes"
        rf"|cuts|threw|throws|taken) (?:the|his|her|my|that|those"
        rf"|away his"
        rf"|away her|away my) (?:\w+ )?(?P<w>{_DRESSING})(?: (?:off|out|away)\b|(?=[.,;!?]))",
    ),
    (
        "well",
        "boot|cast|brace|bandage|stitches|splint",
        "fragment",
        r"\b(?P<v>(?:Boot|Cast|Brace|Bandages?|Stitches|Splints?) (?:came|is|are|comes) (?:off"
        r"|out))\b",
    ),
    (
        "well",
        "again|now|can ",
        "turns",
        rf"\b(?:can|could) (?:actually |really |finally )?(?P<v>{_SENSES}) (?:again|now|properly)\b"
        rf"|(?:{_BE}|\b(?:started|began)) (?P<w>(?:walking|running|seeing|hearing|speaking|talking"
        r"|breathing|eating|sleeping)) (?:again|by (?:him|her|my)self|on (?:his|her|my) own)\b",
    ),
)

_THINGS: tuple[tuple[str, str, str, str], ...] = (
    (
        "place",
        "hung|hang|pinned|taped|nailed|left|set |stuck|tucked|shoved|stowed|stored|packed|propped"
        "|lean|threw|drop|carried|brought|shifted|transferred|sewn|sewed|tied",
        "changes",
        rf"\b(?:hung|hangs|pinned|taped|nailed|stuck|tucked|shoved|stowed|stored|packed|propped"
        rf"|shifted|transferred|sewn|sewed|locked|moved|stashed) {_THING} (?:away |up |down |over"
        r" )?(?P<v>(?:in|into|under|behind|on|onto|beneath|inside|at|to|over|above) (?:the|my|your"
        r"|his|her"
        r"|our|a|an|(?-i:[A-Z])\w+)[^.,;:!?\n\"”*—]{2,40})",
    ),
    (
        "place",
        "keep|keeps|kept|store|hide",
        "states",
        rf"\b(?:keeps?|kept|stores?|stored|hides?) {_THING} (?:locked |hidden )?(?P<v>(?:in|under"
        rf"|behind"
        r"|on|inside|at|with|by) (?:the|my|your|his|her|our|a|an|(?-i:[A-Z])\w+)"
        r"[^.,;:!?\n\"”*—]{2,40})",
    ),
    (
        "place",
        "went up on|went into|goes in|went over|went down|lay under|lies under|lay at|lies at",
        "changes",
        rf"\b{_THING} (?:went|goes) (?:up |back )?(?P<v>(?:on|in|into|under|over|behind) (?:the|my"
        r"|your|his|her) [^.,;:!?\n\"”*—]{2,40})",
    ),
    (
        "owner",
        "yours|mine|hers|his now|theirs",
        "changes",
        rf"\b{_THING}(?:['’]s| is| are) (?P<v>yours|mine|hers|his)(?: now\b|(?=[.,;!\"”]))",
    ),
    (
        "given",
        "signed over|made over|left to|handed over|sold to|went to|passed to|passed on",
        "changes",
        rf"\b{_THING} (?:was|were|has been|had been|have been|is|went|has|had) ?(?:signed over|made"
        r" over|handed over|handed down|left|sold|given|willed|passed|given over|gone|passed on) to"
        r" (?P<v>(?:the |his |her |my )?[\w'’\-]+(?: [\w'’\-]+){0,4})",
    ),
    (
        "given",
        "keep it|keep this|keep them|have this|have it|take it, it|keep the",
        "changes",
        r"(?<![\w'’] )\b(?P<v>[Yy]ou)(?:['’]d better| can| should| may|['’]ll)? (?:keep|have)"
        r" (?P<t>it|this|that|them)(?=[.,;!])",
    ),
)

_NAMES: tuple[tuple[str, str, str, str], ...] = (
    (
        "named",
        "become|became|renamed|call it|call her|call this|calls it",
        "changes",
        rf"\b{_THING} (?:had become|has become|became"
        rf"|is now) (?P<v>the (?:(?-i:[A-Z])\w+ ?){{1,3}})",
    ),
    (
        "called",
        "now, actually|goes by|signs|signed|these days|now.",
        "turns",
        r"\b(?:[Ii]t['’]s|[Ii]t is) (?P<v>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?) now\b|\bgoes by"
        r" (?P<w>(?-i:[A-Z])\w+)|\bsign(?:s|ed) (?:himself|herself|myself) (?P<x>(?-i:[A-Z])\w+)",
    ),
)

_AMOUNTS: tuple[tuple[str, str, str, str], ...] = (
    (
        "count",
        "we have|we've|we’ve|i have|i've got|i’ve got|there are|there were|there's|there’s",
        "is",
        rf"\b(?:[Ww]e(?: have|['’]ve got|['’]ve)|[Tt]here(?: are| were| is|['’]s)) (?:only |about "
        rf"|still"
        rf" |just |maybe )?(?P<v>(?:{NUM})(?:[ -](?:hundred|thousand|million"
        rf"|dozen))?(?: and {NUM})?)"
        r" (?P<t>[a-z][\w\-]+)(?: left)?(?: of us)?(?= ?(?:[.,;!?\"”]|in|on|left|now|at|under))",
    ),
)

FRAMES_EN: tuple[tuple[str, str, str, str], ...] = (
    *_HOME,
    *_WORK,
    *_ALIVE,
    *_BOND,
    *_HEALTH,
    *_THINGS,
    *_NAMES,
    *_AMOUNTS,
)
