"""The Python of docs/serve.md gets answers from a service."""

from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "serve.md"
if not PAGE.is_file():
    pytest.skip("the documents are not here", allow_module_level=True)
pytest.importorskip("httpx")
pytest.importorskip("uvicorn")
pytest.importorskip("starlette")


def test_python(client, tmp_path, monkeypatch, capsys):
    code = PAGE.read_text(encoding="utf-8").split("```python\n", 1)[1].split("```", 1)[0]
    address = "http://127.0.0.1:8001"
    assert address in code
    monkeypatch.chdir(tmp_path)
    Path("book.txt").write_text("She reads. He doesn't.\n", encoding="utf-8")
    exec(compile(code.replace(address, str(client.base_url).rstrip("/")), PAGE.name, "exec"), {})
    assert capsys.readouterr().out.splitlines() == ["She reads.", "He doesn't."]
