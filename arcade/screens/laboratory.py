"""The laboratory."""

from arcade.screens.base import ArcadeScreen


class LaboratoryScreen(ArcadeScreen):
    """Not open yet."""

    def __init__(self, game: str, name: str | None = None) -> None:
        super().__init__()
