"""English verbs by which stories tell, in passing, how people are and what ends that.

Two classes for each facet: what holds (``is``: it ends nothing) and what turns it (``turns``, or
``over`` without another value). A turn counts only where what it ends was told before, and all of
them only of somebody whom the clause names as its subject.
"""

from __future__ import annotations

from engram_desktop.domain.claims.states_en import NO_SUBJECT, ROLE

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
_WHOM = r"(?P<whom>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+){0,2}|him|her|me|you)"
_ROOM = (
    r"(?:rooms?|cabin|berth|bunk|quarters|attic|loft|garret|cell|tent|flat|suite|chambers?"
    r"|apartments?|studio|basement|dorm|house|cottage|tower|lodgings|hut|shack|cot|couch|sofa|condo"
    r"|duplex|townhouse|penthouse|mansion|manor|villa|bungalow|trailer|caravan|camper|van|boat"
    r"|houseboat|barge|farm|farmhouse|ranch|homestead|palace|castle|den|lair|nest|place|digs|bedsit"
    r"|floor|wing|courtyard|estate|cave|burrow|household)"
)
_WAS = r"(?:was|were|been|got|gets|get|is|are|am|being|['’]s|['’]re|['’]m)"
_HAS = r"(?:has|have|had|['’]s|['’]ve|['’]d)"
_KNOWN = (
    rf"(?:{ROLE}|housekeeper|private|corporal|major|colonel|ensign|chief|head|heir|boss|regent"
    r"|champion|analyst|consul|elder|page|valet|gamekeeper|kitchens?|ranks|galley|stables?)"
)
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
_WORKPLACE = (
    r"(?:army|navy|fleet|guard|watch|force|police|service|bureau|firm|company|bank|plant|factory"
    r"|mill|mine|shop|store|office|school|college|university|academy|hospital|clinic|station"
    r"|kitchens?|galley|guild|ministry|council|court|circus|theat(?:re|er)|newspaper|paper|laundry"
    r"|restaurant|hotel|farm|post office|library|team|crew|band|club|agency|lab)"
)
_DISMISSED = (
    r"(?:fired|sacked|dismissed|discharged|relieved(?= at|[.,;])|laid off|let go|canned|axed|made"
    r" redundant|relieved of"
    r"|stripped of|removed (?:from|as)|suspended|demoted|busted|reduced to the ranks|voted out"
    r"|ousted|deposed|dethroned|overthrown|toppled|disbarred|struck off|defrocked|court-martialled"
    r"|court-martialed|kicked out of|thrown out of|drummed out|kicked off|replaced as|expelled"
    r"|invalided out|pensioned off|mustered out|cashiered|unseated|impeached|furloughed)"
)
_RAISED = (
    r"(?:promoted|transferred|reassigned|assigned|posted|knighted|ordained|commissioned|conscripted"
    r"|drafted|recruited|hired|elected|appointed|crowned|sworn in|elevated|raised to|taken on"
    r"|enthroned|anointed|apprenticed|made|voted in|demoted|busted|freed)"
)

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
        "home|den|lair|nest|lodging|abode|residence",
        "is",
        r"\b(?:made|makes?|making) (?:my|his|her|their|our|a) (?:home|den|lair|nest|abode|lodgings?"
        rf"|bed) (?P<v>(?:here|{_AT}\b{_TAIL}))",
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
        "room|cabin|berth|bunk|quarters|attic|loft|garret|cell|flat|suite|chamber|apartment|studio"
        "|house|cottage|lodgings|hut|home|place|address",
        "is",
        r"\b(?P<p>[Mm]y|[Yy]our|[Hh]is|[Hh]er) (?:apartment|flat|house|room|place|home|cabin"
        r"|quarters|cell|bunk"
        r"|cottage|lodgings|address|farm|hut|studio)(?:['’]s| is| was) (?!(?:gone|burn|a mess)\b)"
        rf"(?P<v>(?:{_AT}|that one|the|a)\b{_TAIL})",
    ),
    (
        "home",
        "room|cabin|berth|bunk|quarters|attic|loft|garret|cell|flat|suite|chamber|apartment|studio"
        "|house|cottage|lodgings|hut|home|place|den|lair",
        "is",
        r"\b(?P<whom>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+){0,2})['’]s (?:apartment|flat|house|room"
        r"|place"
        r"|home|cabin|quarters|cell|bunk|cottage|lodgings|farm|hut|studio|den|lair)(?: is| was)"
        rf" (?P<v>(?:{_AT}|the|a)\b{_TAIL})",
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
        "residence|resides|home|address|lodging|lives",
        "",
        r"(?:\b(?:residence|residing|home|address|lodgings?|quarters|lives)\s*[:=]\s*)"
        r"(?P<v>[\w'’][^.,;:!?\n|\]]{2,60})",
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
        "leaves",
        "left|quit|fled|abandoned|driven from|gone from|moved away from",
        "over",
        rf"\b(?:{_HAS} (?:left|quit|fled|abandoned|moved (?:away )?from)|fled|abandoned|(?:was|were"
        rf"|been) (?:"
        r"driven|forced|turned|chased) (?:out )?(?:of|from)) (?P<v>(?:the |his |her |my |your |"
        r"(?-i:[A-Z]))"
        r"[^.,;:!?\n\"”*—]{2,30})",
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
        "given|assigned|allotted|granted",
        "turns",
        rf"\b{_WAS} (?:given|assigned|granted|allotted|allocated|offered) (?P<v>(?:an?|the|his|her"
        rf"|my|rooms?) ?(?:[\w\-]+ ){{0,3}}?{_ROOM}\b{_TAIL})",
    ),
    (
        "home",
        "gave|given|assigned|granted",
        "turns",
        rf"\b(?:gave|gives?|given|assigned|assigns|granted|allotted) {_WHOM} (?P<v>(?:an?|the|his"
        rf"|her|my) (?:[\w\-]+ ){{0,2}}?{_ROOM}\b)",
    ),
    (
        "home",
        "moved|moves|transferred|took in|taken in|takes in|sent",
        "turns",
        rf"\b(?:moved|moves|transferred|packed off|sent|shipped|brought) {_WHOM} (?:away |off )?"
        rf"(?P<v>(?:in with|to live|into|to (?:the|a|his|her|an) (?:\w+ )?(?:{_ROOM}|wing|infirmary"
        rf"|home|orphanage|barracks|asylum|hospital|prison|convent|monastery)){_TAIL})",
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
        "evict|threw|kick|drove|banish|exil|turn",
        "over",
        r"\b(?:evict(?:ed|s)|banish(?:ed|es)|exil(?:ed|es)|deported|(?:threw|kick(?:ed|s)|turned"
        rf"|drove)(?= \S+(?: \S+)? (?:out|from)\b)) {_WHOM}(?P<v>)\b(?: out\b| from\b|[.,])",
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
        "left|drove|rode|walked|sailed|for good",
        "over",
        r"\b(?:left|drove|rode|walked|sailed|moved|went)(?: away| off| out)?(?: from)?"
        r" [^.,;!?]{0,40}?\b(?:for good|for ever|forever)(?P<v>)\b",
    ),
    (
        "home",
        "no longer|any more|anymore|any longer|these days|not sleep",
        "over",
        r"\bno longer (?:liv(?:es?|ed)|sle(?:eps?|pt)|stay(?:s|ed)?|lodge[sd]?|dwel(?:ls?|t)"
        r"|reside[sd]?"
        r")\b(?P<v>)|\b(?:do|does|did)(?:n['’]t| not) (?:live|sleep|stay|lodge|dwell|reside)"
        r" [^.,;!?]{0,40}?\b(?:any ?more|any longer|now|these days)\b",
    ),
    (
        "home",
        "burned|burnt|razed|demolish|collaps|sold",
        "over",
        r"\b(?P<p>his|her|my|your) (?:house|home|cottage|cabin|flat|apartment|hut|farm|farmhouse"
        rf"|place|shack|building)(?: had| has|['’]s)? ?(?:been |was |is |{_WAS} )?(?:burned|burnt"
        r"|razed|demolished|collapsed|sold|destroyed|flooded|foreclosed|condemned|gone)(?P<v>)\b",
    ),
    (
        "home",
        "released from|discharged from|let out of",
        "over",
        rf"\b{_WAS} (?:released|discharged|let out|freed)(?: from| of)\b(?P<v>)",
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
        "role",
        " is | was |'s |’s ",
        "is",
        rf"(?:\b(?:am|is|are|was|were)|['’]m|['’]s) (?P<v>(?:(?:chief|head|vice|deputy|acting|lead"
        rf"|second|first) )?(?:{ROLE}|regent|chief|head|mayor|cook|valet|squire|foreman|sheriff"
        rf"|president)) (?:of|to|at|in|for)\b",
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
        "badge|star|uniform|collar|stripes|veil|the watch|second watch|first watch|job|position"
        "|post|work|unemployed|jobless|sworn",
        "is",
        r"\b(?:(?:wears?|wore|had|has|carries|carried) (?:the|a|his|her|two|three)(?: [\w'’\-]+)?"
        r" (?P<v>star|badge|uniform|collar|stripes|veil|watch|livery|shield)\b|(?:has|have|had"
        r"|['’]s"
        r" got|['’]ve got|holds|held) (?:a|an|the|his|her|my) (?P<w>(?:\w+ )?(?:job|position|post"
        r"|gig)"
        r"(?: (?:at|in|with|as)[^.,;!?]{2,40})?)|(?P<x>unemployed|jobless|out of work|between"
        r" jobs))",
    ),
    (
        "role",
        "class|rank|occupation|job|role|title|position|profession",
        "",
        r"\b(?:class|rank|occupation|job|role|title|profession|position)\s*[:=]\s*"
        r"(?P<v>[\w'’][^.,;:!?"
        r"\n|\]]{2,40})",
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
        "fired|fires|sack|dismiss|discharg|laid|let |lets |can|axed|struck|strikes|reliev|stripp"
        "|remov|suspend|demot|bust|voted|oust|depos|dethron|overthr|toppled|disbarr|defrock|kicked"
        "|threw|expel|replac|forced",
        "over",
        r"\b(?:fire[sd]|sack(?:s|ed)|dismiss(?:es|ed)|discharge[sd]|relieve[sd]|suspend(?:s|ed)"
        r"|demote[sd]|busted|ousted|deposed|dethroned|overthr(?:ew|own)|disbarred|defrocked|expell?"
        r"(?:s"
        r"|ed)|replaced|cashiered|laid (?=\w+ off)|let(?:s|ting)? (?=(?:\w+ ){1,3}go\b)|struck (?="
        r"(?:\w+"
        r" ){1,3}off\b)|voted (?=(?:\w+ ){1,3}out\b)|kicked (?=(?:\w+ ){1,3}off the\b)|forced (?="
        r"(?:\w+"
        rf" ){{1,3}}(?:out|to resign)\b)) ?{_WHOM}\b{NO_SUBJECT}(?P<v>)",
    ),
    (
        "work",
        "promot|transfer|reassign|assigned|posted|knight|ordain|commission|conscript|draft|recruit"
        "|hired|elect|appoint|crown|sworn|elevat|raised to|taken on|enthron|anoint|apprentic|made"
        "|named|demot|bust",
        "turns",
        rf"\b{_WAS} (?:\w+ly |first )?(?:{_RAISED})(?P<v>(?: back)? (?:(?:to|as|by|into|at"
        rf"|in)\b{_TAIL}|(?:an? |the )?(?:\w+ )??{_KNOWN}\b)|(?=[.,;!?]))",
    ),
    (
        "work",
        "promot|transfer|reassign|assigned|posted|knight|ordain|draft|recruit|hired|hires|elect"
        "|appoint|crown|made|make|named|demot|bust|moved|freed",
        "turns",
        r"\b(?:promote[sd]|transferred|reassigned|posted|knighted|ordained|drafted|recruited"
        r"|hire[sd]"
        r"|elect(?:s|ed)|appoint(?:s|ed)|crown(?:s|ed)|make|makes|made|name[sd]|demote[sd]|busted"
        rf"|bumped) {_WHOM} (?:up |down |back )?(?P<v>(?:to |as |the |an? |into )*(?:[\w\-]+"
        rf" )??{_KNOWN})\b",
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
        "no longer",
        "over",
        r"\b(?:no longer|not) (?P<v>(?:work|danc|teach|taught|serv|command|fought|fight|coach|lead"
        r"|led"
        r"|practi[sc]|wait|guard|guarded|play|sang|sing|drive|drove|drives|run|ran|manage|preach"
        r"|patrol|sail|fly|flew|hunt|cook|paint|act|box|wrestl|deliver|trad)(?:e?s|ed|ing|e)?)\b",
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
    (
        "work",
        "own practice|own business|own shop|own firm|own company|own bakery|own restaurant|own"
        " studio"
        "|own agency|own place|own clinic|own garage",
        "turns",
        r"\b(?:open(?:ed|s)|start(?:ed|s)|set up|launch(?:ed|es)|found(?:ed|s)) (?P<v>(?:my|his|her"
        r"|our|their) own (?:\w+ )?\w+)",
    ),
    (
        "work",
        "left|quit|leave",
        "over",
        rf"\b(?:has|have|had|['’]ve|['’]s|['’]d|I|she|he|(?-i:[A-Z])\w+) (?:left|quit) (?P<v>(?:the"
        rf" |her |his |my )?(?:(?-i:[A-Z])[\w'’]+(?: (?:and |& )?(?-i:[A-Z])[\w'’]+)*"
        rf"|(?:\w+ ){{0,2}}?{_WORKPLACE}))\b(?! at (?:\w+|noon)\b)",
    ),
    (
        "work",
        "done here|contract|licen|terminat|revoked|last day|last shift|final shift",
        "over",
        r"\b(?P<p>your|his|her|my) (?:contract|employment|commission|licen[sc]e|appointment"
        r"|position"
        r"|post|clearance)(?: with [^.,;]{2,30}?)? (?:has been|had been|is|was|were) (?:\w+ )?(?:"
        r"terminated|revoked|ended|cancelled|withdrawn|over|not renewed)(?P<v>)",
    ),
    (
        "work",
        "i'm done|i’m done|i quit|you're fired|you’re fired|i'm through|i’m through",
        "over",
        r"\bI(?:['’]m| am) (?:done|finished|through) here\b(?P<v>)|\bI quit\b(?!\s+\w+ing)",
    ),
    (
        "work",
        " now| from today| these days",
        "turns",
        rf"(?:\b(?:is|are|am|was|were)|['’]s|['’]m|['’]re) (?:in|on|at|with) (?P<v>(?:the |guns"
        rf"|an? )?(?:\w+ )?(?:{_WORKPLACE}|desk|beat|board|bench))\b (?:now|from today|these days"
        rf"|from now on)",
    ),
    (
        "role",
        " now|now ",
        "turns",
        rf"(?:\b(?:is|are|am|was)|['’]s|['’]m|['’]re) (?:an?|the|our) (?P<v>(?:[\w\-]+"
        rf" )?{_TRADE})\b"
        rf"[^.,;!?]{{0,40}}? (?:now|these days|nowadays)\b|\b(?P<w>{ROLE}) (?:(?-i:[A-Z])\w+)"
        rf" now\b",
    ),
)

TURNS: tuple[tuple[str, str, str, str], ...] = (*_HOME, *_WORK)
