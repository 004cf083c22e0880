import re
import sys
import types
from pathlib import Path
from xml.etree import ElementTree

import pytest

from arcade.cli import run
from arcade.engines.registry import parse_game_id
from arcade.match import files as match_file
from arcade.match.match import Match
from arcade.session.alone import play_out

pytestmark = pytest.mark.usefixtures("instant")


def test_a_position_in_characters(tmp_path: Path) -> None:
    name = tmp_path / "board.txt"
    assert run(["picture", "chocobar:2x3", "-o", str(name), "--values", "--ascii"]) == 0
    words = " ".join(name.read_text().split())
    assert re.findall(r"[+-]\d", words) == ["-2", "-4", "-2", "-4", "+5"]
    assert run(["picture", "chocobar:2x3", "-o", str(name), "--force", "--moves", "2,3"]) == 0
    assert not re.findall(r"[+-]\d", name.read_text())
    assert "◉" in name.read_text(), "the last move"
    assert run(["picture", "menace:X.O.X....", "-o", str(name), "--force", "--values", "--ascii"]) == 0
    assert re.findall(r"[-=]\d", name.read_text()) == ["-2", "-2", "-2", "-2", "-2", "=6"]
    assert run(["picture", "hexapawn:3x3", "-o", str(name), "--force", "--values", "--ascii"]) == 0
    assert len(re.findall(r"[-+]\d", name.read_text())) == 3


@pytest.mark.parametrize("name", ["hexapawn:3x3", "tetromino:4x4", "menace:X.O......", "graph"])
def test_a_drawing_of_every_game_loads_nothing(name: str, tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    assert run(["picture", name, "-o", str(file), "--theme", "light"]) == 0
    text = file.read_text()
    root = ElementTree.fromstring(text)
    drawn = [each for each in root.iter() if each.tag.endswith("}text")]
    assert len(drawn) >= 3
    assert root[2].attrib["fill"] == "#F7F3EA"
    assert re.findall('https?:[^"]*', text) == ["http://www.w3.org/2000/svg"]
    assert "@" not in text.replace("example@8", "")
    assert run(["picture", name, "-o", str(file), "--theme", "light", "--force"]) == 0
    assert file.read_text() == text


def test_a_match_file_is_drawn_from_the_persons_side(tmp_path: Path) -> None:
    match = play_out(Match(parse_game_id("honshu:6x3#5"), ("random", "random"), seed=1))
    match.seats[1] = "human"
    file, drawn = match_file.write_file(str(tmp_path / "one"), match.record()), tmp_path / "board.txt"
    assert run(["picture", file, "-o", str(drawn), "--ascii"]) == 0
    letters = "".join(re.findall("[PFLVRU]", drawn.read_text()))
    assert letters == "".join(re.findall("[PFLVRU]", str(match.position_of(1))))


def test_what_cannot_be_drawn_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for arguments, said in (
        (["chocobar:2x3", "-o", "x.gif"], "must end in .svg, .png or .txt"),
        (["chocobar:2x3", "-o", str(tmp_path / "none" / "x.svg")], "cannot be written"),
        (["chess", "-o", "x.svg"], "no game 'chess'"),
        (["chocobar:2x3", "-o", "x.svg", "--theme", "pink"], "theme"),
    ):
        assert run(["picture", *arguments]) == 2
        assert said in capsys.readouterr().err
    png = str(tmp_path / "board.png")
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    assert run(["picture", "chocobar:2x3", "-o", png]) == 2
    assert "needs the package cairosvg" in capsys.readouterr().err
    fake = types.SimpleNamespace(svg2png=lambda svg: b"PNG" + svg[:4])
    monkeypatch.setitem(sys.modules, "cairosvg", fake)
    assert run(["picture", "chocobar:2x3", "-o", png]) == 0
    assert Path(png).read_bytes() == b"PNG<svg"
