"""Explanations of mistakes name the player who answers, in the words of every rule and in all duels."""

import random
import re

import pytest

from arcade.engines.control import Control
from arcade.engines.reasons import OUT_OF_TIME
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.verdict import value_keeping_moves


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "rules"), [("chocobar:4x5", 8), ("hexapawn:4x4", 5), ("tetromino:4x4", 4), ("menace", 4)]
)
def test_mistake_is_explained_by_the_named_opponents_reply(board: str, rules: int) -> None:
    id = parse_game_id(board)
    explanations, rng, met = id.game.explanations, random.Random(1), set()
    with Control(60) as control:
        for _ in range(30):
            position = id.start()
            while position.outcome() is None:
                moves = list(id.game.solver.moves(position, control))
                right = value_keeping_moves(moves)
                wrong = [judged.move for judged in moves if judged.move not in right]
                if wrong:
                    move = rng.choice(wrong)
                    mover, other = (id.game.sides[side] for side in (position.turn, 1 - position.turn))
                    after = position.play(move)
                    fault = explanations.explain_mistake(position, move, control)
                    why = explanations.reasons.explain(after, control)
                    assert fault.says != OUT_OF_TIME
                    assert why is not None
                    if why.line:
                        assert fault.says.startswith(f"{other} can reply with {why.line[0]}"), fault.says
                    else:
                        assert re.search(rf"\b{other}\b", fault.says) or after.outcome(), fault.says
                        assert not fault.says.startswith(f"{other} plays"), fault.says
                    assert f"{mover} can reply with" not in fault.says, fault.says
                    met.add(fault.rule)
                position = position.play(rng.choice(right if rng.random() < 0.6 else position.moves()))
    assert len(met) >= rules


@pytest.mark.parametrize("name", ["chocobar", "hexapawn", "tetromino", "menace"])
def test_rule_with_a_move_names_its_player(name: str) -> None:
    game, rng = get_game(name), random.Random(2)
    sides = "|".join(game.sides)
    for _ in range(60):
        position = game.new({})
        while position.outcome() is None:
            for rule in game.explanations.rules:
                match = rule.match(position)
                # A sentence that says that somebody wins or ties says who.
                if match is not None and rule.value.value != "loss":
                    assert re.search(rf"\b({sides})\b", match.says), match.says
                    assert not re.match(r"(Biting|Bite|Play|Take|\(|[a-z]\d)", match.says), match.says
            position = position.play(rng.choice(position.moves()))
