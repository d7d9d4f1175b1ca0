"""English verbs that role-plays and chats are made of: which words are verbs, and their forms."""

from __future__ import annotations

from functools import lru_cache

_REGULAR = frozenset(
    """
    accept act add admire admit adopt adore agree aim allow amaze announce annoy answer apologize
    appear apply appreciate approach argue arrange arrive ask attack attend avoid bake bark bat
    bathe beg behave believe belong blame blink blush boil borrow bother bow breathe brush bump
    burn bury call calm care carry cast cause celebrate chase chat check cheer chew chill chuckle
    claim clap clasp clean clear clench climb cling clutch collapse collect comb comfort command
    compare compete complain concentrate confess confirm confuse connect consider contain continue
    cook cough count cover crack crash crave create cross crouch cry cuddle cup curl curve cut
    dance dare decide decline defend delay deliver demand deny depend describe deserve design
    destroy develop die dip disagree disappear discover discuss dislike divide doubt drag draw
    dream dress drift drop dry earn echo embrace emerge enjoy enter escape examine excite excuse
    exhale exist expect explain explore express extend face fade fail faint fancy fear fetch fight
    fill finish fix flash flee flicker flinch float flow flush flutter focus fold follow force
    forgive form frown gasp gather gaze gesture giggle glance glare gleam glide glow grab grasp
    greet grimace grin groan grow growl guard guess guide halt hand handle hang happen harm hate
    haunt head heal help hesitate hide hiss hold hope hover hug hum hunt hurry hurt ignore imagine
    improve include inhale insist inspire intend invite join joke judge jump keep kick kill kiss
    kneel knit knock lack land last laugh lead lean leap learn leave lick lie lift light linger
    listen live load lock look love lower make manage mark marry matter mean meditate meet melt
    mention mind miss mix moan move mumble murmur mutter name need nod note notice nudge obey
    offer open order owe pace pack paint part pass pat pause perform pick place plan plant plead
    please point ponder pour practice pray prefer prepare press pretend prevent promise propose
    protect prove pull punch punish purr push question quiver race raise reach react realize
    recall receive recognize recommend refuse regret relate relax release remain remember remind
    remove repair repeat reply report request rescue research respect respond rest return reveal
    roar roll rub ruin run rush save scan scare scoff scold scowl scratch scream search seem serve
    settle shake share shift shiver shout show shrug sigh sign signal sip sit skate skip slam
    slide slip slow slump smell smile smirk smoke snap snarl sneak sniff snore snort sob soften
    sort sound spar spark spin splash squeeze stagger stammer stand stare start startle stay
    steady step stir stop straighten stretch stroke struggle study stumble stutter succeed suck
    suffer suggest suit support suppose surprise surrender survive suspect swallow sway swing talk
    tap taste tease tempt tend test thank threaten tie tighten tilt tiptoe toss touch trace trail
    train travel treat tremble trick trip trust try tuck tug turn twirl twist type understand
    unlock urge use value visit volunteer wait wake walk wander want warm warn wash watch wave
    weigh whimper whine whip whisper whistle win wince wink wipe wish wonder work worry wrap
    wrinkle yawn yell yield
    """.split()
)
_IRREGULAR = {
    base: past.split("/")
    for base, past in (
        pair.split(":")
        for pair in """
        be:was/were/been become:became begin:began/begun bend:bent bind:bound bite:bit/bitten
        bleed:bled blow:blew/blown break:broke/broken bring:brought build:built buy:bought
        catch:caught choose:chose/chosen come:came creep:crept cut:cut deal:dealt dig:dug
        do:did/done draw:drew/drawn drink:drank/drunk drive:drove/driven eat:ate/eaten
        fall:fell/fallen feed:fed feel:felt fight:fought find:found flee:fled fly:flew/flown
        forget:forgot/forgotten forgive:forgave freeze:froze/frozen get:got/gotten give:gave/given
        go:went/gone grow:grew/grown hang:hung have:had hear:heard hide:hid/hidden hit:hit
        hold:held keep:kept kneel:knelt know:knew/known lead:led leave:left lend:lent let:let
        lie:lay lose:lost make:made mean:meant meet:met pay:paid put:put quit:quit read:read
        ride:rode/ridden ring:rang rise:rose/risen run:ran say:said see:saw/seen seek:sought
        sell:sold send:sent set:set shake:shook/shaken shine:shone shoot:shot show:shown
        shrink:shrank shut:shut sing:sang/sung sink:sank sit:sat sleep:slept slide:slid
        speak:spoke/spoken spend:spent spin:spun spread:spread stand:stood steal:stole/stolen
        stick:stuck strike:struck swear:swore sweep:swept swim:swam/swum swing:swung
        take:took/taken teach:taught tear:tore/torn tell:told think:thought throw:threw/thrown
        understand:understood wake:woke/woken wear:wore/worn weave:wove weep:wept win:won
        write:wrote/written
        """.split()
    )
}
_PASTS = frozenset(past for forms in _IRREGULAR.values() for past in forms)
BASES = _REGULAR | _IRREGULAR.keys()


def is_past(word: str) -> bool:
    """Whether a form is past already, such as went, or looks like it: -ed."""
    return word in _PASTS or (word.endswith("ed") and len(word) > 4)


def is_verb(word: str) -> bool:
    """Whether ``word`` is the plain form of a verb that is known here."""
    return word in BASES


def third_person(verb: str) -> str:
    """Return the form that goes with she: go → goes, try → tries."""
    low = verb.lower()
    if low == "be":
        return "is"
    if low == "have":
        return "has"
    if low.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


@lru_cache(maxsize=20_000)
def base_of(word: str) -> str:
    """Return the plain form of a verb's form; empty if ``word`` is none of a known verb."""
    if word in BASES:
        return word
    for base, forms in _IRREGULAR.items() if word in _PASTS else ():
        if word in forms:
            return base
    for end, more in (("ies", "y"), ("ied", "y"), ("es", ""), ("s", ""), ("ed", ""), ("ed", "e")):
        if word.endswith(end) and (base := word[: -len(end)] + more) in BASES:
            return base
    for end in ("ing", "ed"):
        stem = word.removesuffix(end)
        if stem != word:
            for base in (stem, stem + "e", stem[:-1]):
                if base in BASES:
                    return base
    return ""
