import json
import lzma
from pathlib import Path

import pytest

from lexgear.errors import InputError
from lexgear.files import dumps, read_json, read_jsonl, read_text, write_json_list


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
    assert problem(path) == f"{path}:2: not a JSON object (write one JSON object per line)"
    path.write_text('{"a": 1}\n{"a": \n')
    assert problem(path).startswith(f"{path}:2: not valid JSON")
    with pytest.raises(InputError, match=r"rows\.jsonl:2: not valid JSON"):
        read_json(path)


def test_an_error_is_one_line_even_of_a_name_with_breaks() -> None:
    assert "\n" not in str(InputError("no such\nthing", file="a\nb", remedy="try\nagain"))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("[" * 100_000, "JSON nested too deeply"),
        ('{"a": ' + "9" * 5_000 + "}", "a number in the JSON is too long"),
    ],
)
def test_json_that_python_refuses_is_named_too(tmp_path: Path, value: str, message: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n' + value)
    assert problem(path) == f"{path}:2: {message} (write one JSON object per line)"
    path.write_text(value)
    with pytest.raises(InputError, match=f"rows.jsonl: {message} .correct the file"):
        read_json(path)


def test_a_file_that_may_not_be_read_comes_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text("")
    assert problem(tmp_path / "rows.jsonl" / "x").endswith("(check the path and its permissions)")


@pytest.mark.parametrize("rows", [[], [{"a": "字"}], [{"a": 1}, {}, {"b": [2]}]])
def test_a_list_has_a_line_a_row(tmp_path: Path, rows: list[dict[str, object]]) -> None:
    path = tmp_path / "rows.json"
    write_json_list(path, rows)
    assert read_json(path) == rows
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line.rstrip(",")) for line in lines[1:-1]] == rows


def test_lone_surrogates_survive_json() -> None:
    assert json.loads(dumps({"text": "\ud800字"})) == {"text": "\ud800字"}
    dumps({"text": "\ud800字"}).encode("utf-8")
    assert dumps({"text": "字"}) == '{"text": "字"}'
