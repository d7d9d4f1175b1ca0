"""A small SillyTavern folder for the pictures: of everything it can hold a little."""

from __future__ import annotations

import base64
import json
import tempfile
from pathlib import Path
from typing import Any

from PySide6.QtCore import QBuffer
from PySide6.QtGui import QColor, QImage, QImageWriter, QLinearGradient, QPainter

from engram_desktop.formats.png_chunks import chunks, with_texts
from engram_desktop.places import resource

CHATS = (("爱丽丝", 3), ("白兔", 1), ("凯尔", 2))
WORLDS = (("世界观", 14), ("月光酒馆", 32), ("灰港商会", 7))


_ORDER = [
    {
        "character_id": 100001,
        "order": [
            {"identifier": "main", "enabled": True},
            {"identifier": "worldInfoBefore", "enabled": True},
            {"identifier": "style", "enabled": False},
        ],
    }
]


def make_sample() -> Path:
    """Write the folder to a new place; returns it."""
    folder = Path(tempfile.mkdtemp()) / "SillyTavern"
    handle = folder / "data" / "default-user"
    story = resource("story/月光酒馆.jsonl").read_text("utf-8").splitlines()
    for name, chats in CHATS:
        _write_bytes(handle / "characters" / f"{name}.png", _card(name))
        for number in range(chats):
            lines = [story[0], *story[1 + number * 9 : 40 + number * 31]]
            file = handle / "chats" / name / f"{name} - 2026-11-2{number}.jsonl"
            _write_bytes(file, "\n".join(lines).encode())
    _write_bytes(handle / "characters" / "帽匠.png", _card("帽匠"))
    _write_bytes(handle / "group chats" / "2026-11-20.jsonl", "\n".join(story[:60]).encode())
    group = {"id": "1", "name": "疯帽匠的茶会", "chats": ["2026-11-20"]}
    _write(handle / "groups" / "1.json", group | {"members": ["爱丽丝.png", "帽匠.png"]})
    for name, count in WORLDS:
        entries = {str(n): {"uid": n, "key": ["钥匙"], "content": "……"} for n in range(count)}
        _write(handle / "worlds" / f"{name}.json", {"entries": entries})
    presets = handle / "OpenAI Settings"
    scripts = {"extensions": {"regex_scripts": [_script("折叠状态栏"), _script("去掉选项")]}}
    prompts = [
        {"identifier": "main", "name": "主提示", "content": "你来扮演{{char}}，慢慢写。"},
        {"identifier": "worldInfoBefore", "name": "World Info", "marker": True},
        {"identifier": "style", "name": "文风", "content": "少用形容词。", "role": "user"},
    ]
    _write(presets / "长篇剧情 v2.json", scripts | {"prompts": prompts, "prompt_order": _ORDER})
    _write(presets / "Default.json", {"temperature": 1})
    _write(handle / "instruct" / "ChatML.json", {"name": "ChatML"})
    _write(handle / "settings.json", _settings())
    return folder


def sample_memories(place: Path) -> list[Path]:
    """Write files of other memory tools; returns them."""
    texts: tuple[str, ...] = (
        "爱丽丝把第二把钥匙交给了旅人，要他在天亮前离开酒馆。",
        "凯尔承认账簿是他藏起来的。",
    )
    texts += ("企鹅馆停电的那个晚上，他们在二楼说了很久的话。",)
    entries = {
        str(n): {
            "stmemorybooks": True,
            "content": text,
            "STMB_start": n * 20,
            "STMB_end": n * 20 + 18,
        }
        for n, text in enumerate(texts)
    }
    worldbook, sync = place / "月光酒馆 - 记忆.json", place / "Engram_sync_月光酒馆.json"
    _write(worldbook, {"entries": entries})
    span = {"start_index": 60, "end_index": 74}
    event = {"summary": "灰港商会派人来收债，老板让爱丽丝躲进地窖。", "source_range": span}
    entity = {"name": "灰港商会", "type": "concept", "description": "性质: 控制码头的商会"}
    _write(sync, {"events": [event], "entities": [entity], "meta": {}})
    return [worldbook, sync]


def _settings() -> dict[str, Any]:
    return {
        "world_info_settings": {"world_info": {"globalSelect": ["世界观"]}},
        "extension_settings": {
            "regex": [_script("去掉思考"), _script("折叠变量更新", disabled=True)],
        },
        "power_user": {
            "personas": {"me.png": "旅人", "other.png": "灰港的信使"},
            "persona_descriptions": {
                "me.png": {"description": "从北方来的失忆旅人，随身带着一把打不开任何门的铜钥匙。"},
                "other.png": {"description": "替商会送信的年轻人，话不多。"},
            },
            "default_persona": "me.png",
        },
    }


def _script(name: str, **over: Any) -> dict[str, Any]:
    fields = {"id": name, "scriptName": name, "findRegex": "/<think>[\\s\\S]*?<\\/think>/g"}
    return fields | {"replaceString": "", "placement": [2], "promptOnly": True} | over


def _card(name: str) -> bytes:
    picture = QImage(400, 600, QImage.Format.Format_RGB32)
    hue = sum(name.encode()) % 360
    fill = QLinearGradient(0, 0, 0, 600)
    fill.setColorAt(0, QColor.fromHsv(hue, 60, 235))
    fill.setColorAt(1, QColor.fromHsv((hue + 40) % 360, 130, 150))
    painter = QPainter(picture)
    painter.fillRect(picture.rect(), fill)
    painter.end()
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, b"png").write(picture)
    worldbook = {"entries": [{"keys": ["钥匙"], "content": "……"}] * 5}
    data = {"name": name, "description": f"{name}。", "character_book": worldbook}
    data |= {"extensions": {"regex_scripts": [_script("状态栏")]}}
    text = base64.b64encode(json.dumps({"spec": "chara_card_v2", "data": data}).encode())
    return with_texts(chunks(bytes(buffer.data().data()), name), {"chara": text})


def _write(path: Path, value: object) -> None:
    _write_bytes(path, json.dumps(value, ensure_ascii=False).encode())


def _write_bytes(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
