"""Models as packages: a wheel that pip installs, after which `load` finds the model by its name.

The wheel holds a package with the model file and nothing to run, the licence, and an entry point of the group
`fastparse_models` (`finding.py`). The same model gives the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import zipfile
from pathlib import Path
from typing import Any

from fastparse.corpus.files.output import open_output
from fastparse.errors import Error

__all__ = ["licence_files", "write_wheel"]

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_VERSION = re.compile(r"\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?")
_SHARED_ALIKE = Path(__file__).parent / "CC-BY-SA-4.0.txt"
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # that archives can date a file; the time of packing says nothing of the model


def write_wheel(
    model: str, folder: str | os.PathLike[str], name: str, info: dict[str, Any], *, needs: str, version: str = "1.0",
    licence: str | None = None,
) -> Path:  # fmt: skip
    """Write the wheel `fastparse-model-NAME` and return its path.

    Args:
        model: path of the model file.
        folder: is made if it is not there.
        name: what `load` will take: small letters, digits and single hyphens.
        info: what the model says of itself.
        needs: the earliest version of fastparse that reads it.
        version: of the package.
        licence: what may be done with the model and whom to name; by default what the model says.

    Raises:
        Error: for a name or version that cannot be, and without a licence.
    """
    if not _NAME.fullmatch(name):
        raise Error(f"name={name!r} cannot be the name of a model: use small letters, digits and single hyphens")
    if not _VERSION.fullmatch(version):
        raise Error(f"version={version!r} is no version: use numbers with points between, such as 1.0")
    terms = licence or info.get("licence")
    if not terms:
        raise Error(
            "the model does not say under which licence it is: say with licence= what may be done with it, and whom to "
            "name (the treebank it was learnt from has a licence, too)"
        )
    package = f"fastparse_model_{name.replace('-', '_')}"
    meta = f"{package}-{version}.dist-info"
    licences = {name: text.encode() for name, text in licence_files(terms).items()}
    said = _metadata(name, version, info, needs, terms, sorted(licences))
    files = {
        f"{package}/__init__.py": f'"""The model {name!r} of fastparse: fastparse.load({name!r})."""\n'.encode(),
        f"{package}/{name}.fp": Path(model).read_bytes(),
        f"{meta}/METADATA": said.encode(),
        f"{meta}/WHEEL": b"Wheel-Version: 1.0\nGenerator: fastparse\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{meta}/entry_points.txt": f"[fastparse_models]\n{name} = {package}\n".encode(),
        **{f"{meta}/licenses/{file}": text for file, text in licences.items()},
    }
    record = "".join(f"{path},sha256={_digest(data)},{len(data)}\n" for path, data in files.items())
    files[f"{meta}/RECORD"] = f"{record}{meta}/RECORD,,\n".encode()
    Path(folder).mkdir(parents=True, exist_ok=True)
    target = Path(folder) / f"{package}-{version}-py3-none-any.whl"
    with open_output(target) as out, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, _EARLIEST)
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return target


def licence_files(terms: str) -> dict[str, str]:
    """The files that tell the licence of a model, by name."""
    found = {"LICENSE.txt": f"{terms}\n"}
    if re.search(r"CC.BY.SA.4\.0", terms):
        found["CC-BY-SA-4.0.txt"] = _SHARED_ALIKE.read_text("utf-8")
    return found


def _metadata(name: str, version: str, info: dict[str, Any], needs: str, terms: str, licences: list[str]) -> str:
    parts = ", ".join(info["components"])
    lines = [
        "Metadata-Version: 2.4",
        f"Name: fastparse-model-{name}",
        f"Version: {version}",
        f"Summary: Model {name!r} of fastparse: {parts}",
        "Keywords: fastparse,dependency parsing,model",
        *(f"License-File: {file}" for file in licences),
        f"Requires-Dist: fastparse-nlp>={needs}",
        "Requires-Python: >=3.10",
        "Description-Content-Type: text/markdown",
    ]
    bank = info.get("treebank") or {}
    rows = [
        ("model of", info.get("about")),
        ("components", parts),
        ("system", info.get("system")),
        ("made by", f"fastparse {info.get('fastparse')}"),
        ("SHA-256", info.get("sha256")),
    ]
    if bank:
        rows.insert(3, ("learnt from", f"{bank['sentences']:,} sentences, {bank['words']:,} words"))
    body = [
        f"A model for fastparse (`fastparse-nlp`): `fastparse.load({name!r})`, `fastparse parse -m {name}`.",
        "",
        *(f"- {what}: {value}" for what, value in rows if value),
        "",
        f"Licence and attribution: {terms}",
    ]
    return "\n".join([*lines, "", *body, ""])


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
