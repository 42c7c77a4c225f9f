"""Every row of the table of outputs in docs/robustness.md."""

import errno
import os
import resource
import signal
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from fastparse.cli.main import run
from fastparse.corpus.files import temporary
from fastparse.corpus.files.output import open_output, write_output
from fastparse.corpus.files.temporary import PATTERN, sweep
from fastparse.errors import Error

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes, links, devices")
OLD, NEW = b"old\n", b"new\n"


def python(code, *arguments, **options):
    """Run a program in an interpreter of its own, as a shell would."""
    program = "import sys, os\nfrom fastparse.corpus.files.output import open_output\n" + textwrap.dedent(code)
    return subprocess.run([sys.executable, "-c", program, *arguments], check=False, **options)


def test_a_new_file_has_the_mode_the_umask_leaves(tmp_path):
    mask = os.umask(0o027)
    try:
        write_output(tmp_path / "out", NEW)
    finally:
        os.umask(mask)
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o200, 0o4755])
def test_an_old_file_keeps_its_mode_and_nobody_else_sees_the_new_one_before(mode, tmp_path):
    path = tmp_path / "out"
    path.write_bytes(OLD)
    path.chmod(mode)
    with open_output(path) as out:
        out.write(NEW)
        (temporary,) = tmp_path.glob(PATTERN)
        assert temporary.stat().st_mode & 0o777 == 0o600
    path.chmod(path.stat().st_mode | 0o400)
    assert path.read_bytes() == NEW
    assert path.stat().st_mode & 0o7777 == mode | 0o400


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only the administrator gives files away")
def test_an_old_file_keeps_its_owner(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(OLD)
    os.chown(path, 12345, 23456)
    path.chmod(0o640)
    write_output(path, NEW)
    found = path.stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (12345, 23456, 0o640)


def test_a_read_only_file_is_refused(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(OLD)
    path.chmod(0o444)
    with pytest.raises(Error, match=r"out: the file is read-only\. Make it writable"):
        write_output(path, NEW)
    assert (path.read_bytes(), os.listdir(tmp_path)) == (OLD, ["out"])


def test_a_symbolic_link_stays_and_its_file_is_replaced(tmp_path):
    (tmp_path / "folder").mkdir()
    path, link, dangling = tmp_path / "folder" / "out", tmp_path / "link", tmp_path / "dangling"
    path.write_bytes(OLD)
    link.symlink_to(path)
    dangling.symlink_to(tmp_path / "folder" / "none")
    write_output(link, NEW)
    write_output(dangling, NEW)
    assert link.is_symlink()
    assert dangling.is_symlink()
    assert path.read_bytes() == (tmp_path / "folder" / "none").read_bytes() == NEW


def test_a_loop_of_links_is_an_error(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="links"):
        write_output(tmp_path / "a", NEW)


def test_other_names_of_a_file_keep_the_old_content(tmp_path):
    path, other = tmp_path / "out", tmp_path / "other"
    path.write_bytes(OLD)
    os.link(path, other)
    write_output(path, NEW)
    assert (path.read_bytes(), other.read_bytes()) == (NEW, OLD)


def test_a_folder_and_a_socket_are_refused(tmp_path):
    with pytest.raises(Error, match="this is a folder"):
        write_output(tmp_path, NEW)
    with socket.socket(socket.AF_UNIX) as listening:
        place = os.path.relpath(tmp_path / "s")
        listening.bind(place)
        with pytest.raises(Error, match="this is a socket"):
            write_output(place, NEW)


def test_a_device_is_written_to(tmp_path):
    write_output("/dev/null", NEW)
    assert not os.path.isfile("/dev/null")
    (tmp_path / "null").symlink_to("/dev/null")
    write_output(tmp_path / "null", NEW)
    assert (tmp_path / "null").is_symlink()


def test_a_named_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        write_output(pipe, NEW)
        assert reader.stdout.read() == NEW
    assert pipe.is_fifo()


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="/dev/stdout")
@pytest.mark.parametrize("way", ["append", "truncate", "pipe"])
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_standard_output_by_its_path(way, name, tmp_path):
    """`-o /dev/stdout >> log` adds to the log; the path is a name of the descriptor, not of the file behind it."""
    if name == "link":
        name = str(tmp_path / "link")
        os.symlink("/dev/stdout", name)
    log = tmp_path / "log"
    log.write_bytes(OLD)
    code = """
        print("printed")
        with open_output(sys.argv[1]) as out: out.write(b"new\\n")
        print("after")
    """
    if way == "pipe":
        assert python(code, name, stdout=subprocess.PIPE).stdout == b"printed\nnew\nafter\n"
        return
    with open(log, "ab" if way == "append" else "wb") as out:
        assert python(code, name, stdout=out).returncode == 0
    assert log.read_bytes() == (OLD if way == "append" else b"") + b"printed\nnew\nafter\n"


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="/dev/fd")
def test_process_substitution():
    """`-o >(cat)` gives the path of a descriptor of a pipe."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as out:
        code = "with open_output(f'/dev/fd/{sys.argv[1]}') as out: out.write(b'new\\n')"
        assert python(code, str(writing), pass_fds=[writing]).returncode == 0
        os.close(writing)
        assert out.read() == NEW


def test_the_longest_name(tmp_path):
    name = "x" * 255
    write_output(tmp_path / name, NEW)
    assert os.listdir(tmp_path) == [name]


def test_a_missing_folder_is_named_and_not_the_temporary_file(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        write_output(tmp_path / "none" / "out", NEW)
    assert caught.value.filename == str(tmp_path / "none" / "out")


@pytest.mark.parametrize("size", [100, 1_000_000])
@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".bz2"])
def test_a_full_disk_leaves_the_old_file(size, suffix, tmp_path):
    """A limit on the size of files stands for the disk; buffers may keep the fault until the file is closed."""
    path = tmp_path / f"out{suffix}"
    path.write_bytes(OLD)
    code = """
        import resource, signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
        try:
            with open_output(sys.argv[1]) as out: out.write(os.urandom(int(sys.argv[2])))
        except OSError as error:
            print(error.errno, error.filename)
    """
    done = python(code, str(path), str(size), stdout=subprocess.PIPE, text=True)
    assert done.stdout == f"{errno.EFBIG} {path}\n"
    assert (path.read_bytes(), os.listdir(tmp_path)) == (OLD, [path.name])


@pytest.mark.parametrize("call", ["fsync", "replace", "fchmod", "open"])
def test_a_failing_call_leaves_the_old_file(call, tmp_path, monkeypatch):
    path = tmp_path / "out"
    path.write_bytes(OLD)

    def fails(*_, **__):
        raise OSError(errno.EIO, "injected")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fails)
        with pytest.raises(OSError, match="injected"):
            write_output(path, NEW)
    assert (path.read_bytes(), os.listdir(tmp_path)) == (OLD, ["out"])


def test_closed_standard_output_is_said():
    code = """
        sys.stdout = None
        try:
            with open_output("-"): pass
        except ValueError as error:
            sys.stderr.write(str(error))
    """
    assert b"standard output is closed" in python(code, stderr=subprocess.PIPE).stderr


# Temporary files

KILLED = """
    with open_output(sys.argv[1]) as out:
        out.write(b"half")
        out.flush()
        print("there", flush=True)
        sys.stdin.read()
"""


@pytest.fixture
def writer(tmp_path):
    """A process in the middle of writing `out`."""
    program = "import sys\nfrom fastparse.corpus.files.output import open_output\n" + textwrap.dedent(KILLED)
    command = [sys.executable, "-c", program, str(tmp_path / "out")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"there\n"
        yield process
        process.kill()


def test_what_a_killed_process_left_is_swept_by_the_next(writer, tmp_path):
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    (left,) = os.listdir(tmp_path)
    assert left.startswith(".fastparse-")
    done = python("with open_output(sys.argv[1]) as out: out.write(b'new\\n')", str(tmp_path / "other"))
    assert done.returncode == 0
    assert os.listdir(tmp_path) == ["other"]


def test_what_a_living_process_writes_is_not_swept(writer, tmp_path):
    assert sweep(tmp_path) == []
    writer.communicate(b"")
    assert (tmp_path / "out").read_bytes() == b"half"


def test_sweeping_takes_nothing_else(tmp_path):
    for name in (".fastparse-x", ".out.tmp", "out.tmp"):
        (tmp_path / name).write_bytes(OLD)
    os.mkfifo(tmp_path / ".fastparse-1-pipe.tmp")
    (tmp_path / ".fastparse-2-link.tmp").symlink_to(tmp_path / "out.tmp")
    (tmp_path / ".fastparse-3-folder.tmp").mkdir()
    (tmp_path / ".fastparse-4-a.tmp").write_bytes(OLD)
    assert sweep(tmp_path) == [".fastparse-4-a.tmp"]
    assert len(os.listdir(tmp_path)) == 6


# Commands

CONLLU = b"# sent_id = a\n1\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.mark.parametrize(
    "command",
    [["draw", "IN", "-o", "OUT"], ["derive", "IN", "--system", "swap", "--html", "OUT"],
     ["study", "planarity", "IN", "--json", "OUT"], ["study", "planarity", "IN", "--markdown", "OUT"]],
)  # fmt: skip
def test_commands_leave_the_old_file_when_the_disk_is_full(command, tmp_path, capsys):
    source, out = tmp_path / "in.conllu", tmp_path / "out.svg"
    source.write_bytes(CONLLU)
    out.write_bytes(OLD)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
        status = run([{"IN": str(source), "OUT": str(out)}.get(word, word) for word in command])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert status == 1
    message = capsys.readouterr().err
    assert message.startswith(f"fastparse: {out}: ")
    assert message.count("\n") == 1
    assert (out.read_bytes(), sorted(os.listdir(tmp_path))) == (OLD, ["in.conllu", "out.svg"])


def test_what_is_no_output_is_refused():
    with pytest.raises(Error, match=r"cannot write to 7: give a path, '-' or a binary stream"):
        write_output(7, NEW)


@pytest.mark.parametrize("call", ["os.open", "fcntl.flock", "os.fstat", "os.dup", "os.fsync", "os.close", "os.replace"])
def test_a_signal_after_any_call_leaves_nothing_behind(call, tmp_path, monkeypatch):
    """Python runs the handler of a signal, which raises, when the call of the system it came in has ended."""
    module, _, name = call.partition(".")
    owner = {"os": temporary.os, "fcntl": temporary.fcntl}[module]
    real = getattr(owner, name)
    calls = []

    def interrupted(*args, **options):
        result = real(*args, **options)
        if list(tmp_path.glob(PATTERN)) or name == "replace":
            calls.append(args)
            if len(calls) == 1:
                raise KeyboardInterrupt
        return result

    (tmp_path / "out").write_bytes(OLD)
    monkeypatch.setattr(owner, name, interrupted)
    with pytest.raises(KeyboardInterrupt), open_output(tmp_path / "out") as out:
        out.write(NEW)
    monkeypatch.undo()
    assert calls
    assert os.listdir(tmp_path) == ["out"]
    assert (tmp_path / "out").read_bytes() == (NEW if name == "replace" else OLD)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_what_is_full_is_named():
    """The system's own error names nothing that is open already."""
    with pytest.raises(OSError, match="no space left on the disk") as error:
        write_output("/dev/full", b"x" * 100_000)
    assert error.value.filename == "/dev/full"
    with open("/dev/full", "wb") as device:
        toy = Path(__file__).parents[1] / "data" / "toy.conllu"
        command = [sys.executable, "-m", "fastparse", "parse", str(toy), "-m", "en-fast", "-q"]
        done = subprocess.run(command, stdout=device, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("fastparse: standard output: there is no space left")
