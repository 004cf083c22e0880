import asyncio
import re
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from textual.app import App, ComposeResult
from textual.content import Content
from textual.widgets import Static

from arcade.cli import run
from arcade.engines.control import Control
from arcade.engines.game import RaceGame
from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.registry import parse_game_id
from arcade.play import files as match_file
from arcade.play.headless import look_back, play_to_end
from arcade.play.match import Mark, Match, new_match
from arcade.screens.honshu.board import TERRAINS
from arcade.screens.picture import END, MISTAKE, MOVE, render_animation
from arcade.screens.svg import BASE, COLUMN, LINE, MARGIN, Frame, svg
from arcade.store.store import open_store
from arcade.widgets.glyphs import ASCII

pytestmark = pytest.mark.usefixtures("instant")


def test_text_picture_shows_move_values_and_last_move(tmp_path: Path) -> None:
    name = tmp_path / "board.txt"
    assert run(["picture", "chocobar:2x3", "-o", str(name), "--values", "--ascii"]) == 0
    words = " ".join(name.read_text().split())
    assert re.findall(r"[+-]\d", words) == ["-1", "-2", "-1", "-2", "+3"]
    assert run(["picture", "chocobar:2x3", "-o", str(name), "--force", "--moves", "2,3"]) == 0
    assert not re.findall(r"[+-]\d", name.read_text())
    assert "◉" in name.read_text(), "the last move"
    assert run(["picture", "menace:X.O.X....", "-o", str(name), "--force", "--values", "--ascii"]) == 0
    assert re.findall(r"[-=]\d", name.read_text()) == ["-1", "-1", "-1", "-1", "-1", "=3"]
    assert run(["picture", "hexapawn:3x3", "-o", str(name), "--force", "--values", "--ascii"]) == 0
    assert len(re.findall(r"[-+]\d", name.read_text())) == 3


def test_svg_of_every_game_loads_nothing(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    for name in ("hexapawn:3x3", "tetromino:4x4", "menace:X.O......", "graph"):
        arguments = ["picture", name, "-o", str(file), "--theme", "light", "--force"]
        assert run(arguments) == 0
        text = file.read_text()
        root = ElementTree.fromstring(text)
        drawn = [each for each in root.iter() if each.tag.endswith("}text")]
        assert len(drawn) >= 3, name
        assert root[1].attrib["fill"] == "#f7f3ea", name
        assert re.findall('https?:[^"]*', text) == ["http://www.w3.org/2000/svg"], name
        assert "@" not in text.replace("example@8", ""), name
        assert run(arguments) == 0
        assert file.read_text() == text, name


def test_match_is_drawn_from_file_or_saved_number(match: Match, data_folder: Path, tmp_path: Path) -> None:
    race = play_to_end(new_match(parse_game_id("honshu:6x3#5"), ("random", "random"), seed=1))
    race.seats[1] = "human"
    file, drawn = match_file.write_file(str(tmp_path / "one"), race.record()), tmp_path / "board.txt"
    assert run(["picture", file, "-o", str(drawn), "--ascii"]) == 0
    lines, position = drawn.read_text().splitlines(), race.position_of(1)
    assert isinstance(position, HonshuPosition)
    for row, column in product(range(6), repeat=2):
        # Cells of six columns and three lines, beside and below the coordinates.
        cell = "".join(line.ljust(38)[2 + 6 * column : 8 + 6 * column] for line in lines[1 + 3 * row :][:3])
        letter = position.terrain_at(row, column)
        assert (TERRAINS[letter].sign(ASCII) if letter else ".") in cell

    with open_store(data_folder) as store:
        number, _ = store.save_match(match.record())
    replay = tmp_path / "match.svg"
    assert run(["picture", str(number), "--animate", "-o", str(replay)]) == 0
    assert f"{match.line[0].move}" in replay.read_text("utf-8")


def frames_of(match: Match) -> tuple[list[Frame], str]:
    with Control(1) as control:
        look_back(match, control)
    return render_animation(match)


def steps_of(drawing: str) -> list[list[str]]:
    """What can be read on an SVG after each of its layers: areas blank, words cover."""
    root = ElementTree.fromstring(drawing)
    _, _, width, height = map(int, root.attrib["viewBox"].split())
    lines = [[" "] * ((width - 2 * MARGIN) // COLUMN) for _ in range((height - 2 * MARGIN) // LINE)]
    steps = []
    layers = list(root[2])
    last_of_first = next(
        (at for at, each in enumerate(layers) if each.attrib.get("class") == "f"), len(layers)
    )
    for layer in [layers[:last_of_first], *([each] for each in layers[last_of_first:])]:
        for part in layer:
            for each in part.iter():
                if each.tag.endswith("}path"):
                    for area in re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-", each.attrib["d"]):
                        x, y, columns, high = map(int, area)
                        for line in lines[y : y + high]:
                            line[x : x + columns] = " " * columns
                if each.tag.endswith("}text"):
                    x, y = int(each.attrib["x"]) // COLUMN, (int(each.attrib["y"]) - BASE) // LINE
                    word = each.text or ""
                    lines[y][x : x + len(word)] = word
        steps.append(["".join(line).rstrip() for line in lines])
    return steps


def shown(frame: Frame) -> list[str]:
    return ["".join(character for character, _ in line).rstrip() for line in frame.lines]


@pytest.fixture
def match() -> Match:
    return play_to_end(new_match(parse_game_id("chocobar:3x4"), ("casual", "random"), seed=4))


def check_moves(match: Match, frames: list[Frame]) -> None:
    """A match is shown move by move, with its marks."""
    assert len(frames) == len(match.line) + 1, "the start, and each move"
    told = ["\n".join(shown(frame)) for frame in frames]
    for number, ply in enumerate(match.line[:-1], 1):
        assert f"{number}. {ply.move}" in told[number]
        bad = ply.mark is Mark.BLUNDER
        assert ("gave away the win" in told[number]) == bad
        assert told[number].count("✗") == bad + sum(each.mark is Mark.BLUNDER for each in match.line[:number])
        assert frames[number].seconds == (MISTAKE if bad else MOVE)
    assert any(ply.mark is Mark.BLUNDER for ply in match.line)
    assert "wins: " in told[-1]
    assert "gave the win away" in told[-1]
    assert "Best moves" in told[-1]
    assert frames[-1].seconds == END
    assert match.result, "the match itself is left as it was"


def check_svg(frames: list[Frame], ground: str) -> None:
    """An SVG moves without a script, and each step shows its frame."""
    drawing = svg(frames, ground)
    root = ElementTree.fromstring(drawing)
    assert {each.tag.rpartition("}")[2] for each in root.iter()} == {
        "svg",
        "style",
        "rect",
        "g",
        "path",
        "text",
    }
    moving_groups = [each for each in root.iter() if each.attrib.get("class") == "f"]
    assert len(moving_groups) == drawing.count("@keyframes") == len(frames) - 1
    assert steps_of(drawing) == [shown(frame) for frame in frames]
    starts = [float(each) for each in re.findall(r"hidden\}([\d.]+)%,to", drawing)]
    assert starts == sorted(starts)
    assert 0 < starts[0] < starts[-1] < 100


def test_match_animated_is_an_svg_of_all_its_moves(match: Match) -> None:
    frames, ground = frames_of(match)
    check_moves(match, frames)
    check_svg(frames, ground)


@pytest.mark.slow
def test_animation_of_typical_match_is_below_100_kilobytes() -> None:
    for start, seats in (
        ("chocobar:3x4", ("casual", "club")),
        ("hexapawn:4x4", ("casual", "club")),
        ("tetromino:4x5", ("casual", "club")),
        ("menace", ("casual", "club")),
        ("honshu:7x6#7", ("random", "random")),
    ):
        match = play_to_end(new_match(parse_game_id(start), seats, seed=1))
        frames, ground = frames_of(match) if not isinstance(match.game, RaceGame) else render_animation(match)
        assert len(svg(frames, ground).encode()) < 100_000, start


def test_pictures_contain_no_control_characters() -> None:
    class Rude(App[None]):
        def compose(self) -> ComposeResult:
            yield Static(Content("safe\x9b2Jand\u202esound"))

    async def frame() -> Frame:
        app = Rude()
        async with app.run_test(size=(40, 2)):
            return Frame.of(app.screen, 1.0)

    taken = asyncio.run(frame())
    assert taken.text().startswith("safe")
    for drawing in (svg([taken], "#000000"), taken.text()):
        assert "sound" in drawing
        assert not re.findall("[\x80-\x9f\u202e]", drawing)


def test_invalid_picture_requests_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for arguments, said in (
        (["chocobar:2x3", "-o", "x.png"], "must end in .svg or .txt, for example x.svg."),
        (["chocobar:2x3", "-o", "x.gif", "--animate"], "must end in .svg with --animate, for example x.svg."),
        (["chocobar:2x3", "-o", "x.svg", "--animate"], "--animate requires a match with moves"),
        (["chocobar:2x3", "-o", "x.svg", "--animate", "--values"], "--values cannot be combined"),
        (["99", "-o", "x.svg"], "99"),
        (["chocobar:2x3", "-o", str(tmp_path / "none" / "x.svg")], "Cannot write"),
        (["chess", "-o", "x.svg"], "Unknown game 'chess'"),
        (["chocobar:2x3", "-o", "x.svg", "--theme", "pink"], "theme"),
    ):
        assert run(["picture", *arguments]) == 2
        assert said in capsys.readouterr().err


def test_punishment_of_a_match_is_drawn_without_words(tmp_path: Path) -> None:
    file = tmp_path / "missed.svg"
    lost = ["picture", "chocobar:4x5", "--moves", "2,2 4,1 1,2 2,1", "--punishment", "-o", str(file)]
    assert run(lost) == 0
    *_, mistake, answer, missed = ["\n".join(step) for step in steps_of(file.read_text("utf-8"))]
    assert ("✗" in mistake, "◉" in answer, "!" in missed) == (True, True, True)
    assert not re.search("[A-Za-z]{2}", mistake + answer + missed)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--animate"], "--punishment cannot be combined with --animate."),
        (["--values"], "--values cannot be combined with --punishment."),
        (["--moves", "2,2"], "--punishment requires a finished match."),
        (["--moves", "2,2 2,1 1,2"], "--punishment requires a match with a mistake"),
    ],
)
def test_punishment_is_refused_in_one_line(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = str(tmp_path / "missed.svg")
    assert run(["picture", "chocobar:2x2", "--punishment", "-o", name, *arguments]) == 2
    assert said in capsys.readouterr().err
