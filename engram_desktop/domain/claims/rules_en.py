"""English patterns by which a sentence asserts a known facet. They match nothing when in doubt."""

from __future__ import annotations

import re

from engram_desktop.domain.claims.hinted_rules import FactRule, Marker
from engram_desktop.domain.claims.states_en import END, MORE, NOUN, NUM, ROLE
from engram_desktop.domain.claims.things_en import AMOUNTS_EN, THINGS
from engram_desktop.domain.claims.turns_en import BONDS, TURNS

QUESTION = re.compile(r"\?[\"”*)\s]*$")
UNREAL = Marker(
    r"\b(?:if|suppose|supposing|imagine|wish(?:e[sd])?|as if|as though|unless|pretend"
    r"|they say|people say|rumou?rs?|the saying)\b"
    r"|\b\w+['’]d be\b",
    re.IGNORECASE,
)
MODAL = re.compile(
    r"\b(?:would|could|might|(?-i:may)|should|perhaps|maybe|probably|seems?|seemed|looks? like"
    r"|supposedly|apparently|like a|can"
    r"|hope|hopefully|let['’]s|almost|nearly|I reckon|I guess|was to|were to)\b"
    r"|\bI['’]d\b(?! been)",
    re.IGNORECASE,
)
# A question at the end of a statement: okay?
TAG_QUESTION = re.compile(
    r"[,.]\s*(?:okay|ok|all right|alright|right|yes|will you|you hear|deal)\?", re.IGNORECASE
)
DREAM = Marker(
    r"\bdream(?:s|ed|t|ing)?\b|\b(?:the|a|harvest|school) play\b|rehears|theatric|\brecit|declaim"
    r"|\bsang\b|\bsings\b|paper crown"
    r"|\bstory goes\b|\bthe script\b|\bnovel\b",
    re.IGNORECASE,
    hints="dream|play|rehears|theat|recit|declaim|sang|sings|crown|story|script|novel",
)
JOKE = Marker(
    r"\bI['’]m the (?:Queen of Sheba|King of \w+|Pope|Emperor of \w+|Virgin Mary)\b|"
    r"\b(?:kidding|joking|just a joke|lol|haha|jk|for laughs)\b",
    re.IGNORECASE,
)
PLANNED = re.compile(
    r"\b(?:will|'ll|shall|going to|gonna|plans? to|want(?:s|ed)? to|coming to|about to|tomorrow"
    r"|next (?:week|month|year))\b|['’]ll\b",
    re.IGNORECASE,
)
PAST = re.compile(
    r"\b(?:used to|once|formerly|back then|years ago|as a (?:girl|boy|child))\b"
    r"|\b(?:had|lived|worked|slept|served) [^.]{0,40}\bfor \w+ (?:years|months)\b",
    re.IGNORECASE,
)
UNTRUE = Marker(
    r"\b(?:it|that|this|which) (?:was|is) (?:all )?(?:a lie|untrue|not (?:even )?true)\b"
    r"|\b(?:it|that|this|which) (?:wasn|isn)['’]t (?:even )?true\b|\bnot a word of it was true\b"
    r"|\b(?:that|it)['’]s (?:a lie|not true|not even true|untrue)\b|\b(?:he|she|I) lied\b"
    r"|\b(?:was|is|made) (?:so |such )?(?:an? )?(?:[a-z]+ )?(?:an? )?lie\b(?! (?:down|in|on|still))"
    r"|\blied (?:smoothly|easily)\b|\b(?:I|he|she) (?:was|is) lying\b|\blying through\b"
    r"|\bnone of (?:it|that|this) (?:was|is) true\b|\b(?:it|that|this|none of it) never happened\b"
    r"|\bmade (?:it|that|this|all of it) up\b",
    re.IGNORECASE,
)
WEAK_UNTRUE = Marker(
    r"^[(*\s]*(?:in truth|actually|of course (?:not|it wasn)|in fact)\b",
    re.IGNORECASE,
)
ADMITS = Marker(
    r"\bI (?:didn['’]t|did not|never) (?:tell|told) (?:you|him|her|them) the truth\b"
    r"|\bI was (?:only )?(?:bragging|boasting|lying)\b|\bI shouldn['’]t have (?:lied|hidden"
    r"|kept)\b"
    r"|\bwas (?:false|a forgery)\b|\bno fooling you\b|\bI (?:did|was) (?:go|there|at)\b"
    r"|\bI lied\b|\bI (?:wasn['’]t|was not|haven['’]t been) (?:honest|truthful)\b|\bI admit\b"
    r"|\bI confess\b|\bthe truth is\b"
    r"|\bto be honest\b|\bI have to tell you\b|\bmy name['’]?(?:s| is|isn['’]t| is not)* not\b"
    r"|\bmy (?:real )?name isn['’]t\b"
    r"|\bit was me\b|\bI did it\b|\bI made (?:it|that) up\b|\bI (?:wasn['’]t|was not) (?:in|at"
    r"|there)\b|\bI['’]ve been lying\b",
    re.IGNORECASE,
)
KEEPS = Marker(
    r"\bas (?:promised|agreed|he['’]d said|she['’]d said|I['’]d said|(?:he|she|I"
    r"|they)['’]?d? (?:had )?(?:said|promised))\b"
    r"|\b(?:kept|keeps|keeping) (?:my|his|her|their|the) (?:word|promise|vow)\b"
    r"|(?:^\W*|[,;] |\band |\bso )you (?:did )?(?:keep|kept) your (?:word|promise)\b"
    r"|\bI said I(?:['’](?:d|ll)| would)\b|\btold you I['’]d (?!\w+ed\b|been\b|had\b)"
    r"|\btrue to (?:my|his|her) word\b|\b(?:he|she|you|they) (?:actually |really |did )+(?:do"
    r"|did) it\b"
    r"|\b(?:did|does|done) (?:just |exactly )?(?:what|as) (?:he|she|I|you) (?:said|promised)\b",
    re.IGNORECASE,
    hints="promis|agreed|said|kept|keep|told you|true to|did it",
)
BREAKS = Marker(
    r"\b(?:and|but) I (?:didn['’]t|never did|haven['’]t|did not)\b|\b(?:broke|broken|breaks"
    r"|breaking) (?:my|his|her|their|the) (?:word|promise|vow)\b"
    r"|\b(?:didn['’]t|never) (?:come|came|show|showed)\b"
    r"|\bforgot\b|\bI couldn['’]t\b|\blet you down\b|\bfailed to\b",
    re.IGNORECASE,
    hints="bro|break|never|didn|forgot|couldn|let you|failed",
)
DROPS = Marker(
    r"\bg(?:ave|iven|iving|ive) up\b|\bnever ?mind\b|\bchanged (?:my|his|her) mind\b"
    r"|\bcalled (?:it )?off\b|\bnot going to\b",
    re.IGNORECASE,
)
# It says that a belief was wrong: the narration of a person, or a speaker of themselves.
ERRS = Marker(
    r"\b(?:I|we|he|she|they|[A-Z]\w+) (?:was|were|am|had been) (?:so |quite |completely |dead )?"
    r"(?:wrong|mistaken)\b"
    r"|\bI (?:misread|misjudged|misremembered|misheard)\b|\bI (?:had|got) (?:it|that) wrong\b"
    r"|\b(?:I|we) (?:had )?(?:always |really |only )?(?:thought|believed|assumed|figured)\b"
    r"|\bturn(?:s|ed) out\b"
    r"|\b(?:he|she|they|[A-Z]\w+) (?:did|could)(?: not|n['’]t) (?:yet )?know (?:yet )?that\b"
    r"|\b(?:he|she|they|[A-Z]\w+) (?:had no idea|was not aware|wasn['’]t aware)\b",
    re.IGNORECASE,
)

# Texts of which a sentence contains one if a rule of a facet may match.
_HINTS = {
    "home": (
        "i sleep|"
        "bunk|slept|room|gave up|gives up|moved out|liv|resid|sleeps|lodg|mov|went|stay|settl|rent"
        "|place|home|house|flat|apartment"
    ),
    "work": (
        "took over|takes over|does the|do the|gave up the|work|runs|keeps|manages|i run|i keep"
        "|i manage|quit|left my job|dismissed|sacked|fired"
        "|let go|lost my job|lost his job|lost her job|resign|retir|got a job|got the job|start"
        "|hired|took a job|study|drop"
    ),
    "role": "",  # names of offices, which its patterns contain
    "dead": "dead|died|passed|killed|hanged|drown|murder|execut|no longer",
    "alive": "dead|alive|lives|breath|surviv",
    "owner": "belong|my|mine|yours|his|hers",
    "owns": "own|bought|won|inherit|stole",
    "given": "gave|gives|sold|sells|hand|left|lost",
    "place": "moved| in| under| behind| on| beneath| inside| at| beside|gone| into| to| among",
    "bond": (
        "dating|together| ex|friend|husband|wife|fianc|widow|marr|divorc|engag|single|broke|split"
    ),
    "name": "name|call me",
    "hurt": (
        "plaster|crutch|cast|sling|splint|burn|cut|crush|smash|twist|sprain|disloc|concuss|coma"
        "|cough|shot|stab|hit|bro"
        "|wound|injur|bleed|ill|sick|poison|fever|hurt"
    ),
    "age": "is |am |'m |’m |'s |’s |are ",
    "years": "years",
    "origin": "from|born",
}
_RULES: tuple[tuple[str, str, str], ...] = (
    (
        "home",
        "",
        rf"\b(?:liv(?:e|es|ed|ing)|bunk(?:s|ing)?|resid(?:e|es|ed)|sleeps|I sleep|lodg(?:e|es"
        rf"|ed))\s+(?P<v>(?:next to|beside|in|at"
        rf"|above|over|on|near|behind|under|with|alone)\b(?:\s+{NOUN})?){END}",
    ),
    (
        "home",
        "changes",
        rf"\b(?:moved|moves|moving)\s+(?P<v>(?:in with|into|to|out to|back to"
        rf"|in)\s+{NOUN}){END}",
    ),
    ("home", "changes", rf"\bwent to live\s+(?P<v>(?:in|at|with)\s+{NOUN}){END}"),
    (
        "role",
        "",
        rf"\b(?:am|['’]m|is|['’]s|are|['’]re|was|were|been|becomes?|became)\s+(?:now\s+)?(?:a"
        rf"|an|the|your|our|their)\s+(?:new\s+"
        rf"|old\s+)?(?P<v>(?:[\w\-]+\s+)?{ROLE}(?:\s+(?:at|for"
        rf"|in)\s+[\w'’\-]+(?:\s+(?:and\s+)?[A-Z][\w'’\-]+)*)?)\b",
    ),
    ("role", "", rf"\b(?:am|['’]m|is|['’]s)\s+(?P<v>{ROLE})\s+(?:of|at|here)\b"),
    ("role", "", rf"\bbeen\s+(?:an?\s+)?(?P<v>{ROLE})\b"),
    (
        "work",
        "",
        rf"\bwork(?:s|ing)?\s+(?P<v>(?:at|for|in)\s+(?!\d|most|both|every|me\b|you\b"
        rf"|us\b|all\b|many)"
        rf"{NOUN}){END}",
    ),
    ("role", "", rf"\bwork(?:s|ing)?\s+as\s+an?\s+(?P<v>(?:[\w\-]+\s+)?{ROLE})\b"),
    ("work", "changes", rf"\b(?:took|takes|taken) over\s+(?P<v>(?:the|his|her)\s+{NOUN}){END}"),
    ("role", "changes", rf"\bthe new (?P<v>{ROLE})\b[^.!?]{{0,40}}\b(?:is|has)\b"),
    (
        "work",
        "ends",
        rf"\b(?:quit|left my job at|dismissed from|sacked from|fired from"
        rf"|no longer works? at)\s+(?P<v>{NOUN}){END}",
    ),
    ("role", "ends", rf"\b(?:no longer|not)\s+(?:a|an|the)?\s*(?P<v>{ROLE})\b"),
    ("role", "ends", rf"\b(?P<v>{ROLE}) of nothing\b"),
    (
        "dead",
        "",
        r"\b(?:is|are|was|were|['’]s|lies|lay|fell|been) (?:already |now "
        r"|quite )?dead\b(?! (?:to the|tired|serious|set|certain|sure|wrong|right"
        r"|on (?:his|her|my|your) feet|drunk|asleep|ahead|weight|keen|center|centre|even|easy))"
        r"|\b(?:died|passed away|was killed|is killed|has died|had died)\b",
    ),
    (
        "alive",
        "",
        r"\b(?:is|are|was|['’]s|['’]m) (?:still )?alive\b|\b(?:still|is) (?:lives"
        r"|breathing)\b|\b(?:survived)\b",
    ),
    ("owner", "", rf"\bbelong(?:s|ed)? to\s+(?P<v>{NOUN}){END}"),
    (
        "owner",
        "",
        r"(?<![a-z,] )\b(?P<t>it|this|that)(?:['’]s| is| was) (?P<v>my (?:\w+)['’]s|mine"
        r"|yours|his|hers)\b",
    ),
    ("owner", "", r"\b(?P<t>it|she|this)(?:['’]s| is| was) (?P<v>mine|yours)(?: now)?\b"),
    ("owns", "", rf"\b(?:owns|owned|I own|you own)\s+(?P<t>{NOUN}){END}"),
    (
        "given",
        "changes",
        rf"\b(?:gave|gives)\s+(?P<v>[A-Z]\w+)\s+(?P<t>(?:the|my|his|her)\s+{NOUN}){END}",
    ),
    (
        "place",
        "",
        rf"\b(?P<t>(?:the|my|your|his|her|our|a|an)\s+(?:[\w'’\-]+\s+){{0,2}}[\w\-]+)(?:['’]s"
        rf"| is| are| was| were)\s+(?:still\s+|now\s+|always\s+)?(?:hidden |buried |kept "
        rf"|stored |locked |hanging |lying )?(?P<v>(?:in|under|behind|on|beneath|inside|at"
        rf"|beside)\s+(?:the|my|your|his|her|a|an)\s+{NOUN}){END}",
    ),
    (
        "place",
        "",
        rf"\b(?P<t>it|they)(?:['’]s| is| was)\s+(?:still\s+)?(?:hidden|buried|kept|stored"
        rf"|locked|hanging)\s+(?P<v>(?:in|under|behind|on|beneath|inside|at)\s+{NOUN}){END}",
    ),
    (
        "place",
        "changes",
        rf"\b(?:hides?|hid|hidden|keeps?|kept|puts?|moved|moves|sews?|sewed|stash(?:es|ed)"
        rf"|buried|buries|lock(?:s|ed)|slides?)\s+(?P<t>it|them|(?:the|my|her|his"
        rf"|a)\s+(?:[\w'’\-]+\s+){{0,2}}?[\w\-]+)\s+(?P<v>(?:in|into|under|behind|on"
        rf"|beneath|inside|at|among|to (?:the|my|his|her|our|their|[A-Z]))\s+{NOUN}){END}",
    ),
    ("place", "gone", r"\b(?P<t>(?:the|it|my|her|his)\s*[\w\-]*)(?:['’]s| is) (?P<v>gone)\b"),
    (
        "bond",
        "",
        r"\b(?:is|['’]s|am|['’]m|are|was) (?:my|his|her|a|your|now)?\s*(?P<v>boyfriend"
        r"|girlfriend|husband|wife|widow|widower|fianc[ée]e?|married|divorced|engaged"
        r"|single)\b(?!['’]s)",
    ),
    (
        "bond",
        "changes",
        r"\b(?P<v>broke up|split up|got married|got engaged|got divorced|are married)\b"
        r"|\b(?P<w>married) (?:a|the|him|her)\b",
    ),
    (
        "name",
        "",
        r"\bmy name(?:['’]s| is)\s+(?!not\b)(?P<v>(?-i:[A-Z])[\w'’\-]+(?:\s+(?-i:[A-Z])[\w'’\-]+)?)"
        r"|\bcall me (?P<w>(?-i:[A-Z])[\w'’\-]+)",
    ),
    (
        "hurt",
        "",
        r"\b(?:has |have |had |['’]s )?(?:broke|broken|breaks) (?:my|his|her|a|an) (?P<v>leg"
        r"|arm|wrist|ankle|rib|hand|foot)\b"
        r"|\b(?:is|am|['’]m|['’]s|are|was) (?:badly )?(?P<w>wounded|injured"
        r"|in plaster|on crutches|in a (?:cast|sling|splint)|bleeding|ill|sick"
        r"|poisoned|feverish|hurt)\b",
    ),
    (
        "work",
        "ends",
        r"\b(?:was|got|been) (?:fired|sacked|let go)(?P<v>)\b|\blost (?:my|his"
        r"|her) job(?P<w>)\b|\b(?:resigned|retired)(?P<x>)\b",
    ),
    (
        "dead",
        "",
        r"\b(?:was|were|been|got) (?:hanged|drowned|murdered|shot dead|executed)\b"
        r"|\bno longer with us\b",
    ),
    (
        "place",
        "",
        rf"\b(?P<t>it)(?:['’]s| is)\s+(?P<v>(?:in|under|behind|inside|beneath)\s+(?:the|my"
        rf"|your|a)\s+{NOUN}){END}",
    ),
    ("work", "ends", r"\bdropped out of (?P<v>[\w\s]{3,20}?)(?=[,.]|$| in| and)"),
    ("alive", "", r"\b(?:ain['’]t|isn['’]t|is not|['’]s not|wasn['’]t|not) dead\b"),
    (
        "age",
        "",
        rf"(?<!who)(?:\b(?:is|am)|['’]m|['’]s)\s+(?P<v>{NUM})(?: years old)?"
        rf"(?![.,]\d|%)(?=\s*(?:[,.;!?\"”*]|$|and|if|with))",
    ),
    (
        "years",
        "",
        r"\b(?:have|has|had|['’]ve|['’]s|['’]d)\s+(?:\w+ed|kept|run|been|sung|taught|driven|sold"
        rf"|built)\s+(?:for|at|in|on|with)?\s*(?P<t>{NOUN})\s+(?:for )?(?:the (?:last|past) )?"
        rf"(?P<v>{NUM}) years\b",
    ),
    (
        "origin",
        "",
        r"\b(?:(?:am|['’]m|is|['’]s|come|comes|came) (?:out of|from)"
        r"|was born in) (?P<v>(?-i:[A-Z][a-z]+))\b(?! (?:street|road))",
    ),
    (
        "given",
        "changes",
        rf"\b(?:gave|gives|sold|sells|handed|left|lost)\s+(?P<t>(?:the|my|his"
        rf"|her)\s+{NOUN})\s+(?:over\s+)?to\s+(?P<v>(?:the |a |an "
        rf"|my )?[\w\-]+(?:\s+(?-i:[A-Z]\w+))?){END}",
    ),
)
AMOUNTS = re.compile(
    r"\b(?:rent|fee|price|toll|wage|salary|bounty|debt|fare|ransom|bail|deposit|tuition|reward)\b",
    re.IGNORECASE,
)
VOW = Marker(
    r"\b(?:I (?:promise|swear|vow)|promise\b|my word|on my (?:honou?r|life)|I give you my word"
    r"|you have my word|I swear to|cross my heart|mark my words|you can count on (?:me|it)"
    r"|on (?:my|his|her) (?:mother|father)['’]s grave)\b",
    re.IGNORECASE,
)
# An oath about the past promises nothing.
SWORN_PAST = re.compile(
    r"\bI (?:swear|promise) (?:that )?I (?:didn|never|wasn|haven|did not|was not)"
)
# Oaths without content: the content is in the sentences beside.
OATH = re.compile(
    r"(?:and )?(?:you have my word|(?:that['’]s|it['’]s) a promise|I (?:promise|swear)(?: you|"
    r" it)?(?: I will)?"
    r"|I give you my word|my word on it|cross my heart|on my (?:honou?r|life))"
    r"(?:,? [A-Z]\w+(?: [A-Z]\w+)?)?[.!…]*",
    re.IGNORECASE,
)
WILL = Marker(
    r"\b[Ii](?:['’]ll| will| shall| won['’]t)\s+(?!be\b(?! (?:back|there|here|home|with you))"
    r"|have\b(?! (?:the|it|him|her|them|you|every|your|that)\b)|say\b(?! so)|bet\b|think\b"
    r"|see what|never\b"
    r"|need|want"
    r"|admit|ask\b|tell you what|try\b)(?P<v>[a-z][\w\s,'’\-À-ÿ]{3,120})",
)
SHALL = re.compile(
    r"(?<!it )(?<!that )(?<!there )\b(?:will|shall|won['’]t)\b"
    r"|(?<!it)(?<!that)(?<!there)['’]ll\b|\bI['’]m going to\b",
    re.IGNORECASE,
)
WHEN = re.compile(
    r"\b(?P<t>before [\w\s'’]{2,30}|by (?:the )?(?:\w+day|dawn|noon|night|morning|spring"
    r"|(?:mid)?winter"
    r"|(?:mid)?summer|autumn|fall|(?-i:[A-Z]\w+)|\w+ end)|on (?:the )?\w+day|on the \w+ of \w+"
    r"|(?:in"
    r"|within) \w+ (?:days?|weeks?|months?)"
    r"|the \w+day \w+|tomorrow|tonight|when [\w\s'’]{2,30}|once [\w\s'’]{2,30}"
    r"|as soon as [\w\s'’]{2,30}|until [\w\s'’]{2,30}"
    r"|in (?:the )?(?:spring|summer|autumn|fall|winter|morning)|next \w+|while [\w\s'’]{2,30}"
    r"|someday|one day)",
    re.IGNORECASE,
)
LATER = re.compile(
    r"\b(?:before|by (?:the|next|dawn|noon|(?:mid)?(?:winter|summer)|spring|(?-i:[A-Z]\w+))|on"
    r" \w+day|once|as soon as|until|when I|in the (?:spring|summer"
    r"|autumn|fall|winter)"
    r"|next (?:week|month|year)|someday)\b",
    re.IGNORECASE,
)
GIVES = Marker(
    r"\b[Ii](?:['’]ll| will| shall)\s+(?:come back|return|bring|teach|take|give|show|buy|cook|make"
    r"|build|find|save|get|put|feed|write|send|bury|fix|mend|carry|lead|marry|repay|pay|avenge"
    r"|protect|kill|see them|see you"
    r"|look after|drive|fetch|have|hold|meet|call|help|stand by|come with|sing|play|read|walk|fly"
    r"|sail)\b[^.!?]*?"
    r"\b(?:you|them|him|her|back|it|your|[A-Z][a-z]+|for you|at that|running|ready|out|every)\b"
    r"|\b[Ii](?:['’]ll| will| shall) (?!go\b|be\b|not\b|never\b)[^.!?]{4,60}\bmyself\b"
    r"|\b[Ii](?:['’]ll"
    r"| will| shall) be (?:back|there|here|home)\b",
    hints="i'll|i’ll|i will|i shall",
)
THREAT = Marker(
    r"\b[Ii](?:['’]ll| will| shall) (?:kill|see (?:them|him|her|you) hang|make (?:you|him|her"
    r"|them) pay|never forgive|(?:skin|hang|gut|ruin|shoot|drown|destroy|bury|break|burn|feed)"
    r" (?:you|him|her|them|whoever|every))\b",
)
EMPTY_PROMISE = re.compile(
    r"\?|\bif I (?:could|were)\b|\bI(?:['’]ll| will) (?:take (?:it|that|one|the)|get (?:the|it"
    r"|you a)|help you look|fetch|go\b(?![^.!?]*\b(?:with you|on \w+day|tomorrow|tonight))"
    r"|wait\b|let you|give you that|make (?:tea|coffee)"
    r"|(?:definitely )?give (?:it|that|this|them) a (?:try|shot|go)|take your (?:advice|word)"
    r"|give you a (?:little )?(?:hint|clue|hand))",
    re.IGNORECASE,
)
# Said out of kindness: it has no outcome.
ASSURANCE = Marker(
    r"\bI(?:['’]ll| will) (?:do my best|try my best|be (?:fine|okay|careful)|think about it"
    r"|keep (?:it|that|this) in mind|always (?:love|remember|cherish))",
    re.IGNORECASE,
)
# The person whose words are repeated: Hale told me she left.
RETELLS = Marker(r"(?P<says>\s+(?:told|tells) (?:me|us)\b|\s+sa(?:id|ys) (?:that |he |she ))")
SWEARS = re.compile(r"\b(?:swear|vow|my word|promise)\b", re.IGNORECASE)
KIN = Marker(
    r"\bmy (?P<kin>wife|husband|brother|sister|father|mother|dad|mom|mum|son|daughter|uncle|aunt"
    r"|nephew|niece|cousin|grandmother"
    r"|grandfather|grandma|grandpa|boss|(?:best )?friend|girlfriend|boyfriend|partner|fianc[ée]e?"
    r"|ex|roommate|flatmate|neighbou?r|landlord|landlady|colleague|co-?worker|manager|teacher"
    r"|professor|classmate|client|assistant|(?:mother|father|brother|sister)-in-law|kid|child)\b",
    re.IGNORECASE,
)


def _at_word(pattern: str) -> str:
    """Return a pattern that begins with a word: twice as fast without a search for its edge."""
    head = re.match(r"\(\?:\\b|\\b", pattern)
    return pattern if head is None else head[0].removesuffix("\\b") + pattern[head.end() :]


FACTS: tuple[FactRule, ...] = (
    *(
        FactRule(facet, hints, mark, pattern, re.IGNORECASE)
        for facet, hints in _HINTS.items()
        for of, mark, pattern in _RULES
        if of == facet
    ),
    *(FactRule(facet, hints, mark, pattern, re.IGNORECASE) for facet, hints, mark, pattern in MORE),
    # states mentioned in passing, and what ends them
    *(
        FactRule(facet, hints, mark, _at_word(pattern), is_at_word=True)
        for facet, hints, mark, pattern in (
            *TURNS,
            *BONDS,
            *THINGS,
            *AMOUNTS_EN,
        )
    ),
)
MARKERS: tuple[Marker, ...] = tuple(
    value for value in list(globals().values()) if isinstance(value, Marker)
)
SIGNS = frozenset((ADMITS, UNTRUE, WEAK_UNTRUE, DROPS, BREAKS, KEEPS, ERRS))
