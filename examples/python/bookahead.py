"""A machine that can be booked ahead, from Python: the C interface of bookahead by ctypes.

    >>> from bookahead import Book
    >>> book = Book(pes=4, slots=12)
    >>> first = book.book(ready=0, duration=6, deadline=12, pes=3)
    >>> first.start
    0
    >>> book.book(ready=0, duration=4, deadline=8, pes=2)
    Traceback (most recent call last):
    bookahead.Refused: no-room
    >>> book.ask(ready=0, duration=4, deadline=8, pes=2).later
    6
    >>> print(book.text())
      3 ............
      2 aaaaaa......
      1 aaaaaa......
      0 aaaaaa......
        0
    >>> book.alternatives(ready=0, duration=4, deadline=6, pes=2)
    [Alternative(start=6, ready=6, deadline=12)]

A function of the header that `Book` has no method for, here `bookahead_free_during`:

    >>> import ctypes
    >>> from bookahead import C, checked
    >>> free = ctypes.c_uint32()
    >>> checked(C.free_during(book.pointer, 0, 6, free))
    >>> free.value
    1

The library is the one that BOOKAHEAD_LIBRARY names, else the one that `kernel/capi/build` leaves in this repository, or in CARGO_TARGET_DIR where that is set.
"""

import ctypes
import os
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import NamedTuple

from interface import Interface, Whole

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Path(os.environ.get("BOOKAHEAD_LIBRARY") or ROOT / (os.environ.get("CARGO_TARGET_DIR") or "target/capi") / "capi/libbookahead_capi.so")
if not LIBRARY.is_file():
    raise OSError(f"no library at {LIBRARY}: run kernel/capi/build, or say in BOOKAHEAD_LIBRARY where it is")
C = Interface(LIBRARY, ROOT / "kernel/capi/include/bookahead.h")
POLICIES = [C.policy_name(policy).decode() for policy in C.enums["policy"]]
# The last slot that a book can be advanced to: a whole horizon still fits after it.
LAST_NOW = 2**64 - 2**32
# The least and the most that a book may have of each, if there is memory for it.
SIZES = {"pes": (1, 2**16 - 1), "slots": (1, 2**32 - 1), "reservations": (0, 2**32 - 2)}
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def features():
    """What the library was built with: some of journal, outages, placement, plan, quota, risk and units."""
    return list(C.features)


# What each alteration takes.
NEEDED = {"shift": ["start"], "extend": ["duration"], "shorten": ["duration"], "widen": ["pes"], "narrow": ["pes"], "change-window": ["ready", "deadline"]}


class BookError(Exception):
    """A call that has changed nothing. Its text is the permanent name of the reason, `code` the number, and `conflict` whoever is in the way, where the call says that."""

    def __init__(self, code, conflict=()):
        super().__init__((C.code_name(code) or b"unknown").decode())
        self.code = code
        self.conflict = list(conflict)


class Refused(BookError):
    """A valid request that cannot be met, such as `no-room`."""


class Misused(BookError):
    """A call that is not valid, or not in this state, such as `unknown-policy` or `stale-handle`."""


class Violated(BookError):
    """The memory of the book is damaged."""


class Booking(NamedTuple):
    """A reservation by its handle, and where it starts."""

    handle: int
    start: int


class Placement(NamedTuple):
    """Where a reservation is booked."""

    start: int
    duration: int
    pes: int


class Moved(NamedTuple):
    """A reservation that has another start now, or other PEs, where `before` is `start`: `Book.get` of its handle has in `named` which these are."""
    handle: int
    before: int
    start: int


class Alternative(NamedTuple):
    """A window in which a request could be booked, and where it would start."""

    start: int
    ready: int
    deadline: int


class Obstacle(NamedTuple):
    """Why a request cannot start in a slot: so many PEs are lacking in slot `at`, which `holders` cover."""

    start: int
    lacking: int
    at: int
    holders: list


class Explanation(NamedTuple):
    """Where a request fits: inside its window, before it, after it, each a slot or None. What is in the way of earlier starts."""

    fits: int | None
    earlier: int | None
    later: int | None
    obstacles: list


class Reservation(NamedTuple):
    """What the book knows of a reservation. `named` are its PEs: with late binding none before it starts."""

    handle: int
    start: int
    end: int
    pes: int
    ready: int
    deadline: int
    state: str
    named: list


class Event(NamedTuple):
    """What has happened to a reservation, such as `started`."""

    at: int
    handle: int
    kind: str


def checked(code, conflict=None, expected=None):
    """Raises what the code of a function of `C` means, with who is in the way and what would have been expected, if that is known."""
    if code == 0:
        return
    kinds = {0: Refused, 1: Misused, 2: Violated}
    listed = [handle.bits for handle in conflict.handles[:conflict.listed]] if conflict else []
    error = kinds.get(code // 64, Misused)(code, listed)
    if expected:
        error.add_note(expected)
    raise error


def number_of(from_name, what, name, names):
    """The number that a function of `C` gives for a name."""
    expected, number = f"expected one of {', '.join(names)}", ctypes.c_uint32()
    if not isinstance(name, str):
        raise TypeError(f"{what} {name!r}: {expected}")
    checked(from_name(name.encode(), number), expected=expected)
    return number.value


def struct(name, **fields):
    """A struct of the header. A number that its field cannot hold is an error, which ctypes would cut down to one that it can."""
    known = [field for field, _ in C.structs[f"bookahead_{name}"]._fields_]
    if unknown := sorted(fields.keys() - known):
        raise TypeError(f"{unknown[0]}: expected some of {', '.join(known)}")
    made = C.structs[f"bookahead_{name}"](**fields)
    for field, value in fields.items():
        if isinstance(value, int) and getattr(made, field) != value:
            raise ValueError(f"{field} {value}: expected a whole number from 0 to {2 ** (8 * getattr(type(made), field).size) - 1}")
    return made


def named(handle):
    """A handle, or the one of a `Booking`, as the header has it."""
    return struct("handle", bits=handle.handle if isinstance(handle, Booking) else handle)


class Book:
    """A book of so many PEs, looking so many slots ahead, for so many reservations, in memory of its own. It begins at slot 0.

    With early binding a reservation has named PEs from the beginning, with late binding it is promised a number and gets them when it starts. A book with `classes`, from a library with
    placement, binds early too, and `book`, `ask` and `alternatives` can say `among` which PEs: at most so many different lists of them at a time (a list by which nothing is booked gives way). Of those that will do, the lowest numbers are taken, so give
    the PEs that only some requests will do with the highest. Methods that
    change the book raise `Refused` or `Misused`, and have changed nothing then; a number that no slot or PE can have is a `ValueError`, a `TypeError` or a `ctypes.ArgumentError`. A handle is a number to be kept, a `Booking` does as well; a stale one is noticed.
    `pointer` is the book for functions of `C`.
    """

    def __init__(self, pes, slots, reservations=64, binding="early", classes=0):
        if binding not in ("early", "late"):
            raise ValueError(f"binding {binding!r}: expected early or late")
        kind = C.enums["binding"][binding.upper()]
        if classes and binding == "late":
            raise ValueError("classes and late binding: expected one of them")
        for name, alone in {"pes": (pes, 1, 1), "slots": (1, slots, 1), "reservations": (1, 1, reservations)}.items():
            if not C.bytes(kind, *alone):
                checked(C.enums["code"].SIZE_OUT_OF_RANGE, expected="{}: expected from {} to {}".format(name, *SIZES[name]))
        if classes:
            # Nodes of a single PE.
            self._placed([1], pes, slots, reservations, classes)
            self._only_lists = True
            return
        self._open((ctypes.c_uint64 * (C.bytes(kind, pes, slots, reservations) // 8))(), lambda memory, length, book: C.init(
            memory, length, kind, pes, slots, reservations, book))

    @classmethod
    def of_kinds(cls, kinds, groups, slots, reservations=64, classes=16):
        """A book of a machine of so many groups (nodes, or one laboratory), each with so many PEs of each kind, such as [12, 5] for instruments and licences; from a library with placement.

        PEs are numbered kind after kind. What a request asks of kinds and groups, `bookahead.C.class_add` and `ask_class` say.
        """
        book = cls.__new__(cls)
        book._placed(kinds, groups, slots, reservations, classes)
        return book

    def _placed(self, kinds, groups, slots, reservations, classes):
        init, binding, kinds = C.layout_init, C.enums["binding"].PLACED, Whole(ctypes.c_uint8).array(kinds)
        layout = struct("layout", kinds=kinds, kind_count=len(kinds), groups=groups)
        self._open((ctypes.c_uint64 * (C.layout_bytes(binding, layout, slots, reservations, classes, 0) // 8))(), lambda memory, length, book: init(
            memory, length, binding, layout, slots, reservations, classes, 0, book))

    def _open(self, memory, make):
        self._memory, self.pointer = memory, ctypes.c_void_p()
        # The numbers of the classes that are lists of PEs, and whether all classes are.
        self._lists, self._only_lists, self._asked = set(), False, 0
        checked(make(memory, ctypes.sizeof(memory), ctypes.byref(self.pointer)))

    @contextmanager
    def _asking(self, among):
        """Lets the calls inside ask for PEs of a list only, or for any."""
        if among is None:
            yield
            return
        add, words = C.class_add, (ctypes.c_uint32 * -(-self._status().pes // 32))()
        for pe in among:
            if not 0 <= pe < self._status().pes:
                raise ValueError(f"among {pe}: expected PEs from 0 to {self._status().pes - 1}")
            words[pe // 32] |= 1 << pe % 32
        number, fault = ctypes.c_uint32(), ctypes.c_uint32()
        wanted = struct("class", pes=words, word_count=len(words), eligible=C.enums["eligible"].PES)
        added = add(self.pointer, wanted, number, fault)
        if fault.value == C.enums["class_fault"].CLASSES_FULL and self._forget_lists():
            added = add(self.pointer, wanted, number, fault)
        try:
            checked(added)
        except Misused as error:
            if error.code == C.enums["code"].BAD_CLASS:
                error.add_note(f"among: {C.class_fault_name(fault).decode()}")
            raise
        self._lists.add(number.value)
        checked(C.class_ask(self.pointer, number))
        try:
            yield
        finally:
            checked(C.class_ask(self.pointer, self._asked))

    def ask_class(self, number):
        """Lets what is asked from now on ask for the class that `C.class_add` has given this number, or for any PEs with 0; where a call says `among`, only that counts. A book that is restored asks for any PEs."""
        checked(C.class_ask(self.pointer, number))
        self._asked = getattr(number, "value", number)

    def _forget_lists(self):
        """Drops the lists of PEs by which nothing is booked, and returns whether there were any."""
        unused = self._lists and self._lists - self._classes_in_use() - {self._asked}
        for number in unused:
            checked(C.class_drop(self.pointer, number))
        self._lists -= unused
        return bool(unused)

    def _classes_in_use(self):
        """The numbers of the classes by which something is booked; 0 for any PEs."""
        number, used = ctypes.c_uint32(), set()
        for one in self.reservations():
            checked(C.class_of(self.pointer, named(one.handle), number))
            used.add(number.value)
        return used

    def copy(self):
        """The same book once more, for a trial. O(memory)."""
        other = Book.__new__(Book)
        other._open(type(self._memory).from_buffer_copy(self._memory), C.open)
        other._lists, other._only_lists, other._asked = set(self._lists), self._only_lists, self._asked
        return other

    def save(self):
        """The book as bytes, for `restore`; from a library with journal. Lists of PEs by which nothing is booked are not among them. O(reservations x PEs)."""
        self._forget_lists()
        length = ctypes.c_size_t()
        C.snapshot_write(self.pointer, None, 0, length)
        saved = ctypes.create_string_buffer(length.value)
        checked(C.snapshot_write(self.pointer, saved, length, length))
        return saved.raw

    def restore(self, saved):
        """Makes a new book of the same PEs, slots and binding what another was when it was saved, with the same handles.

        In a book `of_kinds`, lists by which something is booked are classes from then on, which do not give way until they are asked for again. What `ask_class` said is not saved: say it again.
        Raises `Misused`: not-new, other-book, wrong-sum, incomplete, no-snapshot, unknown-version; `Violated` for what no book can be.
        """
        # Not of a `str`, whose characters are no bytes.
        saved = bytes(memoryview(saved))
        checked(C.snapshot_read(self.pointer, saved, len(saved), ctypes.c_size_t()))
        if self._only_lists:
            self._lists = self._classes_in_use() - {0}

    def _status(self):
        status = struct("status")
        checked(C.status(self.pointer, status))
        return status

    @property
    def now(self):
        """The current slot."""
        return self._status().now

    def __len__(self):
        return self._status().reservations

    def book(self, ready, duration, deadline, pes, policy="first-fit", flexible=False, hold=None, among=None):
        """Reserves and returns a `Booking`. The policy is one of `POLICIES`. `among` lists the PEs that will do, in a book with classes. A flexible reservation may be moved by `juggle`, inside its window; a hold lasts so many slots, and not beyond its start, unless it is confirmed.

        Costs a search of the window. `ask` says who is in the way of one that is refused. Raises `Refused`: no-room, too-wide, window-too-short, beyond-horizon, ready-in-past, table-full, too-long.
        """
        if flexible and hold is not None:
            raise ValueError("flexible and hold: expected one of them")
        kinds = C.enums["commitment_kind"]
        kind = kinds.FLEXIBLE if flexible else kinds.HELD if hold is not None else kinds.CONFIRMED
        number, booking = number_of(C.policy_from_name, "policy", policy, POLICIES), struct("booking")
        request = struct("request", ready=ready, duration=duration, deadline=deadline, pes=pes)
        with self._asking(among):
            checked(C.reserve(self.pointer, request, number, struct("commitment", kind=kind, ttl=hold or 0), booking))
        return Booking(booking.handle.bits, booking.start)

    def juggle(self, ready, duration, deadline, pes, flexible=False, among=None):
        """Reserves as `book` does by first fit, and moves flexible reservations that have not started inside their own windows where that is necessary. Returns the `Booking`, and a `Moved` for each that has another start or other PEs now, to tell its owner.

        Costs a search for each reservation that waits. Raises what `book` raises.
        """
        kinds, waiting = C.enums["commitment_kind"], len(self)
        commitment = struct("commitment", kind=kinds.FLEXIBLE if flexible else kinds.CONFIRMED)
        request = struct("request", ready=ready, duration=duration, deadline=deadline, pes=pes)
        rules = struct("juggling", admission=C.enums["admission"].PLAIN_FIRST, max_moves=2**32 - 1, work=2**64 - 1)
        moves, juggled = (C.structs["bookahead_move"] * (waiting + 1))(), struct("juggled")
        workspace = self._workspace(waiting + 1, waiting)
        with self._asking(among):
            checked(C.juggle(self.pointer, request, commitment, rules, workspace, C.enums["ending"].COMMIT, moves, waiting + 1, juggled))
        booking = Booking(juggled.booking.handle.bits, juggled.booking.start)
        moved = [Moved(one.handle.bits, getattr(one, "from").start, one.to.start) for one in moves[:juggled.moves]]
        return booking, [one for one in moved if one.handle != booking.handle]

    def ask(self, ready, duration, deadline, pes, most=8, among=None):
        """Where such a request would fit, and what is in the way of at most `most` earlier starts. Changes nothing."""
        obstacles, count, told = (C.structs["bookahead_obstacle"] * most)(), ctypes.c_size_t(), struct("explanation")
        request = struct("request", ready=ready, duration=duration, deadline=deadline, pes=pes)
        with self._asking(among):
            checked(C.explain(self.pointer, request, obstacles, most, count, told))
        slot = [None if found == 2**64 - 1 else found for found in (told.fits, told.earlier, told.later)]
        listed = [Obstacle(one.start, one.lacking, one.at, [handle.bits for handle in one.holders.handles[:one.holders.listed]])
                  for one in obstacles[:count.value]]
        return Explanation(*slot, listed)

    def alternatives(self, ready, duration, deadline, pes, most=8, among=None):
        """The nearest windows of the same length, just before or behind those in the way, in which `book` accepts a request for which there is no room, as `Alternative`s. Several may have the same start, with windows that reach further. Where none of these does, `later` of `ask` may. Changes nothing. Costs a search of each window.

        Raises what `book` raises, but for no-room.
        """
        found, count = (C.structs["bookahead_alternative"] * most)(), ctypes.c_size_t()
        request = struct("request", ready=ready, duration=duration, deadline=deadline, pes=pes)
        # In this order nobody comes behind the newcomer, and so nobody is moved.
        rules = struct("juggling", order=C.enums["order"].FIFO, work=2**64 - 1)
        wanted = struct("suggesting", behind=C.enums["behind"].END, max_percent=2**32 - 1)
        with self._asking(among):
            checked(C.alternatives(self.pointer, request, None, rules, wanted, self._workspace(), found, most, count, struct("suggested")))
        return [Alternative(one.start, one.request.ready, one.request.deadline) for one in found[:count.value]]

    def _workspace(self, entries=1, waiting=0):
        """Memory for a call that touches so many reservations, of which so many wait while others are arranged anew."""
        status, length = self._status(), ctypes.c_size_t()
        if status.binding in (C.enums["binding"].EARLY, C.enums["binding"].LATE):
            length.value = C.workspace_bytes(status.binding, status.pes, entries, waiting)
        else:
            checked(C.layout_workspace_bytes(self.pointer, entries, waiting, length))
        entry = (ctypes.c_uint64 * (length.value // 8))()
        lent = struct("workspace", memory=ctypes.addressof(entry), length=ctypes.sizeof(entry), waiting=waiting)
        lent.entry = entry  # Which lives as long.
        return lent

    def alter(self, handle, kind, **change):
        """Alters a reservation and returns its `Placement`: kind `shift` (start), `extend` or `shorten` (duration), `widen` or `narrow` (pes), `change-window` (ready, deadline).

        Raises `Refused`, with whoever is in the way in `conflict` where there is no room: with early binding and classes all that have something in that time, whichever PEs; and `Misused`.
        """
        if change.keys() != set(NEEDED.get(kind, change)):
            raise TypeError(f"{kind} with {', '.join(change) or 'nothing'}: expected {', '.join(NEEDED[kind])}")
        alteration = struct("alteration", kind=number_of(C.alteration_from_name, "kind", kind, NEEDED), **change)
        place, conflict = struct("placement"), struct("conflict")
        checked(C.alter(self.pointer, named(handle), alteration, self._workspace(), place, conflict), conflict)
        return Placement(place.start, place.duration, place.pes)

    def confirm(self, handle):
        """Turns a hold into a reservation."""
        checked(C.confirm(self.pointer, named(handle)))

    def cancel(self, handle):
        """Gives a reservation up."""
        checked(C.cancel(self.pointer, named(handle)))

    def complete(self, handle, at):
        """Says in which slot a running job ends, not after its booked end."""
        checked(C.complete(self.pointer, named(handle), at))

    def advance(self, to):
        """Lets time pass to a slot, from one event to the next, so that nothing is missed, and returns what happens: `Event`s in order of time.

        Raises `Misused`: time-went-back, end-of-time.
        """
        # Before the first step, since what has happened by a later one would be lost with the error.
        to = Whole(ctypes.c_uint64).from_param(to).value
        if to > LAST_NOW:
            checked(C.enums["code"].END_OF_TIME)
        happened, event, has, due = [], struct("event"), ctypes.c_bool(), ctypes.c_uint64()
        while True:
            code = C.next_event(self.pointer, due)
            if code != C.enums["code"].NOTHING_DUE:
                checked(code)
            # What is due by then comes first, what starts now too.
            leap = to if code else min(to, max(due.value, self.now))
            checked(C.next(self.pointer, leap, event, has))
            if has.value:
                happened.append(Event(event.at, event.handle.bits, C.event_name(event.kind).decode()))
            elif leap == to:
                return happened

    def _listed(self, call, kind):
        """All that a call lists, a piece at a time."""
        found, piece, count = [], (kind * 256)(), ctypes.c_size_t(256)
        while count.value == 256:
            checked(call(len(found), piece, 256, count))
            found += piece[:count.value]
        return found

    def get(self, handle):
        """What the book knows of a live reservation."""
        one, name = struct("reservation"), named(handle)
        checked(C.get(self.pointer, name, one))
        pes = self._listed(lambda *rest: C.pes_of(self.pointer, name, *rest), ctypes.c_uint16)
        request = one.request
        return Reservation(name.bits, one.start, one.end, request.pes, request.ready, request.deadline, C.state_name(one.state).decode(), pes)

    def reservations(self):
        """All live reservations, by start."""
        handles = self._listed(lambda *rest: C.reservations(self.pointer, *rest), C.structs["bookahead_handle"])
        return [self.get(handle.bits) for handle in handles]

    def check(self):
        """Raises `Violated` if the memory of the book is damaged."""
        checked(C.check_invariants(self.pointer))

    def rectangles(self):
        """What is to be drawn: reservation, first slot, end, lowest row and number of rows. Early binding draws named PEs, late binding piles numbers up."""
        status, found, busy = self._status(), [], {}
        early = status.binding != C.enums["binding"].LATE
        for one in self.reservations():
            if early:
                firsts = [pe for pe in one.named if pe - 1 not in one.named]
                lasts = [pe for pe in one.named if pe + 1 not in one.named]
                found += [(one, one.start, one.end, first, last - first + 1) for first, last in zip(firsts, lasts)]
                continue
            for slot in range(max(one.start, status.now), one.end):
                row = busy.get(slot, 0)
                busy[slot] = row + one.pes
                if found and found[-1][0] is one and found[-1][2:4] == (slot, row):
                    found[-1] = (one, found[-1][1], slot + 1, row, one.pes)
                else:
                    found.append((one, slot, slot + 1, row, one.pes))
        return found

    def text(self):
        """The schedule from now on as text: a row for each PE, a column for each slot, a letter for each reservation."""
        status = self._status()
        rows = [["."] * status.horizon for _ in range(status.pes)]
        letters = {one.handle: LETTERS[nth % len(LETTERS)] for nth, one in enumerate(self.reservations())}
        for one, start, end, row, height in self.rectangles():
            for line in rows[row:row + height]:
                for slot in range(max(start, status.now), end):
                    line[slot - status.now] = letters[one.handle]
        lines = [f"{number:3} {''.join(row)}" for number, row in reversed(list(enumerate(rows)))]
        return "\n".join([*lines, f"    {status.now}"])

    def svg(self, width=720, height=240):
        """The schedule from now on as a drawing, which notebooks show."""
        status = self._status()
        across, up = (width - 30) / status.horizon, (height - 20) / status.pes
        parts = [f'<rect x="30" y="0" width="{width - 30}" height="{height - 20}" fill="none" stroke="#999"/>']
        order = {one.handle: nth for nth, one in enumerate(self.reservations())}
        for one, start, end, row, rows in self.rectangles():
            start = max(start, status.now)
            x, y = 30 + (start - status.now) * across, (status.pes - row - rows) * up
            title = escape(f"slots {one.start} to {one.end - 1}, {one.pes} PEs, {one.state}")
            parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{(end - start) * across:.1f}" height="{rows * up:.1f}" '
                         f'fill="hsl({(order[one.handle] * 137 + 205) % 360} 60% 74%)" stroke="#333"><title>{title}</title></rect>')
        for slot in range(0, status.horizon + 1, max(1, status.horizon // 8)):
            parts.append(f'<text x="{30 + slot * across:.1f}" y="{height - 5}" font-size="11" text-anchor="middle">{status.now + slot}</text>')
        label = "the PEs of each reservation" if status.binding != C.enums["binding"].LATE else "how many PEs are taken"
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" '
                f'role="img" aria-label="Schedule: {label}">{"".join(parts)}</svg>')

    _repr_svg_ = svg
