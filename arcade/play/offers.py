"""The actions to offer at a moment of a match."""

from arcade.engines.wording import capitalize
from arcade.play.actions import ACTIONS
from arcade.play.match import HUMAN, Match
from arcade.play.moment import Moment, other_level
from arcade.play.path import step_of
from arcade.play.state import Offers, State, revealed


def end_offers(match: Match, state: State) -> Offers:
    result = match.ending
    again, easier = ("again", "rematch"), ("slower", "easier")
    missed = ("punishment", "what you missed")
    others = [("review", "better moves"), ("other_side", "switch sides"), ("replay", "watch")]
    winner = match.seats[result.winner] if result is not None and result.winner is not None else None
    if match.watched:
        offers = [again, *others[1:]]
    elif winner == HUMAN or match.seats == [HUMAN]:
        lost = [missed] if winner is None else []
        offers = [("faster", _next_words(match, state)), again, *lost, *others]
    elif winner is None:
        offers = [again, others[0], easier, *others[1:]]
    elif state.lesson is None:
        offers = [again, missed, others[0], easier, *others[1:]]
    else:
        offers = [("lesson", state.lesson) if state.lesson else easier, missed, again, *others]
    now = Moment(match, state)
    return [offer for offer in offers if ACTIONS[offer[0]].refusal(now) is None][:3]


def suggested_actions(match: Match, state: State) -> tuple[str, ...]:
    """Return actions to suggest, the most useful first. Some may be unavailable."""
    if match.finished:
        offered = (name for name, _ in end_offers(match, state))
        return tuple(dict.fromkeys((*offered, "review", "again", "other_side", "faster", "slower", "replay")))
    if match.player_to_move == HUMAN:
        return ("hint", "undo", "values", "rules", "type", "resign", "seats", "new")
    return ("pause", "faster", "slower", "forward", "resign", "seats", "new")


def footer_actions(match: Match, state: State) -> tuple[str, ...]:
    """Return the actions for the footer, which are not offered elsewhere on the screen."""
    seen = ("values",) if state.values_shown or revealed(match, state) else ()
    if match.result:
        return ("new",)
    if match.finished:
        return seen
    if match.watched:
        return ("new", *seen)
    return (*(() if match.plies else ("new",)), "undo", "hint", *seen)


def _next_words(match: Match, state: State) -> str:
    harder = other_level(match, state, 1)
    if harder is None or step_of(harder.start, harder.seats) is None:
        return "harder"
    words = f"next: {capitalize(next(who for who in harder.seats if who != HUMAN))}"
    if step_of(match.start, match.seats) is None or harder.parameters == match.parameters:
        return words
    return f"{words} on {match.game.parameters.text(harder.parameters)}"
