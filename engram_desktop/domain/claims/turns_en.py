"""English verbs that mention states of people in passing, and verbs that end these states.

Two classes for each facet: states (``is``: they end nothing) and changes (``turns``, or ``over``
without a new value). A change counts only if the state it ends was mentioned before, and all of
them only for a person whom the clause names as its subject.
"""

from __future__ import annotations

from engram_desktop.domain.claims.states_en import ROLE

_TAIL = r"[^.,;:!?\n\"”*—]{2,60}"
_AT = (
    r"(?:in|at|on|above|over|under|underneath|beneath|beside|by|near|behind|with|aboard|among"
    r"|between|outside|inside|next to|out of|out on|out at|off|down in|down by|up in|up at|on top"
    r" of|beyond|past|across from)"
)
_TO = (
    r"(?:(?:back |over |out |down |up |across |on |off )?(?:to|into|onto|in with)"
    r"|in with|in at|aboard|home)"
)
_WHOSE = r"(?:the|my|your|his|her|our|their|its|an?|this|that|(?-i:[A-Z])\w+['’]s)"
_ROOM = (
    r"(?:rooms?|cabin|berth|bunk|quarters|attic|loft|garret|cell|tent|flat|suite|chambers?"
    r"|apartments?|studio|basement|dorm|house|cottage|tower|lodgings|hut|shack|cot|couch|sofa|condo"
    r"|duplex|townhouse|penthouse|mansion|manor|villa|bungalow|trailer|caravan|camper|van|boat"
    r"|houseboat|barge|farm|farmhouse|ranch|homestead|palace|castle|den|lair|nest|place|digs|bedsit"
    r"|floor|wing|courtyard|estate|cave|burrow|household)"
)
_WAS = r"(?:was|were|been|got|gets|get|is|are|am|being|['’]s|['’]re|['’]m)"
_TRADE = (
    rf"(?:{ROLE}|[a-z]{{2,}}(?:smith|wright|keeper|monger|master|mistress|herd|woman|man|maid"
    r"|ologist|ician|grapher|maker|hand|boy|girl|worker|driver|teacher|dealer|ist|eer)"
    r"|[a-z]{3,}(?:ter|der|ker|ler|ner|per|ger|ver|tor|sor|cer|rer|wer)"
    r"|regent|student|apprentice|novice|intern|cadet|corporal|private|major|colonel|ensign"
    r"|consul|slave|sophomore|freshman|junior|senior|second-year|first-year|third-year|chief"
    r"|head|boss|champion|heir|disciple|acolyte|elder|jester|bard|valet|page|sexton|vicar|parson"
    r"|regular|volunteer|freelance|analyst|attorney|barrister|solicitor|politician|bodyguard)"
)
_NO_TRADE = (
    r"(?!(?:\w+ )?(?:stranger|lover|father|mother|brother|sister|daughter|killer|winner|monster"
    r"|number|matter|member|answer|disaster|liar|loner|dreamer|survivor|prisoner|reader|fighter"
    r"|woman|man|boy|girl|murderer|wonder|corner|letter|mess|danger|believer|supporter|failure"
    r"|beginner|river|tower|dinner|other|better|later|never|over|ever|after|together|whether"
    r"|either|neither|rather|number|paper|order|finger|water|winter|power|silver|danger|chapter"
    r"|center|layer|offer|quarter|favor|favour|rumor|honor|factor|mirror|error|terror|human"
    r"|listener|learner|newcomer|teenager|twin|candidate|fit|coaster|counter|supporter|believer)\b)"
)
_DISMISSED = (
    r"(?:fired|sacked|dismissed|discharged|relieved(?= at|[.,;])|laid off|let go|canned|axed|made"
    r" redundant|relieved of"
    r"|stripped of|removed (?:from|as)|suspended|demoted|busted|reduced to the ranks|voted out"
    r"|ousted|deposed|dethroned|overthrown|toppled|disbarred|struck off|defrocked|court-martialled"
    r"|court-martialed|kicked out of|thrown out of|drummed out|kicked off|replaced as|expelled"
    r"|invalided out|pensioned off|mustered out|cashiered|unseated|impeached|furloughed)"
)

_BE = r"(?:\b(?:am|is|are|was|were)|['’](?:m|s|re))"

_HOME: tuple[tuple[str, str, str, str], ...] = (
    (
        "home",
        "slept|living out|dwel|boards|boarded|board |bunked|camp|squat|crash|stay|quarter|billet"
        "|put up|kept house|keeps house|household|lodge|reside|room at|rooms at|roomed|living in"
        "|living at|living with|housed",
        "is",
        r"\b(?:slept|living|dwel(?:t|ls?|led|ling)|boards|boarded|boarding|bunked|camps|camping"
        r"|squat(?:s|ted|ting)|crash(?:es|ed|ing)|stay(?:ed|s|ing)?|quartered|billeted|put up|keeps"
        r" house|kept house|(?:held|holds|keeps|kept) (?:his|her|my) household|lodg(?:ed|es|ing)"
        rf"|resid(?:es|ed|ing)|roomed|housed) (?P<v>(?:here|there|{_AT}\b{_TAIL}))",
    ),
    (
        "home",
        "lived|live |lives |living",
        "is",
        rf"\b(?:liv(?:e|es|ed|ing)) (?:\w+ ){{0,3}}?(?P<v>{_AT} (?!peace|fear|hope|love|sin|my mind"
        rf"|the moment){_TAIL}|here\b|there\b|alone)",
    ),
    (
        "home",
        "room|cabin|berth|bunk|quarters|attic|loft|garret|cell|flat|suite|chamber|apartment|studio"
        "|basement|house|cottage|lodgings|hut|shack|trailer|villa|place|farm|condo|floor|wing|tower"
        "|courtyard|estate|couch|boat|van|cave|ranch|mansion|manor|tent|cot",
        "is",
        r"\b(?:has|have|had|['’]s got|['’]ve got|got|rents?|rented|occup(?:y|ies|ied)|keeps?|kept"
        r"|owns?|owned|shares?|shared|leases?|leased|takes?|took) (?P<v>(?:an?|the|his|her|my|two"
        rf"|three|rooms) (?:[\w\-]+ ){{0,3}}?{_ROOM}\b(?: (?:on|over|above|at|in|off|near|by|under"
        rf"|behind|with|of|out)\b{_TAIL})?)",
    ),
    (
        "home",
        "been kept|been held|a guest of|a guest at|an inmate|a resident|been with us|was kept in",
        "is",
        rf"\b(?:been (?:kept|held|locked|confined)|a guest (?=of|at)|an? (?:inmate|resident|lodger)"
        rf" (?=of|at|in)|been with us(?= at)|was (?:kept|confined)) ?(?P<v>(?:{_AT}|of){_TAIL})",
    ),
    (
        "home",
        "new place|new home|new address|new flat|new apartment|new house|new lodgings|new quarters"
        "|new room|new digs",
        "turns",
        r"\b(?P<p>[Mm]y|[Yy]our|[Hh]is|[Hh]er) new (?:place|home|address|flat|apartment|house"
        r"|lodgings|quarters"
        rf"|room|digs)(?:['’]s| is| was) (?P<v>(?:{_AT}|the|a|an)\b{_TAIL})",
    ),
    (
        "home",
        "moved|moves|moving|relocat|transferred|switched|shifted|removed to|decamp|resettl|fled to"
        "|escaped to|emigrat|retired to|returned to live|went back to|retreated to",
        "turns",
        r"\b(?:mov(?:ed|es|ing)(?! out)|relocat(?:ed|es|ing)|transferred|switched|shifted|removed"
        r"|decamped|resettled|emigrated|fled (?:\w+ ){0,4}?(?=to)|escaped (?=to)) "
        rf"(?P<v>{_TO}\b{_TAIL}|uptown|downtown|abroad|overseas|across town|next door|back home"
        r"|up north|down south|out west|back east)",
    ),
    (
        "home",
        "took up|takes up|taken up|set up|put down roots|settle|found a|found lodg"
        "|found him|found her|found my|rents|renting|rented|keys",
        "turns",
        r"\b(?:(?:took|takes|taken|taking) up (?:residence|lodgings?|quarters)|set(?:s|ting)? up"
        r" (?:home|house|house together)|put(?:s|ting)? down roots|settl(?:ed|es|ing|e) (?=in|at"
        r"|down|"
        r"with)|(?:found|finds) (?:himself |herself |myself )?(?=a |an |lodg|rooms|another)"
        r"|(?:ended|ends|ending) up (?:renting|living|sleeping|staying)|(?:has|had|have|['’]ve"
        r"|['’]s"
        rf"|['’]d) (?:taken|rented|bought|leased)) ?(?P<v>(?:(?:{_AT})\b|an?\b|lodgings|rooms"
        rf"|down {_AT})(?:(?=[^.,;:!?]*\b{_ROOM}\b)|(?<=in)|(?<=at)|(?<=with)){_TAIL})",
    ),
    (
        "home",
        "own place|own apartment|own room|own flat|own house|real apartment|apartment now|flat now"
        "|house now|place now|room now",
        "turns",
        r"\b(?:has|have|had|got|['’]s got|['’]ve got) (?P<v>(?:my|his|her|an?) (?:own |real |proper"
        rf" )(?:\w+ )?{_ROOM})\b",
    ),
    (
        "home",
        "moved out|moves out|moving out|moved away|homeless|evict|on the street|turned out|thrown"
        " out|kicked out|driven out|banish|exil|nowhere to live|somewhere else to|foreclos|cast out"
        "|run out of town|deported",
        "over",
        rf"\b(?:mov(?:ed|es|ing) (?:out|away)\b|(?:{_WAS}|find|finds|found|left) (?:\w+ )?"
        rf"(?:homeless"
        r"|evicted|turned out|thrown out|kicked out|driven out|cast out|banished|exiled|deported"
        r"|run"
        r" out of town|out on the streets?|on the streets?)|(?:had|have|has) (?:nowhere to live"
        r"|to (?:find|look for) (?:somewhere|someplace) else to (?:live|sleep|stay)))(?P<v>)",
    ),
    (
        "home",
        "gave up|given up|gives up|giving up|sold|sells|selling|out of|left",
        "over",
        r"\b(?:g(?:ave|iven|ives|iving) up|sold|sells|selling|let go of|(?:officially |all |now"
        r" )?out"
        r" of|vacated|checked out of|lost|(?:have|has|had|['’]ve|['’]s|['’]d) left|left (?=[^.,;]*"
        r"\b(?:for good|forever|for ever|behind)))"
        rf" (?P<v>(?:{_WHOSE} |(?-i:[A-Z])\w+ )(?:[\w'’\-]+ ){{0,3}}?(?:{_ROOM}|block|building)\b)",
    ),
    (
        "home",
        "released from|discharged from|let out of",
        "over",
        rf"\b{_WAS} (?:released|discharged|let out|freed)(?: from| of)\b(?P<v>)",
    ),
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
)

_WORK: tuple[tuple[str, str, str, str], ...] = (
    (
        "role",
        " a | an | the | our | my | his | her |president|plain",
        "is",
        r"(?:\b(?:am|is|are|was|were|been|became|be)|['’]m|['’]s|['’]re|: ?) (?:(?:still|only"
        r"|just|now|once|the|an?|our|my|his|her|their|your|(?-i:[A-Z])\w+['’]s)"
        rf" )+{_NO_TRADE}(?P<v>(?:[a-z\-]+ ){{0,2}}?{_TRADE})\b(?!['’]s? )(?! (?:of (?:fact|time"
        r"|course|the same)))",
    ),
    (
        "work",
        "works|worked|working|i work|practise|practice|serve|employ|engaged as|engaged by|taught"
        "|teaches|stands guard|coach|danc|fights in|fought in|rode with|rides with|plays for|played"
        " for|studies at|studied|bound apprentice|apprenticed|temping|commands|commanded|runs|ran"
        "|leads|led |heads|headed|speaks for|spoke for|makes coffee|waits table|waited table|drives"
        "|drove|patrol",
        "is",
        r"\b(?:work(?:s|ed|ing)?(?= (?:as an?|as the|at|for (?:the|an?|my|his|her|(?-i:[A-Z]))|in "
        r"(?:the|an?|(?-i:[A-Z]))|under (?:the|(?-i:[A-Z]))))|practi[sc](?:es?|ed)(?= (?:in|at"
        r"|as|law|medicine))|serv(?:es?|ed|ing)(?= (?:as|in|on|under|at|the|aboard))|(?:employed"
        r"|engaged)(?= (?:as|by|at))|t(?:aught|each(?:es)?) |stands? guard|stood guard|coach(?:es"
        r"|ed"
        r"|ing)?(?= the)|danc(?:es|ed)(?= (?:with|at|for|in))|f(?:ights|ought)(?= in the)|r(?:ides"
        r"|ode"
        r")(?= with the)|play(?:s|ed)(?= for)|stud(?:ies|ied)(?= at)|bound apprentice|apprenticed"
        r"|temping|command(?:s|ed|ing)?(?= (?:the|a|three|two))|r(?:uns?|an)(?= (?:the|a little|an?"
        r")\b)|l(?:eads|ed)(?= the)|head(?:s|ed)(?= the)|sp(?:eaks|oke)(?= for)|makes coffee|wait"
        r"(?:s"
        r"|ed) tables|dr(?:ives|ove)(?= (?:a cab|a truck|a bus|the))|patrol(?:s|led)(?= the))"
        rf"(?P<v>{_TAIL}|(?=[.,;!]))",
    ),
    (
        "work",
        "fired|sacked|dismiss|discharg|laid off|let go|canned|axed|redundant|relieved|stripped"
        "|removed|suspend|demot|busted|reduced to|voted|oust|depos|dethron|overthrown|toppled"
        "|disbarr"
        "|struck|defrock|court-mart|kicked|thrown|drummed|replaced|expelled|invalided|pensioned"
        "|mustered|cashier|unseated|impeach|furlough",
        "over",
        rf"\b{_WAS} (?:\w+ly )?{_DISMISSED}\b(?P<v>)",
    ),
    (
        "work",
        "resign|retire|quit|graduat|desert|enlist|abdicat|step|stood down|stands down|signed on"
        "|signed up|dropped out|flunked|walked out|ran off|ran away|enroll|took the veil|shilling"
        "|apprenticed",
        "over",
        r"(?:\b(?:resign(?:ed|s)|retire[sd]|quit(?:s)?|graduat(?:ed|es)|desert(?:ed|s)|abdicat"
        r"(?:ed"
        r"|es)|stepp?(?:ed|s) (?:down|aside)(?! (?:into|onto|to the|from the (?:car|tr|w|b|sta|plat"
        r"|lad))|[a-z]+ the)|st(?:ood|ands) down|dropp(?:ed|s) out|flunk(?:ed|s) out"
        r"|walk(?:ed|s) out on|ran (?:off|away) from)\b)(?! (?:to bed|for the night|smok|drink|for"
        r" the"
        r" evening))(?P<v>)",
    ),
    (
        "work",
        "join|enlist|signed on|hired on|shilling|took holy|took orders|hired on|went to work",
        "turns",
        r"\b(?:enlisted|(?:signed|hired) on|took holy orders|took the (?:king|queen)"
        r"['’]s shilling|went to work|join(?:ed|s) (?=the (?:\w+ )?(?:army|navy|fleet|guard|watch"
        r"|force|police"
        r"|service|crew|circus|band|team|order|guild|clergy)))(?P<v>[^.,;:!?\n\"”*—]{0,50})",
    ),
    (
        "work",
        "laid|lay|hung up|hangs up|turned in|turns in|handed in|hands in|threw|throws|tossed|took"
        " off"
        "|takes off|unties|untied|unpin|surrender|put down|set down|gave up|given up|packed in"
        "|chucked|jacked in|set aside|put aside|put away",
        "over",
        r"\b(?:lays? down|laid (?:down|aside)|h(?:ung|angs) up|turn(?:ed|s) in|hand(?:ed|s) (?:in"
        r"|back|over)|thr(?:ew|ows) (?:in|down|away)|toss(?:ed|es)|takes? off|took off|untie[sd]"
        r"|unpin(?:s|ned)|surrender(?:s|ed)|put(?:s)? (?:down|aside|away)|g(?:ave|iven|ives) up"
        r"|(?:pack|chuck|jack)(?:ed|s) in|set(?:s)? aside|resign(?:ed|s)|relinquish(?:ed|es))"
        r" (?:the|his|her|my|your)(?: [\w'’\-]+){0,2}? ?(?:regency|veil|office|badge|shield|star"
        r"|crown"
        r"|command|commission|apron|boots|gloves|uniform|collar|habit|robes?|job|post|position"
        r"|stripes|seat|throne|title|chair|mantle|practice|keys|sceptre|scepter|notice|resignation)"
        r"(?P<v>)\b",
    ),
    (
        "work",
        "job|position|post|gig|place at|role at|internship|placement|contract|practice|business",
        "turns",
        r"\b(?:got|gets|get|landed|lands|found|finds|took|takes|taken|started|starts|accepted"
        r"|offered me|gave me) (?:a|an|the|my|his|her) (?P<v>(?:(?:new|old|better|different|proper"
        r"|real|part-time|full-time|first|own|[a-z]+) )?(?:job|position|post|gig|internship"
        r"|placement"
        r"|apprenticeship)\b(?! done)[^.,;:!?\n\"”]{0,50})",
    ),
)

TURNS: tuple[tuple[str, str, str, str], ...] = (*_HOME, *_WORK)


# Bonds between people, health, and life and death.

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
