"""English verbs for bonds between people, for health, and for life and death."""

from __future__ import annotations

_DISEASE = (
    r"(?:cold|flu|influenza|fever|cancer|pneumonia|plague|consumption|tuberculosis|measles|mumps"
    r"|smallpox|cholera|malaria|typhus|scurvy|gout|pox|infection|tumou?r|concussion|migraine"
    r"|headache|toothache|cough|rash|hangover|limp|curse|amnesia|asthma|diabetes|black eye"
    r"|broken \w+|sprained \w+|fractured \w+|cracked \w+|bullet|arrow|wound|burns?|stitches"
    r"|blisters|frostbite|sickness|illness|virus|bug)"
)
_ILL = (
    r"(?:ill|sick|unwell|poorly|feverish|wounded|injured|hurt|bleeding|poisoned|cursed|bewitched"
    r"|drunk|unconscious|out cold|senseless|comatose|delirious|blind|blinded|deaf|mute|lame"
    r"|crippled|paraly[sz]ed|exhausted|dead on (?:his|her|my|your) feet|pregnant|with child"
    r"|bedridden|mad|insane|bandaged|burned|burnt|scarred|starving|infected|dying|in pain"
    r"|in agony|in a coma|in labou?r|in plaster|in (?:the )?hospital|in bed with|laid up"
    r"|in bad shape|in a bad way|hung ?over|weak|frail|limping|on crutches|in a wheelchair|lamed"
    r"|months gone|months pregnant|sprained|broken|dislocated|swollen|petrified|possessed)"
)

_BOND: tuple[tuple[str, str, str, str], ...] = (
    (
        "bond",
        "married|engaged|betrothed|dating|seeing|couple|going out|going steady|lovers|friend|enem"
        "|rivals|partners|allies|together|spouse|courting|sworn|wed ",
        "is",
        r"(?:\b(?:am|is|are|was|were|been|became|stayed|remained)|['’]m|['’]s|['’]re) (?:\w+ly "
        r"|still"
        r" |just |now |both |best |old |close |good |sworn |mortal |bitter |secretly |happily"
        r" ){0,2}"
        r"(?P<v>married|engaged|betrothed|dating|seeing (?!things|how|the|it|what|that)|a couple"
        r"|going"
        r" out|going steady|lovers|friends|enemies|rivals|partners|allies|together(?! (?:in|at"
        r"|on)\b)"
        r"|courting|single|sweethearts|friend|inseparable)\b",
    ),
    (
        "bond",
        "trust|crush|swore|hate|loved|loves|in love|stood with|stands with|stood by|guarded|guards"
        "|adored|worship|despised|serves|served|fealty|loathed|rode with|partner was",
        "is",
        r"\b(?P<v>trust(?:s|ed)|(?:had|has|have) a crush on|swore (?:fealty|loyalty|allegiance|an"
        r" oath)"
        r"|(?<!would )(?:hate[sd]|loved|loves|adored|adores|despise[sd]|loathe[sd])(?= (?:"
        r"(?-i:[A-Z])\w"
        r"|him|her|you|me))|in love with|st(?:ood|ands) (?:with|by) (?:the|(?-i:[A-Z]))|guard(?:ed"
        r"|s)"
        r" (?=(?-i:[A-Z]))|serve[sd] (?=(?-i:[A-Z])|the (?:crown|king|queen|duke|prince))"
        r"|rode with|partner was)",
    ),
    (
        "bond",
        "dumped|dumps|left|jilted|cast|disowned|betrayed|turned|abandon|renounc|desert|forsw|foresw"
        "|dismiss|defect|gone over|went over|switched|walked out on|threw over|divorced|rejected",
        "over",
        r"\b(?:dump(?:ed|s)|jilted|disown(?:ed|s)|betray(?:ed|s)|turn(?:ed|s) (?:on|against)"
        r"|abandon(?:ed"
        r"|s)|renounc(?:ed|es)|desert(?:ed|s)|fore?sw(?:ore|orn)|forsook|forsaken|cast (?=(?:\w+"
        r" ){1,3}"
        r"(?:out|off|aside)\b)|walked out on|thr(?:ew|own) over|divorce[sd]|disavowed|rejected"
        r"|repudiated|left (?=(?:me|him|her|you|(?-i:[A-Z])\w+)\b(?:[.,]| for| at the altar)))"
        r" ?(?:me|him|her|you|us|them|the (?:\w+)|(?-i:[A-Z])\w+)\b(?P<v>)"
        r"|\b(?:gone|went|goes|going|defect(?:ed|s)|switched|changed) (?:over to|to|sides)\b(?= the"
        r" (?:rebel|enem|other)|[.,;])",
    ),
    (
        "bond",
        "t trust|not trust|no longer|speaking to|t speak|t talk|any more|anymore|any longer|never"
        " spoke",
        "over",
        r"\b(?:did|does|do|could|would)(?:n['’]t| not) (?:trust|love|speak to|talk to|care for)\b"
        r"(?P<v>)"
        r"|\bno longer (?:trust(?:s|ed)|love[sd]?|friends|speak|spoke|together|on speaking|belie"
        r"|serve[sd]?|loyal|in love|a member|a friend|engaged|married|partners|lovers|his|her|my)\b"
        r"|\b(?:was|were|is|are)(?:n['’]t| not) (?:speaking|talking|friends|together|on speaking"
        r" terms)"
        r"(?:[^.,;!?]{0,24}(?:any ?more|any longer))?",
    ),
    (
        "bond",
        "made up|reconcil|made peace|forgave|forgiven|back together|brothers now|friends now"
        "|sisters now|allies now|enemies now|lovers now|widow|fell in love|fallen in love"
        "|girlfriend"
        "|boyfriend|adopt|married|wed|engaged|became|become|over ",
        "turns",
        r"\b(?:made (?P<v>up(?= with|[.,;])|peace(?= with|[.,;]))|(?P<w>reconciled|forgave|forgiven"
        r"|back"
        r" together|(?:brothers|sisters|friends|allies|enemies|lovers|strangers|rivals|partners|a"
        r" widow"
        r"|a widower|widowed|a couple|husband and wife|man and wife)(?= now|[.,;])|f(?:ell|allen)"
        r" in love"
        r"|(?:got|gets|were|was|are|is) (?:married|wed)\b|married(?= (?-i:[A-Z])| him| her| me|"
        r" you)|(?:a|an?) (?:girlfriend|boyfriend|fianc[ée]e?"
        r"|husband|wife)\b|adopted(?= (?:him|her|me|by)))|(?:bec(?:ame|ome)|become) (?P<x>friends"
        r"|lovers"
        r"|allies|enemies|partners|rivals|engaged))",
    ),
    (
        "bond",
        "over ",
        "over",
        r"(?:\b(?:am|is|was)|['’]m|['’]s) (?:so |finally |completely )?over (?:him|her|"
        r"(?-i:[A-Z])\w+)"
        r"(?=[.,;!?\"”])(?P<v>)",
    ),
)

_HAVE = r"(?:\b(?:have|has|had|got)|['’](?:ve|s|d) got|['’]ve|['’]s had|['’]ve had)"
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

_HEALTH: tuple[tuple[str, str, str, str], ...] = (
    (
        "hurt",
        "cold|flu|fever|cancer|pneumon|plague|consumption|tubercul|measles|pox|cholera|malaria|typh"
        "|scurvy|gout|infection|tumo|concussion|migraine|headache|toothache|cough|rash|hangover"
        "|limp|curse|amnesia"
        "|asthma|broken|sprained|fractured|cracked|bullet|arrow|wound|burn|stitches|sickness"
        "|illness"
        "|virus|black eye",
        "is",
        rf"\b(?:has|have|had|got|caught|catches|['’]s got|['’]ve got|came down with|suffer(?:s"
        rf"|ed|ing) from|down with|carried|carries|bears|bore|with) (?:an?|the|his|her|two|some"
        rf"|stage"
        rf" \w+)? ?(?:[\w'’\-]+ ){{0,2}}?(?P<v>(?!(?<=with )cold){_DISEASE})\b",
    ),
    (
        "hurt",
        "ill|sick|unwell|poorly|feverish|wounded|injured|hurt|bleeding|poisoned|cursed|bewitched"
        "|drunk|uncon|out cold|senseless|comatose|delirious|blind|deaf|mute|lame|crippled|paraly"
        "|exhaust|dead on|pregnant|with child|bedridden|mad|insane|bandaged|burn|scarred|starving"
        "|infected|dying|in pain|in agony|in a coma|in labo|plaster|hospital|in bed|laid up|bad"
        " shape"
        "|bad way|hung|weak|frail|limping|crutches|wheelchair|months|sprained|broken|disloc|swollen"
        "|petrified|possessed",
        "is",
        r"(?:\b(?:am|is|are|was|were|been|felt|feels?|feeling|lay|lies|fell|turned|be)|['’]m|['’]s"
        r"|['’]re) (?:\w+ly |still |very |so |too |quite |all |half |now |just |already |eight |six"
        rf" |seven |five |four ){{0,2}}(?P<v>{_ILL})\b(?! (?:of|to death|at|about|with|sick))",
    ),
    (
        "hurt",
        "'s arm|’s arm|'s leg|’s leg|'s hand|’s hand|'s face|’s face|'s ankle|’s ankle|'s knee|’s"
        " knee"
        "|'s wrist|’s wrist|'s head|’s head|hand was|arm was|leg was|face was",
        "is",
        r"\b(?P<whom>(?-i:[A-Z])\w+)['’]s (?:\w+ )?(?P<v>(?:arm|leg|hand|face|ankle|knee|wrist|head"
        r"|foot"
        rf"|shoulder|ribs?|nose|jaw|eye|back)(?: is| was|['’]s| were) (?:\w+ly )?{_ILL})\b",
    ),
    (
        "well",
        "recover|heal|mend|cured|better|fine|well again|on his feet|on her feet|on my feet|on your"
        " feet|fever|came to|comes to|awake|woke|awoke|sober|remission|out of danger|see|walk|curse"
        "|poison|bandage|stitch|antidote|knit|whole again|rested|delivered|gave birth|the baby|had"
        " a"
        " baby|flesh again|himself again|herself again",
        "turns",
        r"(?:\b(?P<v>(?:has|have|had|is|was|am|['’]s|['’]m|['’]ve|['’]d|being|fully|completely"
        r"|quite"
        r"|been|all|almost)? ?(?:recovered|healed(?! (?:by|the))|mended(?! (?:the|his|her|my|a))"
        r"|knit(?:"
        r"ted)?(?= together|[.,;!])|cured)|feel(?:s|ing)? (?:\w+ )?better|felt (?:much |a lot "
        r"|loads |far"
        r" )better|(?:am|is|was|are|['’]m|['’]s) (?:\w+ )?(?:well again|on the mend|in remission"
        r"|sober"
        r"|out of danger|awake|flesh again|whole again|himself again|herself again|(?:back )?on "
        r"(?:my"
        r"|his|her|your) feet(?: again)?)|(?:back|up) on (?:my|his|her|your) feet|came (?:to"
        r"(?=[.,;!]|"
        r" with)|round)|w(?:oke|akes|oken) (?:up|rested|with a clear)|awoke|sobered up|(?:gave"
        r"|gives)"
        r" birth|(?:had|has|delivered) (?:the|her|a) baby|could (?:see|walk|speak|hear|stand)(?:"
        r" again)?"
        r"(?=[.,;!]| again))\b)",
    ),
    (
        "well",
        "cold|flu|headache|migraine|limp|hangover|illness|fever|curse|spell|poison|wound|burns"
        "|bruise|swelling|infection|pain|rash|cough|bandage"
        "|stitches|bullet|arrow|cast|sling|arm|leg|hand|ankle|knee|wrist|shoulder",
        "changes",
        r"\b(?P<v>(?:fever|curse|spell|poison|wound|burns?|bruis(?:e|es|ing)|swelling|infection"
        r"|pain"
        r"|rash|cough|sickness|bandages?|stitches|cast|sling|splints?|bullet|arrow|arm|leg|hand"
        r"|ankle"
        r"|knee|wrist|shoulder|foot|cold|flu|headache|migraine|limp|hangover|illness|venom"
        r"|enchantment|hex)(?:['’]s| is| was| are| were| has| have| had)?"
        r" (?:been |all |fully |finally |completely |quite |at last |now )?(?:broke|broken|gone"
        r"|went down"
        r"|passed|lifted|healed|knit(?:ted)?|mended|cleared|faded|off|out|fine|closed|subsided|left"
        r"|leaves"
        r"|vanished|removed|ended|well|better|as good as new))\b(?! (?:in|his|her|my|the \w+ in"
        r"|him))",
    ),
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
)

_ALIVE: tuple[tuple[str, str, str, str], ...] = (
    (
        "alive",
        "alive|lives|lived|breathing|surviv|pulled through|made it|still with us|clung to life"
        "|living"
        " man|pulse|online|cling",
        "is",
        r"(?<!buried )(?<!eaten )(?<!burned )(?<!skinned )\b(?:alive\b(?! with)|lives (?:yet|still)"
        r"|still (?:lives|lived|living|breathing|breathes|breathed|drew breath|with us|online)|"
        r"(?:was|is)"
        r" (?:breathing|living)(?= in|[.,;!])|surviv(?:es|ed|ing)|pulled through|clung to life"
        r"|clings to"
        r" life|made it through|lived(?=[.,;!]))",
    ),
    (
        "dead",
        "died|dies|dead|survive|pull through|killed|slain|slew|murder|hang|execut|behead|drown"
        "|perish|passed away|passed"
        " on|passes away|succumb|expired|deceased|breathed h|last breath|ghost|lost |buried|funeral"
        "|breathing|didn't make it|didn’t make it|hadn't made|hadn’t made|bled out|scrapped"
        "|decommission|destroyed|never woke|did not wake|not rise again|carried off|to death",
        "",
        r"\b(?:dies|perish(?:ed|es)|pass(?:ed|es) (?:away|on)(?! (?:the|to|his|her|a))|(?:has |had "
        r"|have"
        r" )?died\b(?! down)|succumb(?:ed|s)|deceased|(?:been|was|were|got|is) (?:\w+ly )?(?:slain"
        r"|killed|murdered|hanged|executed|beheaded|drowned|strangled|poisoned to death|shot "
        r"(?:dead|"
        r"down)|stabbed to death|scrapped|decommissioned|put down|gunned down|burned at the stake)"
        r"|breath(?:ed|es) (?:his|her) last|dr(?:ew|aws) (?:his|her) last breath|g(?:ave|ives) up"
        r" the"
        r" ghost|(?:has |had )?stopped breathing|bled (?:out|to death)|(?:fro(?:ze|zen)|starved) to"
        r" death"
        r"|(?:did|does|could)(?:n['’]t| not) (?:survive|pull through)|(?:did|had|has)(?:n['’]t|"
        r" not) m(?:ake|ade) it(?= |[.,;!])(?! to)|(?:did not|never) (?:wake"
        r"|woke|rise|rose|wake up|woke up)(?: up)? again|never woke up|(?:is|was|['’]s|are) (?:\w+"
        r" )?dead"
        r"\b(?! (?:on|to|end|set|tired|serious|certain|sure|wrong|right)))",
    ),
    (
        "dead",
        "kill|slew|slay|murder|hang|shot|behead|poison|strangl|stab|drown|execut|buried|bury|lost"
        "|ran"
        " through|carried off|cut down|struck down",
        "",
        r"\b(?:kill(?:ed|s)|slew|slain|slays|murder(?:ed|s)|hanged|hang|behead(?:ed|s)|strangl(?:ed"
        r"|es)"
        r"|execut(?:ed|es)|buried|bur(?:y|ies)|w?e? ?lost(?= (?-i:[A-Z])\w+ (?:on|last|this|in|to"
        r"|yesterday"
        r"|today)\b)|carried off|cut down|struck down|did for|finished off) "
        r"(?P<whom>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+){0,2})\b(?!['’]s)",
    ),
)


BONDS: tuple[tuple[str, str, str, str], ...] = (*_BOND, *_HEALTH, *_ALIVE)
