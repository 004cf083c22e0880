"""Matches as a dialogue."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Self

from arcade.engines.files import InputError
from arcade.engines.game import Kind
from arcade.engines.menace import box as beads
from arcade.engines.menace.machine import AnyMachine, Change, Draw
from arcade.engines.position import Position
from arcade.engines.verdict import Proof, ScoreVerdict
from arcade.engines.wording import amount, capital, counted, listed
from arcade.plain.dialogue import PATIENCE, Command, Dialogue, Say, changes
from arcade.play.actions import ACTIONS, end_card
from arcade.play.files import write_file
from arcade.play.jobs import Changed, Event, Learned, Moved, Notice, Refused, Threads
from arcade.play.machines import Reward
from arcade.play.marks import Ply
from arcade.play.match import HUMAN, Match
from arcade.play.mistakes import mistakes, reason_told
from arcade.play.modes import NOT_YOUR_TURN, OVER
from arcade.play.sentences import (
    fault_sentence,
    played_sentences,
    result_sentence,
    seat_name,
    subject,
    verdict_words,
)
from arcade.play.session import Session
from arcade.services import Services
from arcade.store.record import Coach
from arcade.store.store import SavedAs
from arcade.study.daily import chat_text, day_of, score_of, week_sentences


def draw_sentence(machine: AnyMachine, draw: Draw[Any, Any]) -> str:
    if draw.opening is None:
        return f"{machine.name} has no box here and picks any legal move."
    box, many = draw.opening.box.index + 1, len(machine.boxes.boxes)
    one = "its only bead" if draw.count == 1 else f"one of {counted(draw.count, 'bead')}"
    first = machine.options.first_beads
    gained = draw.count - first[min(draw.opening.box.stage, len(first)) - 1]
    if gained > 0:
        why = f" It has {gained} more of them than at first, because it did well with them."
    else:
        why = f" It has {-gained} fewer of them than at first." if gained else ""
    return (
        f"{machine.name} opens box {box} of {many}, with {counted(draw.total, 'bead')}, "
        f"and picks {one} for {draw.move}.{why}"
    )


def box_sentences(machine: AnyMachine, draw: Draw[Any, Any]) -> list[str]:
    told = [draw_sentence(machine, draw)]
    if draw.opening is not None:
        for move, slot in draw.opening.slots.items():
            own = draw.opening.moves.get(slot)
            count = counted(beads.count(draw.word, slot), "bead")
            told.append(f"{move}: {count}." if own == move else f"{move} counts as {own}.")
    return told


def change_sentence(change: Change[Any, Any]) -> str:
    draw = change.draw
    where = f"Box {draw.opening.box.index + 1}" if draw.opening is not None else "No box"
    return f"{where}, {draw.move}: from {change.before} to {amount(change.after, 'bead')}."


COACH_SECONDS = 2.0
"""Most seconds that the coach takes for a look at a move; what it finds later it says later."""

ANSWER_SECONDS = 30.0
"""Most seconds that the answer to a question takes, unless the game has a limit of its own."""

MOST_LISTED = 12
"""Most moves in one sentence."""


AFTER_END = {
    "again": ("again", "the same players"),
    "harder": ("faster", "a stronger opponent"),
    "easier": ("slower", "a weaker opponent"),
    "swap": ("other_side", "the other side"),
}
"""Words that begin another match after the end: the action, and what it begins."""


class MatchDialogue(Dialogue):
    """A match, told and played in lines; `saved`: which row of the store it is, if it is there already."""

    def __init__(self, match: Match, services: Services, say: Say, saved: SavedAs | None = None) -> None:
        super().__init__(match.game, say)
        self.services = services
        self.threads = Threads()
        self.session = Session(match, services, self.threads, self.on_session, saved)
        self._told: list[tuple[int, Any]] | None = None
        """The seats and moves that have been told; None before the match is introduced."""
        self._boards: dict[int, list[str]] = {}
        self._notices: list[str] = []
        self._fault: int | None = None
        self._judged: tuple[int, str] | None = None
        """After how many moves the open coach spoke last, and what it said."""
        self._ended = False
        self._rewards: list[Reward] = []
        self._refused = ""
        """The name of the machine that refuses to play; empty for none."""
        self.commands |= {
            "hint": Command("helps in three steps: where, which, why", self.hint),
            "verdict": Command("tells who wins, or what the map can score", self.verdict),
            "values": Command("tells what every move is worth", self.values),
            "undo": Command("takes your last move back", lambda: self.session.do("undo")),
            "redo": Command("plays again what was taken back", lambda: self.session.do("redo")),
            "played": Command("tells the moves so far", self.tell_played),
            "other": Command("tells the other board of a race", self.tell_other),
            "box": Command("tells the box that a machine opened last", self.tell_box),
            "review": Command("looks back at a finished match", self.review),
            "coach": Command("sets how much the coach says", self.coach, "quiet|mistakes|open"),
            "save": Command("saves the match, or writes it to a match file", self.save, "FILE"),
            "go": Command("lets engines that wait play on", self.go),
            "resign": Command("gives the match up", lambda: self.do("resign")),
        }
        for word, (name, what) in AFTER_END.items():
            self.commands[word] = Command(f"begins a new match: {what}", partial(self.begin_another, name))
        if day_of(match) is not None:
            self.commands["result"] = Command("tells your result with the map, for a chat", self.tell_result)

    @classmethod
    def last(cls, services: Services, say: Say) -> Self:
        """Go on with the match played last; raises InputError where there is none that can be opened."""
        if not services.alone:
            raise InputError("Another arcade is open and may have your last match; end it, or name a game.")
        saved = services.last_in_play()
        if saved is None:
            raise InputError("No match is going on; name a game, as in arcade play chocobar:5x6.")
        match = Match.from_record(saved.record, services.machines)
        return cls(match, services, say, (saved.id, saved.revision))

    @property
    def match(self) -> Match:
        return self.session.match

    @property
    def position(self) -> Position[Any]:
        return self.match.position_of(self.session.main_seat)

    def begin(self) -> None:
        self.services.listen(lambda notice: self._notices.append(notice.text))
        self.session.open()
        self.session.set_to_work()
        if self.match.watched:
            self.session.do("pause")

    def end(self) -> None:
        self.session.stop()
        if self.session.saved is not None and not self.match.finished and not self.services.unsaved:
            self.say("The match is saved. arcade play goes on with it.")

    def on_session(self, event: Event) -> None:
        match event:
            case Notice(text):
                self._notices.append(text)
            case Moved():
                self._tell_position()
                self._tell_fault()
            case Changed():
                self._tell_fault()
            case Learned(rewards):
                self._rewards = list(rewards)
            case Refused(machine):
                self._refused = machine.name
                self._notices.append(f"The first box of {machine.name} is empty, so {machine.name} refuses.")
                self.commands["fresh"] = Command("gives it fresh beads", self.refresh)

    def _tell_position(self) -> None:
        match = self.match
        line = [(ply.seat, ply.move) for ply in match.plies]
        before, self._told = self._told, line
        if before is None:
            self._introduce()
            return
        for ply in match.plies[len(before) :] if line[: len(before)] == before else ():
            self._tell_move(ply)
        if line[: len(before)] != before:
            self.say(f"Back before move {len(line) + 1}.")
        for seat in self._boards:
            told = self._boards[seat]
            now = self._boards[seat] = match.position_of(seat).describe()
            if match.game.kind is Kind.DUEL or match.seats[seat] == HUMAN or match.watched:
                self.tell(changes(told, now))

    def _introduce(self) -> None:
        match = self.match
        self._fault, self._judged, self._ended, self._rewards = None, None, False, []
        day = day_of(match)
        self.say(f"{match.title}.{'' if day is None else f' This is the map of {day}.'}")
        for seat in range(len(match.seats)) if len(match.seats) > 1 else ():
            name = seat_name(match, seat)
            self.say(f"{name} {'are' if name == 'You' else 'is'} {match.game.sides[seat]}.")
        self.say(match.game.goal or match.game.summary)
        self.say("Type a move, or help.")
        boards = range(len(match.seats)) if match.game.kind is Kind.RACE else (0,)
        self._boards = {seat: match.position_of(seat).describe() for seat in boards}
        for ply in match.plies:
            self.say(self._played(ply))
        self.tell(self.position.describe())

    def _played(self, ply: Ply) -> str:
        who = subject(self.match, ply.seat)
        return f"{who} {'play' if who == 'You' else 'plays'} {ply.move}."

    def _tell_move(self, ply: Ply) -> None:
        match = self.match
        self.say(self._played(ply))
        if match.game.kind is Kind.RACE and match.seats[ply.seat] != HUMAN and not match.watched:
            points = match.game.points(match.position_of(ply.seat))
            self.say(f"{match.game.sides[ply.seat]} has {counted(points or 0, 'point')}.")
        drawn = self._draw(len(match.plies) - 1) if match.plies[-1] is ply else None
        if drawn is not None:
            self.say(drawn[0])

    def _draw(self, number: int) -> list[str] | None:
        match = self.match
        ply, position = match.plies[number], match.before(number)
        if not match.drawn(number):
            return None
        for reward in self._rewards:
            # What it has learned since is not what it drew from.
            for change in reward.changes:
                if reward.seat == ply.seat and change.draw.position == position:
                    return box_sentences(reward.machine, change.draw)
        machine = self.services.machine_of(match, ply.seat)
        return None if machine is None else box_sentences(machine, machine.retrace(position, [ply.move])[0])

    def ask(self) -> None:
        session = self.session
        self.services.retry()
        session.failure = None
        self._wait(
            lambda: self.match.to_move in (HUMAN, None) or session.mode.paused or bool(session.failure)
        )
        self._tell_notices()
        if self.match.result is not None:
            if not self._ended:
                self._ended = True
                self._tell_end()
            self.say("Type review, again or quit.")
            return
        self._ended = False
        self._let_coach_speak()
        self._tell_notices()
        if self._refused:
            self.say("Type fresh or quit.")
        elif self.match.to_move != HUMAN:
            self.say(f"{self.match.game.sides[self.match.turn]} waits. Type go to let it play.")
        elif self.match.seats.count(HUMAN) > 1:
            self.say(f"{self.match.game.sides[self.match.turn]} to move.")
        else:
            self.say("Your move.")

    def _tell_notices(self) -> None:
        notices, self._notices = self._notices, []
        self.tell(notices)

    def _tell_end(self) -> None:
        match = self.match
        self.say(result_sentence(match, to_person=True))
        for reward in self._rewards:
            self.tell(change_sentence(change) for change in reward.changes)
        day = day_of(match)
        if day is not None:
            self._look_back()
            self.say(f"The map of {day}: {score_of(match)}. Type result to share it in a chat.")
            self.tell(week_sentences(self.services.week(match.game, day)))
        offers = dict(end_card(self.session))
        for word, (action, what) in AFTER_END.items():
            if action in offers and word != action:
                step = offers[action].removeprefix("next: ")
                self.say(f"Type {word} for {what if step == offers[action] else step}.")
        if "lesson" in offers:
            self.say(f"Type quit, then arcade learn {match.game.name} for a lesson on what you missed.")

    def _look_back(self) -> bool:
        """Wait for the review, which also finds the best score of a day's map; False if it is not ready."""
        self.session.start_verdict()
        return self._wait(lambda: not self.session.busy, ANSWER_SECONDS)

    def tell_result(self) -> None:
        match, day = self.match, day_of(self.match)
        if day is None or not match.finished:
            self.say("The result comes when the map is finished.")
        else:
            self.tell(chat_text(match, day, self.services.week(match.game, day)).splitlines())

    def _let_coach_speak(self) -> None:
        session, coach = self.session, self.services.settings.coach
        if coach is Coach.QUIET or self.match.to_move != HUMAN:
            return
        running = session.jobs.controls
        if coach is Coach.OPEN:
            self._wait(lambda: session.verdict is not None or "verdict" not in running, COACH_SECONDS)
            if session.verdict is not None:
                said = len(self.match.plies), verdict_words(self.match, session.verdict, session.mover)
                if said != self._judged:
                    self.say(f"{said[1]}.")
                self._judged = said
            return
        if self.match.game.kind is Kind.DUEL:
            # A person's move and what has answered it.
            last = self.match.plies[-2:]
            self._wait(lambda: all(ply.mark for ply in last) or "verdict" not in running, COACH_SECONDS)
        self._tell_fault()

    def _tell_fault(self) -> None:
        plies, told, fault = self.match.plies, self._fault, self.session.fault
        if fault is not None and fault != told:
            self.say(f"{fault_sentence(self.match, fault)} Type undo to take it back.")
        elif fault is None and told is not None and told + 2 == len(plies):
            if plies[-1].mark is None:
                return
            if back := self.session.given_back:
                self.say(f"{back.move} gives it back.")
        self._fault = fault

    def _wait(self, enough: Callable[[], bool], most: float | None = None) -> bool:
        """Let work go on until it is enough; False when `most` seconds have passed before."""
        end = None if most is None else time.monotonic() + most
        told = False
        while not enough():
            left = PATIENCE if end is None else end - time.monotonic()
            if left <= 0:
                return False
            try:
                self.threads.settle(enough, min(left, PATIENCE))
            except TimeoutError:
                if not told and left >= PATIENCE:
                    told = True
                    self.say("Still thinking.")
        return True

    def play(self, move: Any) -> None:
        if self.match.finished:
            self.say(f"{OVER} Type undo to go on from before its end in a new match.")
        elif self.match.to_move != HUMAN:
            self.say(NOT_YOUR_TURN)
        else:
            self.services.has_played(self.game.name)
            self.session.play(move)

    def do(self, name: str, after_end: str = "") -> None:
        """Do an action of the match, or say why it cannot be done; after the end, what to type instead."""
        if self.match.finished:
            self.say(f"{OVER} {after_end}".rstrip())
        else:
            self.session.do(name)

    def hint(self) -> None:
        hints = self.session.hints
        self.do("hint", "Type review to look back.")
        self._wait(lambda: not hints.sought)
        hint = hints.hint
        if hint is None or self.match.finished:
            return
        if hints.step == 1:
            self.say(f"{hint.where} Type hint again for the move.")
        elif hints.step == 2:
            self.say(f"Play {hint.move}. Type hint again for the reason.")
        else:
            self.say(hint.why)
            self.say(f"It goes on like this: {' '.join(map(str, hint.line))}.")

    def _judge(self) -> None:
        session = self.session
        session.note_reveal()
        session.start_verdict()
        limit = self.game.limits.verdict
        seconds = ANSWER_SECONDS if limit is None else limit
        self._wait(lambda: "verdict" not in session.jobs.controls, seconds)

    def verdict(self) -> None:
        self._judge()
        verdict = self.session.so_far or self.session.verdict
        if verdict is None:
            self.say(OVER if self.match.finished else "Nothing is known yet. Ask again later.")
            return
        words = verdict_words(self.match, verdict, self.session.mover)
        self.say(f"{words}{', both sides counted' if words.endswith('moves') else ''}.")
        if verdict.proof is not Proof.UNKNOWN:
            self.say(f"{capital(verdict.provenance())}.")

    def values(self) -> None:
        self._judge()
        analysis = self.match.analysis(self.session.judged_position)
        if not analysis:
            self.say("There is no move." if self.match.result else "Nothing is known yet. Ask again later.")
            return
        groups: dict[str, list[str]] = {}
        for known in sorted(analysis, key=lambda known: known.verdict.preference, reverse=True):
            worth = known.verdict
            if isinstance(worth, ScoreVerdict):
                worth = replace(worth, score=None)
            words = verdict_words(self.match, worth, self.session.mover)
            groups.setdefault(words, []).append(str(known.move))
        for words, moves in list(groups.items())[:MOST_LISTED]:
            more = [f"{len(moves) - MOST_LISTED} more"] if len(moves) > MOST_LISTED else []
            self.say(f"{words}: {listed(moves[:MOST_LISTED] + more)}.")
        if len(groups) > MOST_LISTED:
            self.say("Other moves are worse.")

    def tell_played(self) -> None:
        match = self.match
        if not match.plies:
            self.say("Nothing has been played yet.")
        for number, ply in enumerate(match.plies, 1):
            mark = f" {capital(ply.mark)}." if ply.mark and self.session.mode.revealed else ""
            comment = f" {ply.comment}" if ply.comment else ""
            self.say(f"Move {number}: {self._played(ply)}{mark}{comment}")

    def tell_other(self) -> None:
        seats = [seat for seat in self._boards if seat != self.session.main_seat]
        if not seats or self.match.game.kind is Kind.DUEL:
            self.say("This match has one board only.")
            return
        for seat in seats:
            self.say(f"{self.match.game.sides[seat]}:")
            self.tell(self.match.position_of(seat).describe())

    def tell_box(self) -> None:
        for number in range(len(self.match.plies) - 1, -1, -1):
            told = self._draw(number)
            if told is not None:
                self.tell(told)
                return
        self.say("No machine has opened a box in this match.")

    def review(self) -> None:
        session, match = self.session, self.match
        if not match.finished:
            self.say("The review comes after the match.")
            return
        if not self._look_back():
            self.say("Not every move is judged yet. Ask again later.")
        self.say(result_sentence(match, to_person=True))
        self.tell(filter(None, played_sentences(match, session.judge.verdicts.get(match.first))))
        wrong = mistakes(match)
        steps = list(match.steps())
        for number in wrong:
            ply, position = steps[number]
            better = match.better_moves(position)[:MOST_LISTED]
            words = listed(list(map(str, better)), "or")
            mark = ply.mark.value if ply.mark else ""
            better_ones = f" Better: {words}." if words else ""
            told = f"{self._played(ply)} {capital(mark)}.{better_ones} {reason_told(match, ply)}"
            self.say(f"Move {number + 1}: {told}".rstrip())
        if not wrong:
            self.say("No mistake is known.")

    def coach(self, word: str) -> None:
        if word.lower() in list(Coach):
            self.services.change("coach", word.lower())
            self.session.heed_coach()
        elif word:
            self.say(f"There is no coach {word!r}; there are {listed(list(Coach))}.")
        self.say(f"The coach {self.services.settings.coach.summary}.")

    def save(self, name: str) -> None:
        if name:
            try:
                self.say(f"The match is written to {write_file(name, self.match.record())!r}.")
            except InputError as error:
                self.say(str(error))
            return
        self.session.save()
        if self.services.unsaved:
            self.say(f"Not yet: {self.services.unwritten} The arcade keeps trying.")
        elif self.session.saved is not None:
            self.say("The match is saved after every move.")
        elif not self.match.line:
            self.say("There is no move to save yet.")
        elif self.match.foreign:
            self.say("This match was played elsewhere, so it is not saved.")
        else:
            self.say("The match could not be saved.")

    def go(self) -> None:
        self.do("pause", "Type again for a new one.")

    def begin_another(self, action: str) -> None:
        if ACTIONS[action].refusal(self.session) is not None:
            self.say("There is no such match." if self.match.finished else "That comes after the match.")
            return
        self._told = None
        self.session.do(action)
        self.session.moved(paused=False)

    def refresh(self) -> None:
        name, self._refused = self._refused, ""
        self.commands.pop("fresh", None)
        try:
            self.services.machines.refresh(name)
        except InputError as error:
            self.say(str(error))
            return
        self.session.mode.paused = False
        self.session.moved(save=False)
