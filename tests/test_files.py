import errno
import json
import lzma
from pathlib import Path

import pytest

from lexgear.errors import InputError
from lexgear.files import dumps, read_json, read_jsonl, read_text, whole_directory, whole_file


def problem(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        list(read_jsonl(path))
    return str(caught.value)


def test_json_lines_come_with_their_numbers_and_blank_lines_pass(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('\ufeff{"a": 1}\n\n{"a": 2}\n', encoding="utf-8")
    assert list(read_jsonl(path)) == [(1, {"a": 1}), (3, {"a": 2})]


def test_packed_lines_are_unpacked_on_the_way(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl.xz"
    path.write_bytes(lzma.compress('{"a": "字"}\n'.encode()))
    assert list(read_jsonl(path)) == [(1, {"a": "字"})]
    assert read_text(path) == '{"a": "字"}\n'


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert problem(tmp_path / "gone.jsonl") == f"{tmp_path}/gone.jsonl: no such file (check the path)"
    assert "a directory, not a file" in problem(tmp_path)


def test_a_truncated_or_corrupt_xz_is_named(tmp_path: Path) -> None:
    packed = lzma.compress(b'{"a": 1}\n' * 10_000)
    (tmp_path / "cut.xz").write_bytes(packed[:-20])
    (tmp_path / "wrong.xz").write_bytes(packed[:40] + b"\xff" + packed[41:])
    (tmp_path / "no.xz").write_bytes(b"not packed at all")
    for name in ("cut.xz", "wrong.xz", "no.xz"):
        assert problem(tmp_path / name).startswith(f"{tmp_path}/{name}: truncated or corrupt .xz file")
        with pytest.raises(InputError, match=r"truncated or corrupt \.xz"):
            read_text(tmp_path / name)


def test_invalid_utf8_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"a": 1}\n{"a": "\xff"}\n')
    assert problem(path).startswith(f"{path}:2: not valid UTF-8")
    with pytest.raises(InputError, match=r"rows\.jsonl:2: not valid UTF-8"):
        read_text(path)


def test_a_line_that_is_no_object_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n[1, 2]\n')
    assert problem(path) == f"{path}:2: not a JSON object (one JSON object a line)"
    path.write_text('{"a": 1}\n{"a": \n')
    assert problem(path).startswith(f"{path}:2: not valid JSON")
    with pytest.raises(InputError, match=r"rows\.jsonl:2: not valid JSON"):
        read_json(path)


def test_an_error_is_one_line_even_of_a_name_with_breaks() -> None:
    assert "\n" not in str(InputError("no such\nthing", file="a\nb", remedy="try\nagain"))


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "new" / "run.txt"
    with whole_file(path) as file:
        file.write("first")
    with pytest.raises(KeyError), whole_file(path) as file:
        file.write("second")
        raise KeyError
    assert path.read_text() == "first"
    assert [child.name for child in path.parent.iterdir()] == ["run.txt"]


def test_a_directory_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "index"
    for word in ("old", "new"):
        with whole_directory(path) as temporary:
            (temporary / word).write_text(word)
    assert [child.name for child in path.iterdir()] == ["new"]
    with pytest.raises(ZeroDivisionError), whole_directory(path) as temporary:
        (temporary / "half").write_text("x")
        raise ZeroDivisionError
    assert [child.name for child in path.iterdir()] == ["new"]
    assert [child.name for child in tmp_path.iterdir()] == ["index"]


def test_a_full_disk_leaves_what_was_there_and_says_so(tmp_path: Path) -> None:
    for whole in (whole_directory, whole_file):
        path = tmp_path / whole.__name__
        with pytest.raises(InputError, match=r"No space left on device \(free some space"), whole(path):
            raise OSError(errno.ENOSPC, "No space left on device")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_for_real(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with pytest.raises(InputError, match="No space left"), whole_file(tmp_path / "run.txt"), full.open("w") as file:
        file.write("x" * 100_000)
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_way_of_a_directory_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(InputError, match="a file stands where"), whole_directory(tmp_path / "out"):
        pass
    assert (tmp_path / "out").read_text() == "mine"


def test_lone_surrogates_survive_json() -> None:
    assert json.loads(dumps({"text": "\ud800字"})) == {"text": "\ud800字"}
    dumps({"text": "\ud800字"}).encode("utf-8")
    assert dumps({"text": "字"}) == '{"text": "字"}'
