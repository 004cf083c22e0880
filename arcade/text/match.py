"""Matches in text mode."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Self

from arcade.engines.files import InputError
from arcade.engines.position import Position
from arcade.engines.verdict import ScoreVerdict
from arcade.engines.wording import capitalize, join_words, spelled_quantity
from arcade.play.files import write_file
from arcade.play.jobs import Notice, Threads
from arcade.play.machines import LearningSummary, OpenBox
from arcade.play.match import Match
from arcade.play.mistakes import mistakes, reason_told, rule_told
from arcade.play.scene import CoachScene, EndScene, RaceVerdictScene, Scene, VerdictScene
from arcade.play.sentences import detail_sentences, end_sentences, subject, verdict_words
from arcade.play.session import Session
from arcade.play.state import NOT_YOUR_TURN, OVER
from arcade.services import Services
from arcade.store.record import Coach
from arcade.store.store import SavedAs
from arcade.study.daily import chat_text, day_of, score_of, week_sentences
from arcade.text.dialogue import PATIENCE, Command, Dialogue, Say, changes


def drawn_box(scene: Scene) -> OpenBox | None:
    return scene.box.last if isinstance(scene.box, LearningSummary) else scene.box


COACH_SECONDS = 2.0
"""Maximum seconds to wait for the coach before the prompt. A later comment appears after the move."""

ANSWER_SECONDS = 30.0

MAX_LISTED = 12


AFTER_END = {
    "again": ("again", "with the same players"),
    "harder": ("faster", "against a stronger opponent"),
    "easier": ("slower", "against a weaker opponent"),
    "swap": ("other_side", "from the other side"),
}


class MatchDialogue(Dialogue):
    """A match in text mode. `saved` is the ID and revision of a stored match."""

    def __init__(self, match: Match, services: Services, say: Say, saved: SavedAs | None = None) -> None:
        super().__init__(match.game, say)
        self.services = services
        self.threads = Threads()
        self.session = Session(match, services, self.threads, self.on_scene, self.on_notice, saved)
        self._heard: Scene | None = None
        self._boards: list[list[str]] = []
        self._notices: list[str] = []
        self._mistake: int | None = None
        self._judged: tuple[int, str] | None = None
        self._ended = False
        self.commands |= {
            "hint": Command("get help in three steps: where to look, which move, why", self.hint),
            "verdict": Command("show who wins, or how much the map can score", self.verdict),
            "values": Command("show the value of every move", self.values),
            "undo": Command("take back your last move", lambda: self.session.do("undo")),
            "redo": Command("redo the move that you took back", lambda: self.session.do("redo")),
            "played": Command("list the moves so far", self.tell_played),
            "other": Command("describe the other board of a race", self.tell_other),
            "box": Command("describe the matchbox that a machine opened last", self.tell_box),
            "review": Command("review a finished match", self.review),
            "coach": Command("set how much the coach says", self.coach, "quiet|mistakes|open"),
            "save": Command("save the match, or write it to a match file", self.save, "FILE"),
            "go": Command("let paused engines continue", self.go),
            "resign": Command("resign the match", lambda: self.do("resign")),
        }
        for word, (name, what) in AFTER_END.items():
            self.commands[word] = Command(f"start a new match {what}", partial(self.begin_another, name))
        if day_of(match) is not None:
            self.commands["result"] = Command("show your result with the map, for a chat", self.tell_result)

    @classmethod
    def last(cls, services: Services, say: Say) -> Self:
        """Return a dialogue that continues the last match.

        Raises InputError if there is no match to continue, or if another arcade is running.
        """
        if not services.alone:
            raise InputError(
                "Another arcade is already running. Close it, or name a game to start a new match."
            )
        saved = services.last_in_play()
        if saved is None:
            raise InputError("No unfinished match. Name a game, for example: arcade play chocobar:5x6.")
        match = Match.from_record(saved.record, services.machines)
        return cls(match, services, say, (saved.id, saved.revision))

    @property
    def match(self) -> Match:
        return self.session.match

    @property
    def scene(self) -> Scene:
        return self.session.scene

    @property
    def position(self) -> Position[Any]:
        return self.scene.board.position

    def begin(self) -> None:
        self.services.listen(self.on_notice)
        self.session.open()
        self.session.start()
        if self.scene.watched:
            self.session.do("pause")

    def end(self) -> None:
        self.session.stop()
        if self.session.saved is not None and not self.scene.finished and not self.services.unsaved:
            self.say("The match is saved. Run arcade play to continue it.")

    def on_notice(self, notice: Notice) -> None:
        self._notices.append(notice.text)

    def on_scene(self, scene: Scene) -> None:
        before, self._heard = self._heard, scene
        if before is None or (before.match_number != scene.match_number and not scene.shown):
            self._introduce(scene)
        elif before.played != scene.played or before.match_number != scene.match_number:
            self._tell_moves(before, scene)
        if scene.refusing and (before is None or not before.refusing):
            name = scene.refusing
            self._notices.append(f"The first box of {name} is empty, so {name} refuses to play.")
            self.commands["fresh"] = Command(f"give {name} fresh beads", partial(self.refresh, name))
        self._tell_mistake(scene)

    def _tell_moves(self, before: Scene, scene: Scene) -> None:
        told, played = before.played, scene.played
        if played[: len(told)] == told:
            for number in range(len(told), len(played)):
                self._tell_move(scene, number)
        else:
            self.say(f"The board is back to before move {len(played) + 1}.")
        for number, board in enumerate(scene.boards):
            described, now = self._boards[number], board.position.describe()
            self._boards[number] = now
            if board.human or scene.watched:
                self.tell(changes(described, now))

    def _introduce(self, scene: Scene) -> None:
        match, game = self.match, self.match.game
        self._mistake, self._judged, self._ended = None, None, False
        day = day_of(match)
        self.say(f"{match.title}.{'' if day is None else f' This is the daily map of {day}.'}")
        for player in scene.players if len(scene.players) > 1 else ():
            self.say(f"{player.name} {'are' if player.name == 'You' else 'is'} {player.side}.")
        self.say(game.teaching.goal or game.summary)
        self.say("Type a move, or help.")
        self._boards = [board.position.describe() for board in scene.boards]
        for move in scene.moves[: scene.shown]:
            self.say(move.sentence)
        self.tell(scene.board.position.describe())

    def _tell_move(self, scene: Scene, number: int) -> None:
        move = scene.moves[number]
        self.say(move.sentence)
        player, board = scene.players[move.seat], scene.boards[move.board]
        if board.points is not None and not player.human and not scene.watched:
            self.say(f"{player.side} has {spelled_quantity(board.points, 'point')}.")
        box = drawn_box(scene)
        if move.latest and box is not None and box.number == number:
            self.tell(box.sentences()[:1])

    def ask(self) -> None:
        session = self.session
        self.services.retry()
        session.failure = None
        self._wait(lambda: not self._engine_at_work or bool(session.failure))
        self._tell_notices()
        if self.scene.over:
            if not self._ended:
                self._ended = True
                self._tell_end()
            self.say("Type review, again or quit.")
            return
        self._ended = False
        self._let_coach_speak()
        self._tell_notices()
        scene = self.scene
        side = next(player.side for player in scene.players if player.to_move)
        if scene.refusing:
            self.say("Type fresh or quit.")
        elif scene.move_refusal is not None:
            self.say(f"{side} is paused. Type go to let it play.")
        elif sum(player.human for player in scene.players) > 1:
            self.say(f"{side} to move.")
        else:
            self.say("Your move.")

    @property
    def _engine_at_work(self) -> bool:
        scene = self.scene
        return scene.move_refusal is not None and not scene.finished and not scene.paused

    def _tell_notices(self) -> None:
        notices, self._notices = self._notices, []
        self.tell(notices)

    def _tell_end(self) -> None:
        match, end = self.match, self.scene.verdict
        assert isinstance(end, EndScene), "the match is over, and nothing is asked or tried out"
        self.say(end.result)
        for reward in self.session.state.rewards:
            self.tell(reward.box_sentences())
        day = day_of(match)
        if day is not None:
            self._look_back()
            self.say(f"Daily map of {day}: {score_of(match)}. Type result to share it in a chat.")
            self.tell(week_sentences(self.services.week(match.game, day)))
        offers, usual = dict(end.offers), self.usual
        if usual == "again":
            self.say("Press Enter for a rematch.")
        for word, (action, what) in AFTER_END.items():
            if action in offers and word != action:
                step = offers[action].removeprefix("next: ")
                typed = f"Press Enter or type {word}" if word == usual else f"Type {word}"
                self.say(f"{typed} to play {what}." if step == offers[action] else f"{typed} for {step}.")
        if "lesson" in offers:
            self.say(f"Type quit, then arcade learn {match.game.name} for a lesson on what you missed.")

    @property
    def usual(self) -> str:
        end = self.scene.verdict
        first = end.offers[0][0] if isinstance(end, EndScene) else ""
        return next((word for word, (action, _) in AFTER_END.items() if action == first), "")

    def _look_back(self) -> bool:
        """Wait for the review, which also finds the best score of a daily map.

        Returns False if the review is not ready in time.
        """
        self.session.judge()
        return self._wait(lambda: not self.session.busy, ANSWER_SECONDS)

    def tell_result(self) -> None:
        match, day = self.match, day_of(self.match)
        if day is None or not match.finished:
            self.say("Finish the map to see your result.")
        else:
            self.tell(chat_text(match, day, self.services.week(match.game, day)).splitlines())

    def _let_coach_speak(self) -> None:
        session, coach = self.session, self.services.settings.coach
        if coach is Coach.QUIET or self.scene.move_refusal is not None:
            return
        if coach is Coach.OPEN:
            self._wait(lambda: bool(self._verdict_words()) or not session.judging_now, COACH_SECONDS)
            said = self.scene.shown, self._verdict_words()
            if said[1] and said != self._judged:
                self.say(f"{said[1]}.")
                self._judged = said
            return
        self._wait(lambda: not self._coach_looks or not session.judging_now, COACH_SECONDS)
        self._tell_mistake(self.scene)

    def _verdict_words(self) -> str:
        verdict = self.scene.verdict
        return verdict.words if isinstance(verdict, VerdictScene | RaceVerdictScene) else ""

    @property
    def _coach_looks(self) -> bool:
        coach = self.scene.verdict
        return isinstance(coach, CoachScene) and coach.looking

    def _tell_mistake(self, scene: Scene) -> None:
        coach, told = scene.verdict, self._mistake
        if not isinstance(coach, CoachScene) or coach.looking:
            return
        if coach.mistake and coach.number != told:
            self.say(f"{coach.why} Type undo to take it back.")
        elif coach.returned_mistake and coach.number == told:
            self.say(coach.returned_mistake)
        self._mistake = coach.number if coach.mistake else None

    def _wait(self, enough: Callable[[], bool], most: float | None = None) -> bool:
        """Run the answers of jobs until `enough` returns True. Return False if `most` seconds pass first."""
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
        if self.scene.finished:
            self.say(f"{OVER} Type undo to continue from an earlier position in a new match.")
        elif self.scene.move_refusal is not None:
            self.say(NOT_YOUR_TURN)
        else:
            self.services.has_played(self.game.name)
            self.session.play(move)

    def misunderstood(self, text: str, error: ValueError) -> str:
        return (
            f"{OVER} Type help for the commands."
            if self.scene.finished
            else super().misunderstood(text, error)
        )

    def do(self, name: str, after_end: str = "") -> None:
        if self.scene.finished:
            self.say(f"{OVER} {after_end}".rstrip())
        else:
            self.session.do(name)

    def hint(self) -> None:
        self.do("hint", "Type review to look back.")
        self._wait(lambda: not self.session.state.hint_sought)
        hint = self.scene.hint
        if hint is None or self.scene.finished:
            return
        if hint.step == 1:
            self.say(f"{hint.where} Type hint again for the move.")
        elif hint.step == 2:
            self.say(f"{hint.advice.replace(hint.move, hint.line[0])} Type hint again for the reason.")
        else:
            self.say(hint.why)
            if hint.rule:
                self.say(hint.rule)
            if len(hint.line) > 1:
                self.say(f"{hint.line_title}: {' '.join(hint.line)}.")

    def _judge(self) -> None:
        session = self.session
        session.ask_verdict()
        limit = self.game.explanations.limits.verdict
        seconds = ANSWER_SECONDS if limit is None else limit
        self._wait(lambda: not session.judging_now, seconds)
        session.publish()

    def verdict(self) -> None:
        self._judge()
        words, verdict = self._verdict_words(), self.scene.verdict
        if not words:
            self.say(OVER if self.scene.finished else "No verdict yet. Ask again later.")
            return
        self.say(f"{words}.")
        if isinstance(verdict, VerdictScene | RaceVerdictScene) and verdict.proved:
            self.say(verdict.provenance)

    def values(self) -> None:
        self._judge()
        analysis = self.match.analysis(self.session.judged_position)
        if not analysis:
            self.say("There are no legal moves." if self.scene.over else "No values yet. Ask again later.")
            return
        mover = self.match.mover(self.session.judged_position, self.scene.main)
        who = subject(self.match, mover)
        plays = "you play" if who == "You" else f"{who} plays"
        groups: dict[str, list[str]] = {}
        for known in sorted(analysis, key=lambda known: known.verdict.preference, reverse=True):
            worth = known.verdict
            if isinstance(worth, ScoreVerdict):
                worth = replace(worth, score=None)
            words = verdict_words(self.match, worth, mover)
            groups.setdefault(words, []).append(str(known.move))
        for words, moves in list(groups.items())[:MAX_LISTED]:
            more = [f"{len(moves) - MAX_LISTED} more"] if len(moves) > MAX_LISTED else []
            self.say(f"{words} if {plays} {join_words(moves[:MAX_LISTED] + more, 'or')}.")
        if len(groups) > MAX_LISTED:
            self.say("Other moves are worse.")

    def tell_played(self) -> None:
        if not self.scene.shown:
            self.say("No moves have been played yet.")
        for move in self.scene.moves[: self.scene.shown]:
            mark = f" {capitalize(move.mark)}." if move.mark else ""
            comment = f" {move.comment}" if move.comment else ""
            self.say(f"Move {move.number}: {move.sentence}{mark}{comment}")

    def tell_other(self) -> None:
        if len(self.scene.boards) == 1:
            self.say("This match has only one board.")
            return
        for number, board in enumerate(self.scene.boards):
            if number != self.scene.main:
                self.say(f"{self.scene.players[number].side}:")
                self.tell(board.position.describe())

    def tell_box(self) -> None:
        box = drawn_box(self.scene)
        if box is None or box.draw is None:
            self.say("No machine has opened a matchbox in this match.")
        else:
            self.tell(box.sentences())

    def review(self) -> None:
        match = self.match
        if not match.finished:
            self.say("You can review the match when it is over.")
            return
        if not self._look_back():
            self.say("Some moves are not analysed yet. Ask again later.")
        result, turning, _ = end_sentences(match, full=True)
        self.tell(filter(None, [result, turning, *detail_sentences(match)]))
        wrong, scene = mistakes(match), self.scene
        steps = list(match.steps())
        for number in wrong:
            ply, position = steps[number]
            better = match.better_moves(position)[:MAX_LISTED]
            words = join_words(list(map(str, better)), "or")
            mark = ply.mark.value if ply.mark else ""
            better_ones = f"Better: {words}." if words else ""
            marked = f"Move {number + 1}: {scene.moves[number].sentence} {capitalize(mark)}."
            told = marked, reason_told(match, number), better_ones, rule_told(match, ply)
            self.say(" ".join(filter(None, told)))
        if not wrong:
            self.say("No mistakes found.")

    def coach(self, word: str) -> None:
        if word.lower() in list(Coach):
            self.services.change("coach", word.lower())
            self.session.apply_coach_setting()
        elif word:
            self.say(f"Unknown coach {word!r}. Choose from {join_words(list(Coach))}.")
        self.say(f"Coach: {self.services.settings.coach.summary}.")

    def save(self, name: str) -> None:
        if name:
            try:
                self.say(f"Wrote the match to {write_file(name, self.match.record())!r}.")
            except InputError as error:
                self.say(str(error))
            return
        self.session.save()
        if self.services.unsaved:
            self.say(f"Not saved yet: {self.services.unwritten} The arcade keeps trying.")
        elif self.session.saved is not None:
            self.say("The match is saved after every move.")
        elif not self.match.line:
            self.say("There are no moves to save yet.")
        elif self.match.imported:
            self.say("This match was played elsewhere, so it is not saved. Type save FILE to keep it.")
        else:
            self.say("The match could not be saved. Type save FILE to write it to a file.")

    def go(self) -> None:
        self.do("pause", "For a rematch, type again.")

    def begin_another(self, action: str) -> None:
        if action in self.scene.refusals:
            self.say(
                "That match is not available. Type help for the commands."
                if self.scene.finished
                else "You can do that when the match is over."
            )
            return
        self.session.do(action)
        self.session.resume()

    def refresh(self, name: str) -> None:
        self.commands.pop("fresh", None)
        try:
            self.services.machines.refresh(name)
        except InputError as error:
            self.say(str(error))
            return
        self.session.come_back(paused=False)
