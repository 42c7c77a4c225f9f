from typing import NamedTuple

class Script(NamedTuple):
    case: int
    strip_before: int
    before: str
    strip_after: int
    after: str

def apply_script(script: Script, form: str) -> str | None: ...
def script_of(form: str, lemma: str) -> Script: ...
