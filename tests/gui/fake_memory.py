"""A stand-in for the facade until it is there: one made-up story in memory."""

from __future__ import annotations

import time
from array import array
from dataclasses import replace

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.entity import EntityNode, GraphView, Relation
from engram_desktop.domain.event import EventCounts, EventNode, SourceRange
from engram_desktop.domain.extraction import (
    ExtractedEntity,
    ExtractedRelation,
    PlotExtraction,
    StructuredKv,
)
from engram_desktop.domain.labels import StepLabel
from engram_desktop.domain.message import Message
from engram_desktop.domain.recall import Injection, MemoryItem, RecallHit, RecallResult
from engram_desktop.domain.render import StoryRenderer
from engram_desktop.domain.reports import *
from engram_desktop.domain.settings import Settings

SUM = [
    "爱丽丝在打烊后的月光酒馆向旅人承认，那把铜钥匙是她从父亲书房偷出来的。她请求旅人在拍卖会前替她保管，并约好以三声敲门为暗号。",
    "旅人在集市偶遇莉莉丝，被追问昨夜去向。旅人含糊其辞，莉莉丝当众打翻了药摊，两人不欢而散。",
    "旅人抵达王都后的一周：结识酒馆老板娘爱丽丝与药师莉莉丝，卷入失窃案，并在水族馆之约中与爱丽丝约定冬至再去看企鹅。",
    "爱丽丝第一次看到企鹅，笑得像个孩子；旅人答应冬至再带她来。这是两人关系转折的一天。",
    "莉莉丝借出了禁书《盐与灰》，叮嘱旅人不要告诉任何人，尤其是爱丽丝。",
    "卫兵队长凯尔透露失窃案与拍卖会有关，并警告旅人远离月光酒馆。",
]
NAMES = [("爱丽丝", "char"), ("旅人", "char"), ("铜钥匙", "item"), ("莉莉丝", "char"), ("水族馆", "loc"), ("月光酒馆", "loc"), ("凯尔", "char"), ("《盐与灰》", "item"), ("拍卖会", "concept"), ("王立图书馆", "loc"), ("企鹅", "item"), ("父亲", "char")]


class FakeMemory:
    def __init__(self, n=128):
        self.events = {}
        for i in range(n):
            s = SUM[i % 6]
            ents = tuple(ExtractedEntity(*e) for e in NAMES if e[0] in s)
            d = PlotExtraction(s, ("铜钥匙", "拍卖会", "暗号"), f"第{i // 3 + 1}天 {'清晨 深夜 黄昏'.split()[i % 3]}", ["月光酒馆", "北门集市", "王都"][i % 3], ents,
                (ExtractedRelation("爱丽丝", "偷走", "铜钥匙"), ExtractedRelation("旅人", "保管", "铜钥匙")), "她的手在发抖。", StructuredKv("第1天", ("爱丽丝", "旅人"), "月光酒馆", "承认偷钥匙", ("因为拍卖会",), "于是旅人保管"), (i % 6) / 5)
            a = i < n - 12
            self.events[i + 1] = EventNode(i + 1, f"e{i}", "main", s, d.structured_kv, d, StoryRenderer().render(d), "archived" if a else "buffer", a, a, 1 if i == 40 else 0, SourceRange(i * 6, i * 6 + 5), d.significance_score, i, extractor="extractive" if i % 4 == 0 else "llm", is_locked=i % 7 == 0, is_stale=i == 100, keywords=d.keywords)
        self.s = Settings()
        self.name = "爱丽丝 · 月光酒馆"

    def chats(self):
        b = sum(not e.is_archived for e in self.events.values())
        return [ChatSummary("c1", self.name, ("爱丽丝",), 1, 836, len(self.events), b, len(self.events) - b, 12, 9), ChatSummary("c2", "莉莉丝 · 盐与灰", (), 1, 2104, 30, 0, 30, 4, 5), ChatSummary("c3", "导入的小说 · 西游", (), 1, 10000, 0, 0, 0, 0, 3)]

    def rename_chat(self, c, name):
        self.name = name
        return Changes(library=True)

    def delete_chat(self, c): return Changes(library=True)
    def messages(self, c, a, b): return [Message(f"m{i}", "main", i, "爱丽丝" if i % 2 else "旅人", "assistant", "「嘘……小声一点。」她把那把铜钥匙放在吧台上，推到你面前。\n<b>不是</b>粗体", False, "", None) for i in range(a, b + 1)]

    def find_events(self, c, q):
        if c != "c1": return array("q")
        r = [e for e in self.events.values() if (not q.text or q.text in e.summary) and (q.status is None or e.status == q.status) and (not q.level or e.level >= q.level) and (not q.only_stale or e.is_stale)]
        if q.sort == "-story": r.reverse()
        return array("q", [e.pk for e in r])

    def fetch_events(self, c, pks): return {p: self.events[p] for p in pks if p in self.events}
    def event_counts(self, c):
        v = self.events.values() if c == "c1" else []
        return EventCounts(len(v), sum(not e.is_archived for e in v), sum(e.is_archived for e in v), sum(e.level > 0 for e in v), sum(e.is_stale for e in v))
    def coverage(self, c): return [(0, 500, "archived"), (501, 520, "stale"), (521, 690, "archived"), (691, 780, "buffer"), (781, 835, "empty")]

    def update_event(self, c, pk, p):
        e = self.events[pk]
        d = replace(e.raw_data, summary=p.summary or e.summary, keywords=p.keywords or e.raw_data.keywords)
        self.events[pk] = replace(e, summary=d.summary, raw_data=d)
        return Changes(c, frozenset([pk]))

    def set_archived(self, ctx, c, pks, *, archived):
        for p in pks: self.events[p] = replace(self.events[p], is_archived=archived, status="archived" if archived else "buffer")
        return Changes(c, frozenset(pks))
    def set_locked(self, ctx, c, pks, *, locked):
        for p in pks: self.events[p] = replace(self.events[p], is_locked=locked)
        return Changes(c, frozenset(pks))
    def delete_events(self, ctx, c, pks):
        for p in pks: del self.events[p]
        return Changes(c, frozenset(pks), structure=True)
    def render_card(self, e, p): return StoryRenderer().render(p.raw_data or e.raw_data)
    def undo(self, c): return Changes(c)
    def redo(self, c): return Changes(c)
    def history(self, c): return [UndoStep(2, StepLabel("Archive {count} events",{"count":12}), 1700000000000, False, 9), UndoStep(1, StepLabel("Import {count} messages",{"count":836}), 1690000000000, False, 9)]
    def plan_summary(self, c, floors=None, extractor="auto"): return SummaryPlan(((781, 805), (806, 825)), "extractive" if extractor == "extractive" else "llm", "deepseek-chat", 5400, 781)
    def summarise(self, ctx, c, floors=None, extractor="auto"):
        return SummaryReport(3, 45, 2, 5000, 700, (FailedRange(806, 825, "The model answered prose.", "当然可以！以下是总结……"),), Changes(c, structure=True))
    def plan_consolidation(self, c): return ConsolidationPlan(12, 1, 1900, "use")
    def consolidate(self, ctx, c):
        pks = [e.pk for e in self.events.values() if not e.is_archived]
        for n, p in enumerate(pks):
            ctx.report(n, len(pks), "embedding")
            ctx.write(lambda p=p: self.events.update({p: replace(self.events[p], is_archived=True, status="archived")}))
            time.sleep(0.05)
        return ConsolidationReport(len(pks), len(pks), 4, 9, (), Changes(c, frozenset(pks)))
    def find_entities(self, c, text="", limit=500): return [e for e in self._ents() if text in e.name][:limit]
    def _ents(self): return tuple(EntityNode(n, n, t, ("小爱",) if n == "爱丽丝" else (), "身份: 月光酒馆老板娘", {"身份": "月光酒馆老板娘", "秘密": "偷走父亲的铜钥匙"}, event_count=9, degree=len(NAMES) - i) for i, (n, t) in enumerate(NAMES))
    def neighbourhood(self, c, center, hops=1, limit=150):
        if c != "c1": return GraphView(None, (), ())
        R = [("爱丽丝", "信任", "旅人"), ("爱丽丝", "偷走", "铜钥匙"), ("爱丽丝", "经营", "月光酒馆"), ("爱丽丝", "约会", "水族馆"), ("旅人", "结识", "莉莉丝"), ("莉莉丝", "借出", "《盐与灰》"), ("旅人", "认识", "凯尔"), ("凯尔", "调查", "拍卖会"), ("莉莉丝", "常去", "王立图书馆"), ("企鹅", "住在", "水族馆"), ("父亲", "养育", "爱丽丝"), ("铜钥匙", "用于", "拍卖会")]
        return GraphView(center or "爱丽丝", self._ents(), tuple(Relation(f"r{i}", a, p, b, ("e1",)) for i, (a, p, b) in enumerate(R)))
    def entity_events(self, c, e): return list(self.events.values())[:8]
    def save_layout(self, c, p): return Changes(c)
    def recall(self, ctx, c, q):
        hits = tuple(RecallHit(i + 1, MemoryItem(i, "event" if i % 3 else "turn", f"e{i}", "main", SUM[i], i * 6, i * 6 + 5), 0.9 - i * 0.12, {"lexical": 0.4 - i * .05, "vector": 0.3, "graph": 0.2 if i % 2 else 0.0}, ("铜钥匙", "爱丽丝")) for i in range(6))
        return RecallResult(q.text, hits, 7.3)
    def inject(self, ctx, c, q, budget=None): return Injection("<relevant_memories>\n## Memory Snippets\n[1] " + "\n[2] ".join(SUM) + "\n</relevant_memories>", {}, 412, self.recall(ctx, c, q).hits)
    def index_health(self, c): return IndexHealth("ok", 1284, 1284, 0)
    def settings(self, c=None): return self.s
    def set_setting(self, k, v, c=None):
        self.s = self.s.replaced({k: v})
        return Changes(settings=True)
    def set_key(self, n, k): ...
    def has_key(self, n): return n == "llm"
    def test_endpoint(self, ctx, n, v): return {"model": v["model"], "latency_ms": 312, "answer": "OK"}
    def list_models(self, ctx, v): return ["deepseek-chat", "deepseek-reasoner"]
    def doctor(self, ctx, *, repair=False): return [Finding("library.db", "integrity", True), Finding("c1/index", "12 vectors missing", False)]
    def stats(self, c): return {"visible_tokens": 1830}
    def preview(self, ctx, path, *, into=None): return ImportPreview(str(path), "chat", "爱丽丝 · 月光酒馆", ("爱丽丝", "旅人"), 860, 4, 12, None, None, (("旅人", "你好？有人在吗？"), ("爱丽丝", "欢迎来到月光酒馆。")), "c1", "爱丽丝 · 月光酒馆", 24, (FileWarning(37, "not JSON: Expecting value"),))
    def import_file(self, ctx, path, *, into=None, name=None): return ImportReport(str(path), "chat", "c1", 860, 24, 836, (), Changes(library=True))
    def backup(self, ctx): ...
    def close(self): ...
