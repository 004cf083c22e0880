"""A PettingZoo environment for any duel, to train agents on games with known solutions.

Requires the extra `pettingzoo`: pip install 'solver-arcade[pettingzoo]'.

    import arcade
    from arcade.adapters import pettingzoo

    env = pettingzoo.env("hexapawn:4x4")
    env.reset()
    print(arcade.verdict(env.unwrapped.position))
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.engines.files import InputError
from arcade.engines.position import Position
from arcade.engines.registry import parse_game_id
from arcade.play.match import min_players

try:
    import gymnasium
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ModuleNotFoundError:
    raise ImportError("This adapter needs more packages: pip install 'solver-arcade[pettingzoo]'.") from None

AGENTS = ("player_0", "player_1")


class ArcadeEnv(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """A duel as an `AECEnv` with the agents "player_0" and "player_1".

    An action is an index into `moves`, the list of all moves that can ever be legal. An observation is a
    dictionary of two arrays:

    * `observation`: int16, shape (number of features,), not negative; see `Encoding.features`
    * `action_mask`: int8, shape (number of moves,); 1 for each move that the agent can play now. All entries
      are 0 for the agent that is not to move

    At the end, the winner's reward is 1 and the loser's -1; a tie gives 0. An illegal action loses the game.

    Args:
        game_id: the duel and its first position, for example "hexapawn:4x4"
        render_mode: "ansi" (`render` returns text), "human" (each step prints the board) or None

    Raises:
        InputError: the game ID is invalid or does not name a duel
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo declares it as an instance variable
        "name": "arcade",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
    }

    def __init__(self, game_id: str, render_mode: str | None = None) -> None:
        super().__init__()
        parsed = parse_game_id(game_id)
        if min_players(parsed.game) < len(AGENTS):
            raise InputError(f"{parsed.game.title} is not a duel: expected a game for two players.")
        self.game = parsed.game
        self.start: Position[Any] = parsed.start()
        self.position = self.start
        """The current position, for `arcade.verdict` or `arcade.moves`."""
        self.moves = list(self.game.encoding.all_moves(self.start))
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._number = {move: number for number, move in enumerate(self.moves)}
        features, most = len(self.game.encoding.features(self.start, self.start)), np.iinfo(np.int16).max
        space = spaces.Dict(
            {
                "observation": spaces.Box(0, most, (features,), np.int16),
                "action_mask": spaces.Box(0, 1, (len(self.moves),), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(AGENTS, space)
        self.action_spaces = {agent: spaces.Discrete(len(self.moves)) for agent in AGENTS}

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.position = self.start
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.position.turn]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        mask = np.zeros(len(self.moves), np.int8)
        if agent == self.agent_selection:
            mask[[self._number[move] for move in self.position.moves()]] = 1
        seen = np.array(self.game.encoding.features(self.position, self.start), np.int16)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        winner = self._play(action)
        if winner is not None or self.position.outcome() is not None:
            self.terminations = dict.fromkeys(AGENTS, True)
            for seat, name in enumerate(AGENTS):
                self.rewards[name] = 0.0 if winner is None else 1.0 if seat == winner else -1.0
        self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _play(self, action: int | None) -> int | None:
        turn = self.position.turn
        legal = {self._number[move] for move in self.position.moves()}
        if action is None or int(action) not in legal:
            return 1 - turn
        self.position = self.position.play(self.moves[int(action)])
        outcome = self.position.outcome()
        return None if outcome is None else outcome.winner

    def render(self) -> str | None:
        if self.render_mode == "human":
            print(self.position, end="\n\n")  # noqa: T201 - PettingZoo asks for it
            return None
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass


def env(game_id: str, render_mode: str | None = None) -> ArcadeEnv:
    """Return an environment. See `ArcadeEnv` for the arguments and errors."""
    return ArcadeEnv(game_id, render_mode)
