"""What the module promises, and the layouts of structs beside those of a C compiler. `examples/python/test` runs it for libraries with and without features."""

import ctypes
import doctest
import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

import bookahead
from bookahead import Book, Misused, Refused
from interface import HeaderError, Interface, is_true, kept

HEADER = bookahead.ROOT / "kernel/capi/include/bookahead.h"


class TheInterface(unittest.TestCase):
    def test_the_features_are_those_that_the_library_was_built_with(self):
        self.assertEqual(bookahead.features(), os.environ["BOOKAHEAD_FEATURES"].split())

    def test_structs_lie_as_a_c_compiler_lays_them_out(self):
        expected = bookahead.C.offsets()
        # As many structs as the header has, whatever is read of them.
        text = kept(HEADER.read_text(), {f"BOOKAHEAD_{feature.upper()}" for feature in bookahead.features()})
        self.assertEqual(len(bookahead.C.structs), text.count("\nstruct bookahead_") - text.count("\nstruct bookahead_book;") - text.count("\nstruct bookahead_queue;"))
        prints = [f'printf("%zu %zu\\n", offsetof(struct {name}, {field}), sizeof(((struct {name} *)0)->{field}));' if field
                  else f'printf("0 %zu\\n", sizeof(struct {name}));' for name, field in expected]
        with tempfile.TemporaryDirectory() as folder:
            source, program = Path(folder, "offsets.c"), Path(folder, "offsets")
            source.write_text('#include "bookahead.h"\n#include <stdio.h>\nint main(void) {\n' + "\n".join(prints) + "\nreturn 0;\n}\n")
            macros = [f"-DBOOKAHEAD_{feature.upper()}" for feature in bookahead.features()]
            subprocess.run(["cc", "-std=c99", *macros, f"-I{HEADER.parent}", source, "-o", program], check=True)
            printed = [tuple(map(int, line.split())) for line in subprocess.check_output([program], text=True).splitlines()]
        self.assertEqual(dict(zip(expected, printed, strict=True)), expected)
        self.assertGreater(len(expected), 150)

    def test_conditions_of_the_header(self):
        self.assertTrue(is_true("(defined(A) && defined(B)) || defined(C)", {"A", "B"}))
        self.assertFalse(is_true("(defined(A) && defined(B)) || defined(C)", {"A"}))
        with self.assertRaises(HeaderError):
            is_true("VERSION > 3", set())

    def test_another_library_and_what_a_library_lacks_have_names(self):
        with self.assertRaisesRegex(HeaderError, "libc.so.6 is another library"):
            Interface("libc.so.6", HEADER)
        features = set(bookahead.features())
        for name, needed in [("snapshot_write", {"journal"}), ("take_out", {"outages"}), ("queue_wait", {"plan"}), ("quota_renew", {"quota"}), ("take_off", {"no such function"})]:
            self.assertEqual(hasattr(bookahead.C, name), needed <= features)
            for feature in needed - features:
                with self.assertRaisesRegex(AttributeError, f"^{name}: .*{feature}"):
                    getattr(bookahead.C, name)

    def test_the_examples_of_the_documentation(self):
        self.assertEqual(doctest.testmod(bookahead), (0, 13))


class ABook(unittest.TestCase):
    def setUp(self):
        self.book = Book(pes=8, slots=24, reservations=4)

    def test_each_policy_books(self):
        for policy in bookahead.POLICIES:
            handle = self.book.book(0, 4, 24, 2, policy=policy).handle
            self.assertEqual(self.book.get(handle).pes, 2)
            self.book.cancel(handle)
        self.book.book(0, 4, 24, 5)
        starts = [self.book.book(0, 2, 24, 2, policy=policy).start for policy in ("first-fit", "pe-worst-fit")]
        self.assertEqual(starts, [0, 4])
        with self.assertRaises(bookahead.BookError) as raised:
            self.book.book(0, 4, 24, 2, policy="last-fit")
        self.assertEqual((str(raised.exception), raised.exception.__notes__), ("unknown-policy", [f"expected one of {', '.join(bookahead.POLICIES)}"]))

    def test_a_refusal_has_a_name_and_changes_nothing(self):
        first = self.book.book(2, 6, 24, 6)
        before = self.book.text(), self.book.reservations()
        for request, name in [((2, 4, 8, 3), "no-room"), ((0, 4, 24, 9), "too-wide"), ((0, 4, 3, 1), "window-too-short"), ((0, 4, 25, 1), "beyond-horizon")]:
            with self.assertRaises(Refused) as raised:
                self.book.book(*request)
            self.assertEqual(str(raised.exception), name)
        with self.assertRaises(Misused) as raised:
            self.book.book(0, 0, 8, 1)
        self.assertEqual((str(raised.exception), raised.exception.code), ("zero-duration", 65))
        told = self.book.ask(2, 4, 8, 3)
        self.assertEqual((told.fits, told.earlier, told.later), (None, None, 8))
        self.assertEqual(told.obstacles[0], bookahead.Obstacle(2, 1, 2, [first.handle]))
        self.assertEqual(self.book.ask(0, 2, 8, 3).fits, 0)
        self.assertEqual((self.book.text(), self.book.reservations()), before)
        self.book.check()

    def test_what_is_altered_is_elsewhere_and_a_conflict_has_names(self):
        one, other = self.book.book(0, 4, 24, 5), self.book.book(0, 4, 24, 5)
        self.assertEqual(other.start, 4)
        self.assertEqual(self.book.alter(other.handle, "shift", start=10), (10, 4, 5))
        self.assertEqual(self.book.alter(other.handle, "extend", duration=6), (10, 6, 5))
        with self.assertRaises(Refused) as raised:
            self.book.alter(other.handle, "shift", start=2)
        self.assertEqual((str(raised.exception), raised.exception.conflict), ("no-room", [one.handle]))
        self.assertEqual(self.book.alter(other.handle, "change-window", ready=12, deadline=20), (12, 6, 5))

    def test_time_passes(self):
        one, hold = self.book.book(0, 3, 24, 2), self.book.book(5, 3, 24, 2, hold=2)
        self.assertEqual([(event.at, event.handle, event.kind) for event in self.book.advance(1)], [(0, one.handle, "started")])
        self.book.complete(one.handle, 2)
        kinds = {(event.at, event.handle, event.kind) for event in self.book.advance(4)}
        self.assertEqual(kinds, {(2, one.handle, "completed"), (2, hold.handle, "expired")})
        self.assertEqual((self.book.now, len(self.book)), (4, 0))
        with self.assertRaises(Misused) as raised:
            self.book.get(one.handle)
        self.assertEqual(str(raised.exception), "stale-handle")
        with self.assertRaises(Misused) as raised:
            self.book.advance(3)
        self.assertEqual(str(raised.exception), "time-went-back")

    def test_what_does_not_fit_is_no_number_that_does(self):
        book = Book(pes=4, slots=60)
        for wrong in ({"deadline": 2**64 + 50}, {"pes": 2**32 + 1}, {"ready": -1}, {"pes": -1}, {"duration": 2**40}):
            with self.assertRaises(ValueError):
                book.book(**({"ready": 5, "duration": 20, "deadline": 50, "pes": 4} | wrong))
        for call in (lambda: book.advance(-1), lambda: Book(pes=2**40, slots=8), lambda: Book(pes=4, slots=8, binding="erly")):
            with self.assertRaises((ValueError, ctypes.ArgumentError)):
                call()
        with self.assertRaises(Misused):
            book.book(ready=0, duration=1, deadline=9, pes=1, policy="first_fit")
        with self.assertRaises(ValueError):
            book.book(ready=0, duration=1, deadline=9, pes=1, flexible=True, hold=3)
        self.assertEqual(len(book), 0)

    def test_what_is_wrong_is_said_with_what_would_be_right(self):
        policies = f"expected one of {', '.join(bookahead.POLICIES)}"
        for call, text in [
            (lambda: self.book.advance(8.0), "8.0: expected a whole number of 64 bits"),
            (lambda: self.book.book(0, 1, 9, 1, policy=None), f"policy None: {policies}"),
            (lambda: self.book.alter(1, None), f"kind None: expected one of {', '.join(bookahead.NEEDED)}"),
        ]:
            with self.assertRaises(TypeError) as raised:
                call()
            self.assertEqual(str(raised.exception), text)
        for binding in ("early", "late"):
            for name, (least, most) in bookahead.SIZES.items():
                few = {"pes": 1, "slots": 1, "reservations": 1}
                for right in (least, most):
                    self.assertGreater(bookahead.C.bytes(bookahead.C.enums["binding"][binding.upper()], *(few | {name: right}).values()), 0)
                for wrong in {least - 1, most + 1} - {-1, 2**32}:
                    with self.assertRaisesRegex(Misused, "^size-out-of-range$") as raised:
                        Book(**(few | {name: wrong}), binding=binding)
                    self.assertEqual(raised.exception.__notes__, [f"{name}: expected from {least} to {most}"])

    @unittest.skipUnless("placement" in bookahead.features(), "from a library with placement")
    def test_certain_pes(self):
        book = Book(pes=40, slots=24, reservations=8, classes=3)
        self.assertEqual(book.get(book.book(0, 4, 24, 2, among=[3, 35, 7])).named, [3, 7])
        later = book.book(0, 4, 24, 2, among=[35, 3])
        self.assertEqual((later.start, book.get(later).named), (4, [3, 35]))
        with self.assertRaisesRegex(Refused, "^no-room$"):
            book.book(0, 4, 7, 2, among=[35, 3])
        # Of any, the lowest numbers; and what is asked among others is forgotten.
        self.assertEqual(book.get(book.book(0, 4, 4, 2)).named, [0, 1])
        self.assertEqual(book.ask(0, 4, 7, 2, among=[3, 35]).later, 8)
        self.assertEqual([one.start for one in book.alternatives(0, 4, 7, 2, among=[3, 35])], [8])
        self.assertEqual(book.alter(later, "shift", start=6), (6, 4, 2))
        # Rows are PEs: what has 3 and 35 is not in two rows that touch.
        self.assertEqual({row: one.handle == later.handle for one, *_, row, _ in book.rectangles() if row > 7}, {35: True})
        lines = book.text().splitlines()
        self.assertEqual(lines[40 - 1 - 35], " 35 ......" + "c" * 4 + "." * 14)
        with self.assertRaisesRegex(ValueError, "among 40: expected PEs from 0 to 39"):
            book.book(0, 4, 24, 1, among=[40])
        ninth = book.book(0, 1, 24, 1, among=[9])
        # There is room for three lists by which something is booked.
        with self.assertRaisesRegex(Misused, "bad-class") as raised:
            book.book(0, 1, 24, 1, among=[10])
        self.assertEqual(raised.exception.__notes__, ["among: classes-full"])
        self.assertEqual(book.book(0, 1, 24, 1, among=[9]).start, 1)
        book.cancel(ninth)
        book.cancel(next(one for one in book.reservations() if one.named == [9]).handle)
        for pe in 10, 11, 12:
            book.ask(0, 1, 24, 1, among=[pe])
        self.assertEqual(book.get(book.book(0, 1, 24, 1, among=[13])).named, [13])
        with self.assertRaisesRegex(Misused, "no-layout"):
            self.book.book(0, 1, 24, 1, among=[1])
        with self.assertRaises(ValueError):
            Book(pes=4, slots=8, binding="late", classes=2)
        book.copy().check()

    @unittest.skipUnless("placement" in bookahead.features(), "from a library with placement")
    def test_kinds(self):
        for wrong, error in (([300], ValueError), ([-1], ValueError), ([2.0], TypeError), (["2"], TypeError)):
            with self.assertRaises(error):
                Book.of_kinds(wrong, 1, 12)
        book = Book.of_kinds([3, 2], 1, slots=24)
        one_of_each, number, fault = (ctypes.c_uint8 * 2)(1, 1), ctypes.c_uint32(), ctypes.c_uint32()
        wanted = bookahead.struct("class", per_group=one_of_each, kind_count=2, shape=bookahead.C.enums["shape"].PER_GROUP)
        bookahead.checked(bookahead.C.class_add(book.pointer, wanted, number, fault))
        book.ask_class(number)
        self.assertEqual([book.get(book.book(0, 4, 24, 2)).named for _ in range(3)], [[0, 3], [1, 4], [0, 3]])
        self.assertEqual(book.text().splitlines()[0], "  4 bbbb" + "." * 20)
        # A list of PEs stands in its place for one call.
        self.assertEqual(book.ask(0, 4, 24, 1, among=[2]).fits, 0)
        self.assertEqual(book.get(book.book(0, 4, 24, 2)).named, [1, 4])
        if "journal" in bookahead.features():
            # What is asked for is not saved; the class is, and keeps its number.
            other = Book.of_kinds([3, 2], 1, slots=24)
            other.restore(book.save())
            self.assertEqual(other.get(other.book(12, 4, 24, 2)).named, [0, 1])
            other.ask_class(number)
            self.assertEqual(other.get(other.book(16, 4, 24, 2)).named, [0, 3])

    @unittest.skipIf("placement" in bookahead.features(), "from a library without placement")
    def test_a_library_without_classes_says_so(self):
        for call in (lambda: Book(pes=4, slots=8, classes=2), lambda: self.book.book(0, 1, 8, 1, among=[1]), lambda: Book.of_kinds([1], 4, 8)):
            with self.assertRaisesRegex(AttributeError, "kernel/capi/build --features placement"):
                call()
        with self.assertRaisesRegex(AttributeError, "^bookahead_layout: "):
            bookahead.struct("layout")

    def test_a_booking_does_for_its_handle(self):
        book = Book(pes=4, slots=12)
        booking = book.book(ready=0, duration=6, deadline=12, pes=3)
        self.assertEqual(book.get(booking), book.get(booking.handle))
        book.cancel(booking)
        self.assertEqual(len(book), 0)

    def test_an_alteration_takes_what_it_is_for(self):
        book = Book(pes=4, slots=60)
        booking = book.book(ready=5, duration=10, deadline=60, pes=1)
        for kind, change in (("shift", {"begin": 30}), ("shift", {}), ("extend", {"durations": 2}), ("shift", {"start": 9, "pes": 2})):
            with self.assertRaises(TypeError):
                book.alter(booking, kind, **change)
        self.assertEqual(book.get(booking).start, 5)
        self.assertEqual(book.alter(booking, "change-window", ready=6, deadline=60).start, 6)

    def test_leaps_tell_what_steps_tell(self):
        draw = random.Random(2)
        for _ in range(200):
            leaping = Book(pes=4, slots=64)
            for _ in range(12):
                ready, duration = draw.randrange(40), draw.randrange(1, 9)
                try:
                    leaping.book(ready, duration, ready + duration + draw.randrange(9), draw.randrange(1, 5), hold=draw.choice((None, 3)))
                except Refused:
                    pass
            stepping = leaping.copy()
            steps = [event for slot in range(61) for event in stepping.advance(slot)]
            self.assertEqual(leaping.advance(60), steps)
            self.assertEqual(leaping.now, stepping.now)
            leaping.check()
        self.assertEqual(Book(pes=1, slots=8).advance(2**40), [])

    def test_time_that_cannot_pass_leaves_the_events(self):
        first, second = self.book.book(2, 3, 24, 2), self.book.book(4, 3, 24, 2)
        before = bytes(self.book._memory)
        for to, error in [(10.5, TypeError), ("10", TypeError), (None, TypeError), (2**64, ValueError), (-1, ValueError), (2**64 - 1, Misused), (bookahead.LAST_NOW + 1, Misused)]:
            with self.assertRaises(error) as raised:
                self.book.advance(to)
            self.assertEqual(bytes(self.book._memory), before, to)
        self.assertEqual(str(raised.exception), "end-of-time")
        told = [(2, first, "started"), (4, second, "started"), (5, first, "overran"), (7, second, "overran")]
        self.assertEqual(self.book.advance(bookahead.LAST_NOW), [(at, booking.handle, kind) for at, booking, kind in told])
        self.assertEqual(self.book.now, bookahead.LAST_NOW)

    def test_a_short_job_is_not_missed(self):
        self.book.book(0, 1, 24, 2)
        self.assertEqual([(event.at, event.kind) for event in self.book.advance(3)], [(0, "started"), (1, "overran")])

    def test_a_hold_is_confirmed(self):
        hold = self.book.book(4, 3, 24, 2, hold=2)
        self.book.confirm(hold.handle)
        self.assertEqual(self.book.get(hold.handle).state, "confirmed")
        with self.assertRaises(Misused):
            self.book.confirm(hold.handle)

    def test_alternatives_can_be_booked(self):
        draw, found = random.Random(3), 0
        for binding in ("early", "late"):
            for _ in range(100):
                book = Book(pes=8, slots=48, binding=binding)
                for _ in range(12):
                    try:
                        book.book(draw.randrange(24), draw.randrange(1, 9), 48, draw.randrange(1, 8), policy=draw.choice(bookahead.POLICIES), flexible=draw.random() < 0.5)
                    except Refused:
                        pass
                ready, duration, before = draw.randrange(12), draw.randrange(1, 9), book.text()
                asked = (ready, duration, ready + duration + draw.randrange(4), draw.randrange(1, 8))
                listed = book.alternatives(*asked)
                found += len(listed)
                self.assertEqual(book.text(), before)
                if book.ask(*asked).fits is not None:
                    self.assertEqual(listed, [])
                    book.book(*asked)
                shifts = [abs(one.ready - ready) for one in listed]
                self.assertEqual(shifts, sorted(shifts))
                for start, ready, deadline in listed:
                    self.assertEqual(deadline - ready, asked[2] - asked[0])
                    self.assertEqual(book.copy().book(ready, duration, deadline, asked[3]).start, start)
        self.assertGreater(found, 100)
        with self.assertRaises(Refused):
            self.book.alternatives(0, 4, 24, 9)

    def test_flexible_ones_make_room(self):
        for binding in ("early", "late"):
            book = Book(pes=2, slots=128, binding=binding)
            first = book.book(8, 8, 100, 2, flexible=True)
            with self.assertRaises(Refused):
                book.book(8, 8, 16, 2)
            second, moved = book.juggle(8, 8, 16, 2)
            self.assertEqual((second.start, moved), (8, [(first.handle, 8, 16)]))
            self.assertEqual(book.get(first).start, 16)
            self.assertEqual(book.juggle(30, 2, 40, 1, flexible=True)[1], [])
            before = book.text()
            with self.assertRaises(Refused):
                book.juggle(8, 8, 17, 1)
            self.assertEqual(book.text(), before)
            book.check()

    @unittest.skipUnless("placement" in bookahead.features(), "from a library with placement")
    def test_who_is_moved_to_other_pes_is_told(self):
        book = Book(pes=2, slots=24, classes=1)
        first = book.book(0, 4, 24, 1, flexible=True)
        self.assertEqual(book.get(first).named, [0])
        second, moved = book.juggle(0, 4, 4, 1, among=[0])
        self.assertEqual((second.start, moved), (0, [(first.handle, 0, 0)]))
        self.assertEqual([book.get(one).named for one in (first, second)], [[1], [0]])

    @unittest.skipUnless("journal" in bookahead.features(), "needs a library with journal")
    def test_what_is_saved_is_restored(self):
        for binding in ("early", "late"):
            book = Book(pes=8, slots=24, binding=binding)
            for ready in range(5):
                book.book(ready, 3, 24, 5, hold=20 if ready == 4 else None)
            book.advance(4)
            saved = book.save()
            other = Book(pes=8, slots=24, binding=binding)
            with self.assertRaises(TypeError):
                other.restore(saved.decode("latin-1"))
            other.restore(saved)
            self.assertEqual((other.now, other.reservations(), len(other)), (4, book.reservations(), 4))
            self.assertEqual(other.book(5, 2, 24, 6), book.book(5, 2, 24, 6))
            with self.assertRaisesRegex(Misused, "not-new"):
                other.restore(saved)
            for sizes, bytes_, name in [((9, 24), saved, "other-book"), ((8, 24), saved[:-1], "incomplete"), ((8, 24), saved[:-1] + bytes([saved[-1] ^ 1]), "wrong-sum")]:
                with self.assertRaisesRegex(Misused, name):
                    Book(*sizes, binding=binding).restore(bytes_)

    @unittest.skipUnless({"journal", "placement"} <= set(bookahead.features()), "needs a library with journal and placement")
    def test_lists_of_pes_give_way_in_books_that_come_back(self):
        def new():
            return Book(pes=8, slots=24, classes=2)

        book = new()
        kept = book.book(0, 3, 24, 1, among=[7])
        for pe in range(6):
            # Each day another list, by which nothing is booked in the end.
            book.cancel(book.book(0, 3, 24, 1, among=[pe]))
            saved, book = book.save(), new()
            book.restore(saved)
        self.assertEqual(book.get(kept).named, [7])
        book.cancel(kept)
        # The list that the restored book began with gives way, in the book and in a copy.
        for one in book.copy(), book:
            self.assertEqual([one.get(one.book(0, 3, 24, 1, among=[pe])).named for pe in (3, 5)], [[3], [5]])

    @unittest.skipUnless({"journal", "placement"} <= set(bookahead.features()), "needs a library with journal and placement")
    def test_lists_of_pes_give_way_in_books_of_kinds_that_come_back(self):
        book = Book.of_kinds([4, 2], 3, 64, classes=2)
        for pe in range(6):
            book.cancel(book.book(0, 5, 10, 1, among=[pe]))
            saved, book = book.save(), Book.of_kinds([4, 2], 3, 64, classes=2)
            book.restore(saved)
        self.assertEqual(len(book), 0)

    def test_a_copy_is_another_book(self):
        self.book.book(0, 3, 24, 2)
        copy = self.book.copy()
        copy.book(0, 3, 24, 2)
        self.assertEqual((len(self.book), len(copy)), (1, 2))
        self.assertEqual(copy.reservations()[0], self.book.reservations()[0])

    def test_drawings_show_what_is_booked(self):
        for binding in ("early", "late"):
            book = Book(pes=6, slots=10, binding=binding)
            # With early binding the last one gets PEs 0, 4 and 5, since the others still run on those between.
            for request in [(0, 2, 10, 1), (0, 8, 10, 1), (0, 4, 10, 2), (2, 4, 10, 3)]:
                book.book(*request)
            drawn = [row[4:] for row in book.text().splitlines()[:-1]]
            for slot in range(10):
                column = [row[slot] for row in drawn]
                booked = sum(one.pes for one in book.reservations() if one.start <= slot < one.end)
                self.assertEqual(6 - column.count("."), booked, f"{binding}\n{book.text()}")
            if binding == "early":
                self.assertEqual(len(book.rectangles()), 5)
                for nth, one in enumerate(book.reservations()):
                    named = {5 - line for line, row in enumerate(drawn) if row[one.start] == bookahead.LETTERS[nth]}
                    self.assertEqual(named, set(one.named))
            drawing = ElementTree.fromstring(book.svg())
            rects = drawing.findall("{http://www.w3.org/2000/svg}rect")
            self.assertEqual(len(rects) - 1, len(book.rectangles()))


if __name__ == "__main__":
    unittest.main()
