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
