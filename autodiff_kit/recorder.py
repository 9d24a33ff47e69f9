"""Layer 2: what a tape writes down.

One idea: while its block is open, a tape has a place for every value that depends on something it
watches, and a record of the operation that made it. The operations write the records themselves (see
`operation.run`); what else happens in the block is noted beside them, for `explain`.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, NoReturn

from autodiff_kit.forms import form_of
from autodiff_kit.keywords import quiet, refusal
from autodiff_kit.lines import LEARNER, Origin, beyond_libraries, learners, tick, user_frame
from autodiff_kit.operation import LEAF
from autodiff_kit.operators import CLASSES
from autodiff_kit.tensor import NOTHING, SHARED, Tensor, record_on, recording
from autodiff_kit.watchable import watchable

_getframe: Any = sys._getframe
_TAKING = Lock()
SPENT = (
    "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
)


class Home(weakref.ref["Recorder"]):
    """The note that a tape leaves on its tensors: it leads to the tape, but does not keep it alive."""

    __slots__ = ()


class Recorder:
    """The half of a `GradientTape` that watches and records."""

    # As long as nothing else has happened.
    _recording = False  # whether its block is open and not paused
    _used = False  # whether a plain tape has answered its one question
    released = False  # whether its records are gone, because the gradients were sound
    spent = False  # whether the way back uses up the records as it goes, because they are large
    largest = 0  # elements of the largest tensor or variable watched
    former_homes: tuple[Home, ...] = ()  # before `reset`, so that `explain` knows whose those were
    # For `explain`: the targets, the sources, and what tells whether the gradients are sound.
    answered: tuple[Any, ...] = ()

    @quiet
    def __init__(
        self, persistent: bool = False, watch_accessed_variables: bool = True, **theirs: NoReturn
    ) -> None:
        if theirs:
            raise refusal(Recorder.__init__, *next(iter(theirs.items())))
        self.persistent = bool(persistent)
        self.watches_variables = bool(watch_accessed_variables)
        # What else happened, for `explain` too: what, place, time, code, instruction, subject.
        self.events: list[tuple[Any, ...]] = []
        self._begin()

    __init__.__qualname__ = "GradientTape.__init__"  # what an error names is what was called

    def _begin(self) -> None:
        self.home = Home(self)
        self.records: list[Any] = []
        self.aliases: dict[Tensor, int] = {}  # places of tensors whose home is another tape
        self.outsiders: list[Origin] = []  # see `outside` and `origin_of`
        self.variables: dict[Any, list[int]] = {}  # places of each watched variable's values

    def _forget(self) -> None:
        self.released, self.spent, self.answered = False, False, ()
        self._begin()

    def _release(self, targets: list[Any], sources: list[Any], healthy: Callable[[], bool]) -> None:
        """Free what the way back needed; a sick gradient keeps it, so that `explain` can look."""
        self.records, self.aliases, self.outsiders = [], {}, []
        self.released, self.answered = True, (targets, sources, healthy)

    def _ready(self) -> None:
        """Make sure that a block of this tape can begin."""
        if self._recording:
            raise ValueError(
                "Tape is still recording, This can happen if you try to re-enter an "
                "already-active tape."
            )
        if self._used:  # a plain tape that has answered begins anew
            self._used = False
            self.events = []
            self._forget()

    def _stop(self) -> None:
        tapes = recording()
        if tapes and tapes[-1] is self:
            record_on(tapes[:-1])
        else:  # blocks that overlap, or one that is left by another thread
            record_on(tuple([tape for tape in tapes if tape is not self]))
        self._recording = False

    def _note(self, kind: str, frame: Any, subject: Any = None) -> Any:
        """Note an event on the line of the learner's that a frame was called from; its frame."""
        code = frame.f_code
        if code is not LEARNER.code:
            frame = learners(frame)
            code = frame.f_code
        self.events.append((kind, len(self.records), tick(), code, frame.f_lasti, subject))
        return frame

    def find(self, tensor: Tensor) -> int:
        """The place of a tensor on this tape, or -1 if it is not tracked."""
        if tensor._home is self.home:
            return tensor._index
        return self.aliases.get(tensor, -1)

    def outside(self, tensor: Tensor) -> int:
        """For an input that is not tracked a negative number, below -1 if it leads to its origin."""
        if type(tensor._home) is not tuple:
            return -1
        self.outsiders.append(tensor._home)
        return -1 - len(self.outsiders)

    def origin_of(self, place: int) -> Origin | None:
        """Where an input comes from whose place in a record is negative, as far as it is known."""
        return self.outsiders[-2 - place] if place < -1 else None

    def left(self, tensor: Tensor, how: str) -> None:
        """Note that a value left the tensors; what is computed from it elsewhere is unknown here."""
        self._note(how, beyond_libraries(_getframe(1)), self.find(tensor))

    def assigned(self, variable: Any, value: Tensor) -> None:
        """Note that a variable is given a new value; no gradient flows from one to the other."""
        self._note("assign", _getframe(1), (variable, self.find(value)))

    def stepped(self, variable: Any, gradient: Tensor) -> None:
        """Note that an optimizer moves a variable; no gradient flows from it to its gradient."""
        self._note("step", _getframe(1), (variable, self.find(gradient)))

    def watch(self, tensor: Any) -> None:
        """Track a tensor or a variable, or several in nested lists, tuples or dicts.

        Args:
          tensor: tensors or variables with a floating dtype; others are warned about.

        Raises:
          ValueError: for anything else; then nothing is watched.

        Source: https://www.tensorflow.org/api_docs/python/tf/GradientTape#watch

        >>> import autodiff_kit as ad
        >>> x = ad.constant(3.0)
        >>> with ad.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> tape.gradient(y, x)
        <Tensor: shape=(), dtype=float32, numpy=6.0>
        """
        if self._used:
            raise RuntimeError(SPENT)
        watched = tensor if type(tensor) is list else [tensor]
        for one in watched:
            held = one if type(one) is Tensor else one._tensor if type(one) in CLASSES else None
            if held is None or (held._form or form_of(held)).kind != "f":
                watched = watchable(tensor)
                break
        frame = _getframe(1)
        if frame.f_code is not LEARNER.code:
            frame = learners(frame)
        for one in watched:
            if type(one) is Tensor:
                self.watch_value(one, frame)
            else:
                self.watch_variable(one, frame)

    def watch_variable(self, variable: Any, frame: Any = None) -> int:
        """Track the variable's present value, and list it among the watched variables."""
        place = self.watch_value(variable._tensor, frame or user_frame(), variable)
        places = self.variables.get(variable)
        if places is None:
            self.variables[variable] = [place] if place >= 0 else []
        elif place >= 0 and place not in places:
            places.append(place)
        return place

    def watch_value(self, tensor: Tensor, frame: Any, variable: Any = None) -> int:
        """Give a tensor a place of its own on this tape, if it has none and can have a gradient.

        Returns:
          The place, or -1 for a tensor that is not floating.
        """
        form = tensor._form or form_of(tensor)
        place = tensor._index if tensor._home is self.home else self.aliases.get(tensor, -1)
        if place >= 0 or form.kind != "f":
            return place
        if form.size > self.largest:
            self.largest = form.size
        records = self.records
        place = len(records)
        with _TAKING:  # a tape of another thread may watch the same tensor just now
            home = tensor._home
            if home is SHARED or type(home) is Home and home() is not None:
                self.aliases[tensor] = place  # the note of another tape is on it
            else:
                tensor._home, tensor._index = self.home, place
        origin = home if type(home) is tuple else None
        attrs = {"variable": variable, "origin": origin, "time": tick()}
        records.append(
            (LEAF, -1, -1, NOTHING, NOTHING, NOTHING, attrs, frame.f_code, frame.f_lasti)
        )
        return place

    def watched_variables(self) -> tuple[Any, ...]:
        """The watched variables, in the order in which they were made.

        Source: https://www.tensorflow.org/api_docs/python/tf/GradientTape#watched_variables

        >>> import autodiff_kit as ad
        >>> x = ad.Variable(3.0, name="x")
        >>> with ad.GradientTape() as tape:
        ...     y = x * x
        >>> [v.name for v in tape.watched_variables()]
        ['x:0']
        """
        return tuple(sorted(self.variables, key=lambda variable: variable._number))

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Pause inside the tape's block: what is computed meanwhile is not recorded.

        Raises:
          RuntimeError: if the tape never recorded, or `gradient` has used it up.
          ValueError: if it is not recording now.

        Source: https://www.tensorflow.org/api_docs/python/tf/GradientTape#stop_recording

        >>> import autodiff_kit as ad
        >>> x = ad.Variable(3.0)
        >>> with ad.GradientTape(persistent=True) as tape:
        ...     y = x * x
        ...     with tape.stop_recording():
        ...         z = x * x
        >>> tape.gradient(z, x) is None
        True
        """
        if not self._recording:
            if self._used or not self.events:
                raise RuntimeError("Trying to stop recording a tape which is not recording.")
            raise ValueError("Tape is not recording.")
        self._stop()
        self._note("stop", _getframe(1))
        try:
            yield
        finally:
            self._ready()
            self._note("resume", _getframe(1))
            record_on((*recording(), self))
            self._recording = True

    def reset(self) -> None:
        """Forget everything recorded so far, as if the block began here.

        Raises:
          ValueError: if the tape is not recording.

        Source: https://www.tensorflow.org/api_docs/python/tf/GradientTape#reset

        >>> import autodiff_kit as ad
        >>> x = ad.Variable(3.0)
        >>> with ad.GradientTape() as tape:
        ...     y = x * x
        ...     tape.reset()
        ...     z = 2.0 * x
        >>> tape.gradient([y, z], x)
        <Tensor: shape=(), dtype=float32, numpy=2.0>
        """
        if not self._recording:
            raise ValueError("Tape is not recording.")
        self.former_homes += (self.home,)
        self._forget()
        self._note("reset", _getframe(1))
