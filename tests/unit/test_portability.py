"""Windows from Linux: what only one system has lies in seams, with a branch for the others.

The trees of all modules are walked, so that a call which only POSIX has cannot come in unseen.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import engram_desktop

ROOT = Path(engram_desktop.__file__).parent
MODULES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))

# Modules that only some systems have.
ONLY_SOME_HAVE = {
    "fcntl", "grp", "nt", "posix", "pty", "pwd", "readline", "resource", "spwd", "syslog",
    "termios", "tty", "msvcrt", "winreg", "winsound", "_winapi", "ctypes",
}  # fmt: skip
# Names that only some have, or that mean something else there: os.kill ends a process on Windows,
# os.rename does not replace there, os.chmod knows one bit.
ONLY_SOME_DO = {
    "os": {
        "fork", "forkpty", "kill", "killpg", "getuid", "geteuid", "getgid", "getegid", "setuid",
        "setsid", "getsid", "getpgid", "setpgid", "chmod", "chown", "lchown", "fchmod", "fchown",
        "mkfifo", "mknod", "symlink", "link", "readlink", "sync", "uname", "nice", "wait",
        "waitpid", "statvfs", "getloadavg", "sysconf", "confstr", "ttyname", "rename", "renames",
        "startfile", "memfd_create", "sendfile", "pread", "pwrite", "posix_fadvise",
        "sched_getaffinity", "pidfd_open", "fdatasync", "chroot", "getpriority", "umask",
        "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_SYNC", "O_TMPFILE", "O_BINARY",
        "environb", "fsencode",
    },
    "signal": {
        "SIGKILL", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPIPE", "SIGQUIT",
        "SIGTERM", "alarm", "setitimer", "pause", "sigwait", "pthread_kill", "siginterrupt",
        "set_wakeup_fd", "CTRL_C_EVENT", "CTRL_BREAK_EVENT", "SIGBREAK",
    },
    "time": {"tzset", "clock_gettime", "pthread_getcpuclockid"},
    "shutil": {"chown"},
    "multiprocessing": {"Process", "Pool", "Manager", "Pipe", "Queue"},  # fork, unless told not to
    "subprocess": {"Popen", "run", "call", "check_call", "check_output"},  # opens a console
    "socket": {"AF_UNIX", "socketpair"},
    "locale": {"nl_langinfo"},
}  # fmt: skip
# Methods, whatever they are of. A folder or file is moved and deleted by `moving` alone, which is
# patient where Windows refuses for a moment.
METHODS = {
    "add_signal_handler", "chmod", "lchmod", "hardlink_to", "symlink_to", "mkfifo", "rmtree",
}  # fmt: skip
PLACES = re.compile(
    r"^(?:/(?:tmp|proc|dev|etc|usr|var|home|root|run|opt|bin|mnt)(?:/|$)|[A-Za-z]:\\)"
)
# What of a time only some systems' strftime knows: %-d, %s, %e, %P, %k.
STRFTIME = re.compile(r"%(?:-[a-zA-Z]|[sePklGV])")

# Where one system's own is used: why, and what the others do instead, which must be in the module.
SEAMS = {
    "moving.py": ("renames and deletes", ("winerror", "patiently")),
    "server/running.py": ("keeps a port to itself", ('sys.platform == "win32"', "SO_REUSEADDR")),
    "app/single_instance.py": ("asks the desktop of Windows", ('sys.platform == "win32"',)),
    "formats/plain_file.py": (
        "opens a pipe without waiting; binary on Windows",
        ('getattr(os, "O_NONBLOCK", 0)', 'getattr(os, "O_BINARY", 0)'),
    ),
    "storage/care/backup.py": ("takes rights away", ('os.name == "nt"', "can_make_file")),
    "storage/library/library_lock.py": ("asks whether a process lives", ('os.name == "nt"',)),
    "domain/text/moment.py": ("dates the clock of Windows does not count", ('os.name == "nt"',)),
    "llm/os_keyring.py": ("the limit of Windows' keyring", ('sys.platform == "win32"',)),
    "services/tavern/survey.py": ("where programs are put", ('os.name == "nt"', "/opt")),
    "cli/verb.py": ("the signal that ends a service", ('sys.platform == "win32"',)),
    "app/entry.py": (
        "asks for a display and its library before Qt does",
        ('sys.platform.startswith("linux")', "is_other"),
    ),
    "app/start.py": ("macOS sends files as events", ('sys.platform == "darwin"',)),
}


# To write a name out takes a hundred times as long as to look at its end.
NAMES = METHODS | {"platform", "name"}.union(*ONLY_SOME_DO.values())


def trouble(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and name of everything in a module that does not run everywhere."""
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom():
                yield from import_trouble(node)
            case ast.Attribute():
                yield from name_trouble(node)
            case ast.Call():
                yield from call_trouble(node)
            case ast.Constant(value=str(text)) if id(node) not in documents and PLACES.match(text):
                yield node.lineno, repr(text[:40])


def import_trouble(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[int, str]]:
    """What of an import only some systems have."""
    names = [alias.name for alias in node.names]
    module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
    for name in [module] if module else names:
        if name.partition(".")[0] in ONLY_SOME_HAVE:
            yield node.lineno, name
    for name in ONLY_SOME_DO.get(module, set()).intersection(names):
        yield node.lineno, f"{module}.{name}"


def name_trouble(node: ast.Attribute) -> Iterator[tuple[int, str]]:
    """A name that only some systems have, or a question which of them this is."""
    if node.attr not in NAMES:
        return
    whole = ast.unparse(node)
    module = whole.rpartition(".")[0]
    is_theirs = node.attr in ONLY_SOME_DO.get(module, ()) or node.attr in METHODS
    if is_theirs or whole in {"sys.platform", "os.name"}:
        yield node.lineno, whole


def call_trouble(call: ast.Call) -> Iterator[tuple[int, str]]:
    """What of a call does not mean the same everywhere."""
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            pass
        case _:
            return
    words = {keyword.arg for keyword in call.keywords}
    texts = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if name in {"read_text", "write_text"}:
        needed = 1 if name == "read_text" else 2
        if len(call.args) < needed and "encoding" not in words:
            yield call.lineno, f"{name} without an encoding"
    if name in {"open", "fdopen"} and "encoding" not in words:
        is_function = isinstance(call.func, ast.Name) or name == "fdopen"
        modes = [ast.unparse(word) for word in call.args[is_function:][:1]]
        if re.fullmatch(r"'[rwax]\+?t?'", "".join(modes)) or (is_function and not modes):
            yield call.lineno, f"{name} without an encoding"
    if name == "strftime" and any(STRFTIME.search(text) for text in texts):
        yield call.lineno, f"strftime{texts}"
    if name == "get_context" and texts != ["spawn"]:
        yield call.lineno, f"get_context{texts}"
    if name == "fromtimestamp":
        yield call.lineno, "fromtimestamp, which knows no year before 1970 on Windows"
    if name in {"getattr", "hasattr"} and any(
        text in ONLY_SOME_DO.get(ast.unparse(call.args[0]), ()) for text in texts
    ):
        yield call.lineno, f"{name}{texts}"


@pytest.mark.parametrize("module", [name for name in MODULES if name not in SEAMS])
def test_a_module_uses_nothing_that_only_some_systems_have(module):
    tree = ast.parse((ROOT / module).read_text("utf-8"))
    assert list(trouble(tree)) == [], f"put it into a seam: {sorted(SEAMS)}"


@pytest.mark.parametrize("module", SEAMS)
def test_a_seam_is_one_and_knows_the_other_systems(module):
    _reason, branches = SEAMS[module]
    text = (ROOT / module).read_text("utf-8")
    assert list(trouble(ast.parse(text))), "nothing here needs a seam: take it off the list"
    for branch in branches:
        assert branch in text, branch


@pytest.mark.parametrize(
    "line",
    [
        "import fcntl",
        "from os import fork",
        "import os\nos.kill(1, 9)",
        "import os\nos.rename('a', 'b')",
        "import signal\nsignal.SIGHUP",
        "open('a')",
        "open('a', 'w')",
        "path.open('w')",
        "path.open('x')",
        "path.read_text()",
        "path.write_text('a')",
        "os.fdopen(3, 'w')",
        "now.strftime('%-d')",
        "x = '/tmp/a'",
        "x = 'C:\\\\Users'",
        "import subprocess\nsubprocess.run(['a'])",
        "import multiprocessing\nmultiprocessing.get_context('fork')",
        "import multiprocessing\nmultiprocessing.Process()",
        "loop.add_signal_handler(2, f)",
        "path.symlink_to(a)",
        "shutil.rmtree(a)",
        "if sys.platform == 'win32': pass",
        "hasattr(os, 'fork')",
        "datetime.fromtimestamp(0)",
    ],
)
def test_the_walk_sees(line):
    assert list(trouble(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    [
        '"""/tmp is only told of."""',
        "open('a', 'rb')",
        "open('a', encoding='utf-8')",
        "path.open('xb')",
        "path.read_text('utf-8')",
        "path.write_text('a', 'utf-8')",
        "now.strftime('%Y%m%d')",
        "import os\nos.replace(a, b)",
        "x = '/chats/a'",
        "device.open(mode)",
    ],
)
def test_the_walk_passes(line):
    assert not list(trouble(ast.parse(line)))


def test_no_file_of_ours_has_a_name_that_windows_does_not_take():
    tracked = [
        path.relative_to(ROOT.parent)
        for folder in ("engram_desktop", "resources", "packaging", "tests", "benchmarks")
        for path in (ROOT.parent / folder).rglob("*")
        if "__pycache__" not in path.parts
    ]
    spellings: dict[str, Path] = {}
    for path in tracked:
        assert not re.search(r'[<>:"|?*\\]|[. ]$', path.name), path
        assert not re.fullmatch(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?", path.name), path
        assert len(str(path)) < 160, "a checkout in a user's folder stays below 260"
        assert spellings.setdefault(str(path).casefold(), path) == path, path


# Groups that Python 3.11.2, of Debian 12, reads as later ones do: 150,000 random texts were tried.
POSSESSIVE_GROUPS = {"formats/json_text.py", "llm/answers.py"}


def test_no_new_pattern_has_a_group_that_python_3_11_2_may_misread():
    """Until 3.11.5 a possessive group, `)*+`, may give up what it has to try again."""
    found = {
        name
        for name in MODULES
        for node in ast.walk(ast.parse((ROOT / name).read_text("utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.search(r"(?<!\\)\)[*+?]\+", node.value)
    }
    assert found == POSSESSIVE_GROUPS
