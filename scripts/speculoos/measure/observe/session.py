"""One observation: reads at regular moments, and keeps what it saw."""

import time
from collections.abc import Iterator

from speculoos import __version__
from speculoos.measure.observe.address import Address, SilentError
from speculoos.measure.observe.lives import Back, Gained, Happened, Lives
from speculoos.record.types import Observation, Settings, Silence, Window
from speculoos.record.usage import MOST_WINDOWS, thinned

_WHILE_SILENT_S = 1.0


class Session:
    """From the first reading on; `look` may be called at any moment."""

    def __init__(self, address: Address, every_s: float) -> None:
        self.address, self.every_s = address, every_s
        self.lives = Lives()
        self.windows: list[Window] = []
        self.silences: list[Silence] = []
        self.began = time.monotonic()

    @property
    def now_s(self) -> float:
        """Seconds since the beginning."""
        return round(time.monotonic() - self.began, 2)

    def events(self, for_s: float) -> Iterator[Happened]:
        """What happens until the time is over; raises `SeveralServersError`."""
        yield from self.look()
        while (left := for_s - self.now_s) > 0:
            time.sleep(min(left, self._pause()))
            yield from self.look()

    def look(self) -> Iterator[Happened]:
        """Read once, now."""
        for event in self._read():
            self._keep(event)
            yield event

    def observation(
        self, settings: Settings | None, slots: int | None, command: str
    ) -> Observation:
        """All that was seen so far."""
        last = self.lives.last
        open_end = [Silence(from_s=self.lives.last_s)] if self.lives.silent and last else []
        return Observation(
            by="metrics",
            settings=settings,
            slots=slots,
            every_s=self.every_s,
            watched_s=self.now_s,
            windows=thinned(self.windows),
            silences=(*self.silences, *open_end),
            rounding=self.lives.rounding,
            running_at_end=last.running if last and not self.lives.silent else None,
            tool_version=__version__,
            command=command,
        )

    def _pause(self) -> float:
        """Until the next of the regular moments; a silent server is asked more often."""
        rest = self.every_s - self.now_s % self.every_s
        return min(rest, _WHILE_SILENT_S) if self.lives.silent else rest

    def _read(self) -> Iterator[Happened]:
        try:
            page = self.address.page()
        except SilentError as error:
            yield from self.lives.failed(self.now_s, str(error))
        else:
            yield from self.lives.answered(self.now_s, page)

    def _keep(self, event: Happened) -> None:
        if isinstance(event, Gained):
            self.windows.append(event.window)
            if len(self.windows) > 2 * MOST_WINDOWS:  # bounded, however long it watches
                self.windows = list(thinned(self.windows))
        elif isinstance(event, Back):
            self.silences.append(event.silence)
