"""Regex scripts do, to the letter, what a few lines of JavaScript in Node do with them."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.text.regex_script import RegexScript, StoredScript
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.services.prompts.native import Native

# What a script means: a pattern between slashes or bare, groups without what is trimmed.
REFERENCE = r"""
const pattern = (find) => {
  const told = /(\/?)(.+)\1([a-z]*)/i.exec(find);
  const isKnown = !told[3] || /^(?!.*?(.).*?\1)[gmixXsuUAJ]+$/.test(told[3]);
  return isKnown ? new RegExp(told[2], told[3]) : RegExp(find);
};
const run = ({ find, replace, trims, text }) => {
  let wanted;
  try { wanted = pattern(find); } catch { return text; }
  const template = replace.replace(/\{\{match\}\}/gi, "$0");
  return text.replace(wanted, (...all) => {
    const named = typeof all[all.length - 1] === "object" ? all[all.length - 1] : {};
    return template.replaceAll(/\$(\d+)|\$<([^>]+)>/g, (_, number, name) => {
      const found = number ? all[Number(number)] : named[name];
      if (!found) return "";
      if (typeof found === "object") return ""; // there it ends everything
      if (typeof found !== "string") return trims.length ? "" : String(found);
      return trims.reduce((left, trim) => left.replaceAll(trim, ""), found);
    });
  });
};
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(cases.map(run)));
"""
CASES = [
    # groups, by number and by name
    (r"/(?<y>\d{4})-(?<m>\d\d)/g", "$<m>/$<y>", "2024-05, 1999-12."),
    (r"/(?<y>\d{4})-(?<m>\d\d)/", "$2/$1", "2024-05, 1999-12."),
    (r"/(?<a>.)(?<b>.)?/gu", "[$<a>|$<b>|$<c>]", "甲乙丙"),
    ("/(a)|(b)/g", "<$1$2>", "ab"),
    ("/(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)/", "$11-$1-$12-$0", "abcdefghijk"),
    # what is before and behind
    ("/(?<=他)说/g", "问", "他说，她说，他说"),
    ("/(?<!他)说/g", "问", "他说，她说，他说"),
    ("/说(?=，)/g", "问", "他说，她说"),
    (r"/\bword\b/gi", "x", "a Word, sword"),
    # signs that mean something to other replacements
    ("/b/", "$&", "abc"),
    ("/b/", "$$", "abc"),
    ("/b/", "$`$'", "abc"),
    ("/b/", "$", "abc"),
    ("/b/", "$0$00$000", "abc"),
    # behind the groups: where it is, the whole text, the named groups
    ("/b/g", "[$1|$2|$3]", "abcb"),
    ("/(?<n>b)/g", "[$1|$2|$3|$4|$5]", "bcb"),
    ("/b/", r"\n\1", "abc"),
    ("/b/", "$<n>$<", "abc"),
    ("/(?<n>b)/", "$<n>$<N>$<>", "abc"),
    ("/b+/", "[{{match}}|{{MATCH}}|$0]", "abbc"),
    # nothing, everything, and the empty match
    ("", "x", "ab"),
    ("/(?:)/g", "-", "a😀b"),
    ("/(?:)/gu", "-", "a😀b"),
    ("/x*/g", "-", "axb"),
    ("/$/gm", ";", "a\nb"),
    (r"/[\s\S]*/", "", "a\nb"),
    ("/$/", "!", ""),
    # flags
    ("/A/i", "x", "aA"),
    ("/^a.c$/gms", "x", "a\nc\na-c"),
    ("/./", "x", "😀b"),
    ("/./gu", "x", "😀b"),
    ("/a/y", "x", "a /a/y b"),
    ("/a/gg", "x", "a /a/gg b"),
    ("/a/z", "x", "a /a/z b"),
    ("/a/x", "y", "aa"),
    ("/a/U", "y", "aa"),
    (r"/\p{Script=Han}+/gu", "汉", "abc月光酒馆def"),
    (r"/\u{1F600}/u", "笑", "a😀"),
    (r"/\u4e00-/", "x", "一-"),
    # bare patterns, slashes inside, broken ones
    ("b+", "x", "abba"),
    ("a/b", "x", "a/b a/b"),
    (r"/a\/b/g", "x", "a/b a/b"),
    ("/a/b/g", "x", "a/b a/b"),
    ("/", "x", "a/b"),
    ("//", "x", "a//b"),
    ("/(/", "x", "a(b"),
    ("/[/", "x", "a[b"),
    ("/a{2,1}/", "x", "aa"),
    ("/{{user}}/g", "x", "{{user}}"),
    # longer ones, as cards bring them
    (
        r"/<(update(?:variable)?)>\s*((?:(?!<\1>).)*)\s*<\/\1>/gsi",
        "($2)",
        "x<Update>\n1\n</Update>y",
    ),
    (r"/<think>[\s\S]*?<\/think>\s*/gi", "", "<THINK>a\n</think>\n\nb<think>c"),
    (r"/^\s*\*(.+?)\*$/gm", "“$1”", "*a*\n *b*\nc"),
    (r'/(["“])(.*?)(["”])/g', "<q>$1$2$3</q>", '“甲”说"b"'),
    (r"/\[好感:(\d+)\/(\d+)\]/g", "$1 of $2", "[好感:3/10][好感:x/1]"),
    (r"/(.+)\n\1/", "$1", "a\na\nb"),
    (r"/\s+/g", " ", "a\u00a0\u3000\ufeff\u2028b"),
    (r"/\w+/g", "w", "é ſ K ab_1"),
    ("/ſ/i", "x", "sSſ"),
    ("/s/iu", "x", "sSſ"),
]
TRIMMED = [
    (r"/\[(.*?)\]/g", "<$1>", ["a"], "[banana][a]"),
    (r"/(?<n>\*.*?\*)/g", "$<n>$0", ["*", "**"], "*a* **b**"),
    ("/(.*)/", "$1", ["", "b", "ab"], "abab"),
    ("/(.+)/s", "$1", ["\n"], "a\nb\n"),
    ("/(a)/g", "$1", ["A"], "aA"),
]


def rows():
    plain: list[tuple[str, str, list[str], str]] = [
        (find, replace, [], text) for find, replace, text in CASES
    ]
    names = ("find", "replace", "trims", "text")
    return [dict(zip(names, row, strict=True)) for row in (*plain, *TRIMMED)]


@pytest.fixture(scope="module")
def expected():
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node here to compare with")
    done = subprocess.run(
        [node, "-e", REFERENCE],
        input=json.dumps(rows()),
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def javascript():
    made = JavaScript()
    yield made
    made.close()


def mine(javascript, row, around=()):
    script = RegexScript(
        "x", row["find"], row["replace"], tuple(row["trims"]), placements=frozenset({1, 2})
    )
    native = Native([StoredScript("1", script, "global", "", 0, is_enabled=True)], javascript)
    texts = [row["text"], *around]
    messages = [Message("", "main", 0, "", "user", t, False, "", None) for t in texts]
    return native.as_sent(messages)[0].text


@pytest.mark.parametrize("number", range(len(rows())), ids=[row["find"] for row in rows()])
def test_a_script_does_what_node_does(javascript, expected, number):
    row = rows()[number]
    if row["find"] and row["text"]:
        assert mine(javascript, row, ["another text", row["text"] * 3]) == expected[number]
    else:  # a script without a pattern, or a text without a letter, is left alone
        assert mine(javascript, row) == row["text"]
