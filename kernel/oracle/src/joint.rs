//! Several books beside twins that try every slot in all of them: what may be called, the comparison after each call, and that a refused one changes nothing.

use std::collections::BTreeMap;

use bookahead::{
    Alteration, BookPart, Commitment, Conflict, Error, Event, Handle, Joined, JointError,
    JointRequest, Need, PeCount, Period, Policy, Quota, Request, Resource, Several, Slot, Span,
    Tie,
    raw::{BulkScan, PlainScan},
};
use bookahead_commands::{Kind, Memory, Number, Scanned};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, HostColumn, Sizes};

use crate::{
    generate::Source,
    oracle::{JointOracle, JointPart, JointRefusal, Oracle, Spell},
};

/// The memory of one of the books.
#[derive(Clone, PartialEq)]
pub enum Shelf {
    /// With late binding, searched as on hosts.
    Counts(Scanned<BoxedCountBook, BulkScan>),
    /// With late binding, searched as on devices.
    PlainCounts(Scanned<BoxedCountBook, PlainScan>),
    /// With early binding, searched as on hosts.
    Sets(Scanned<BoxedPeBook<HostColumn>, BulkScan>),
    /// With early binding, searched as on devices.
    PlainSets(Scanned<BoxedPeBook<u32>, PlainScan>),
}

/// Does something to one of them, whatever it is.
macro_rules! on {
    ($shelf:expr, $memory:ident => $action:expr) => {
        match $shelf {
            Shelf::Counts($memory) => $action,
            Shelf::PlainCounts($memory) => $action,
            Shelf::Sets($memory) => $action,
            Shelf::PlainSets($memory) => $action,
        }
    };
}
/// How a book is kept (0 to 3, as the variants of [`Shelf`]), how many PEs it has, and how many reservations.
pub type Measure = (u8, u16, usize);
/// All that a refused call leaves as it was: books, ties, and periods of those that are quotas.
type Memories = (Vec<Shelf>, Vec<Vec<Tie>>, Vec<Option<Vec<Period>>>);

impl Shelf {
    /// An empty book over so many slots.
    ///
    /// # Panics
    ///
    /// When there is not enough memory.
    #[must_use]
    pub fn new((kind, pes, rows): Measure, slots: u16) -> Self {
        let sizes = Sizes {
            pes: pes.into(),
            slots: slots.into(),
            reservations: rows,
        };
        let counts = || BoxedCountBook::new(sizes).expect("it is small");
        match kind {
            0 => Self::Counts(Scanned::new(counts())),
            1 => Self::PlainCounts(Scanned::new(counts())),
            2 => Self::Sets(Scanned::new(BoxedPeBook::new(sizes).expect("it is small"))),
            _ => Self::PlainSets(Scanned::new(BoxedPeBook::new(sizes).expect("it is small"))),
        }
    }

    /// Lets time pass until something happens in it alone, as [`Book::next`](bookahead::Book::next).
    ///
    /// # Errors
    ///
    /// Those of that call.
    pub fn next(&mut self, to: Slot) -> Result<Option<Event>, Error> {
        on!(self, memory => memory.view().next(to))
    }

    /// A view of it: a quota if there are periods.
    fn view<'v>(&'v mut self, periods: &'v mut Option<Vec<Period>>) -> Box<dyn Resource + 'v> {
        on!(self, memory => match periods {
            Some(periods) => Box::new(Quota::new(memory.view(), periods).expect("they are in order")),
            None => Box::new(memory.view()),
        })
    }
}

/// The books and their twins.
#[derive(Clone)]
pub struct World {
    /// The books.
    pub shelves: Vec<Shelf>,
    /// Their ties.
    pub ties: Vec<Vec<Tie>>,
    /// Of those that are quotas.
    pub periods: Vec<Option<Vec<Period>>>,
    /// What is right.
    pub twin: JointOracle,
    /// The handles of all reservations that there have been, by book and number.
    handles: Vec<Vec<Handle>>,
    /// How often what was answered.
    pub tally: BTreeMap<String, usize>,
}

/// What is called.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "as the calls of `Several`")]
pub enum Act {
    /// Between these times so much of each book, held for so long.
    Reserve(Request, Vec<u32>, Option<Span>),
    Confirm(JointPart),
    Cancel(JointPart),
    Complete(JointPart, Slot),
    Alter(JointPart, Request),
    /// [`next`](Several::next), until nothing more happens.
    Pass(Slot),
    EndTorn,
    /// In one book, behind the back of the others.
    Alone(u32, Alone),
    /// Of a quota and a period of it.
    SetMost(u32, usize, u64),
    Renew(u32, Slot, u64),
}

/// What is called in one book alone.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "as the calls of a book")]
pub enum Alone {
    Reserve(Request),
    Cancel(Number),
    Confirm(Number),
    Alter(Number, Alteration),
}

/// Calls the quota of a book, whatever that is.
macro_rules! of_quota {
    ($world:expr, $book:expr, $call:ident($($argument:expr),*)) => {{
        let book = $book as usize;
        let periods = $world.periods[book].as_mut().expect("it is a quota");
        on!(&mut $world.shelves[book], memory => Quota::new(memory.view(), periods).expect("they are in order").$call($($argument),*))
    }};
}

/// Does something to these books as one, if they can be.
pub fn together<Answer>(
    shelves: &mut [Shelf],
    periods: &mut [Option<Vec<Period>>],
    ties: &mut [Vec<Tie>],
    action: impl FnOnce(Result<Several<'_, '_>, JointError>) -> Answer,
) -> Answer {
    let views = shelves.iter_mut().zip(periods);
    let mut views: Vec<_> = views.map(|(shelf, periods)| shelf.view(periods)).collect();
    let joined = views.iter_mut().zip(ties);
    let mut joined: Vec<_> = joined
        .map(|(book, ties)| Joined {
            book: &mut **book,
            ties,
        })
        .collect();
    action(Several::new(&mut joined))
}

/// The same as the twin says it.
#[must_use]
pub fn refused(error: JointError) -> JointRefusal {
    (error.book, error.error)
}

/// Refusals of one of the books and of all together, as a tally names them, that every kind of life has to have met.
pub const REFUSALS: [&str; 12] = [
    "one parts-apart",
    "one stale-handle",
    "one unknown-handle",
    "one wrong-state",
    "one not-held",
    "one not-running",
    "one no-room",
    "one table-full",
    "one window-too-short",
    "one ready-in-past",
    "all zero-pes",
    "all no-room",
];

const UNKNOWN: Handle = Handle::from_bits(u64::MAX);
const AMPLE: u64 = u64::MAX;

impl World {
    /// Empty books over so many slots, none of which is a quota.
    #[must_use]
    pub fn new(measures: &[Measure], slots: u16) -> Self {
        let oracle = |(kind, pes, rows): &Measure| {
            let kind = if *kind < 2 { Kind::Counts } else { Kind::Sets };
            Oracle::new(kind, (*pes).into(), slots.into(), *rows)
        };
        let shelves = measures.iter().map(|measure| Shelf::new(*measure, slots));
        let ties = measures.iter().map(|measure| vec![Tie::NONE; measure.2]);
        Self {
            shelves: shelves.collect(),
            ties: ties.collect(),
            periods: vec![None; measures.len()],
            twin: JointOracle::new(measures.iter().map(oracle).collect()),
            handles: vec![Vec::new(); measures.len()],
            tally: BTreeMap::new(),
        }
    }

    /// The present slot.
    #[must_use]
    pub fn now(&self) -> Slot {
        self.twin.books[0].now()
    }

    /// Does something to the books as one.
    ///
    /// # Panics
    ///
    /// When they are not at the same slot.
    pub fn several<Answer>(
        &mut self,
        action: impl FnOnce(&mut Several<'_, '_>) -> Answer,
    ) -> Answer {
        together(
            &mut self.shelves,
            &mut self.periods,
            &mut self.ties,
            |books| action(&mut books.expect("they are alike")),
        )
    }

    /// Makes a quota of a book, with periods that end so and so much for each.
    pub fn limit(&mut self, book: usize, ends: &[u64], most: u64) {
        let ends = ends.iter().copied().map(Slot::new);
        let periods = ends.clone().map(|until| Period::new(until, most));
        self.periods[book] = Some(periods.collect());
        let spell = |until| Spell {
            until,
            most,
            passed: 0,
        };
        self.twin.quotas[book] = ends.map(spell).collect();
    }

    /// All that a refused call leaves as it was.
    #[must_use]
    pub fn memory(&self) -> Memories {
        (
            self.shelves.clone(),
            self.ties.clone(),
            self.periods.clone(),
        )
    }

    fn part(&self, (book, number): JointPart) -> BookPart {
        let handles = self.handles.get(book as usize);
        let handle = handles.and_then(|handles| handles.get(number as usize));
        let handle = handle.copied().unwrap_or(UNKNOWN);
        BookPart { book, handle }
    }

    fn number(&self, part: BookPart) -> JointPart {
        let mut handles = self.handles[part.book as usize].iter();
        let number = handles.position(|handle| *handle == part.handle);
        (part.book, number.expect("it was given out") as Number)
    }

    /// Does it to the books and to their twins, and compares what they answer.
    ///
    /// # Panics
    ///
    /// When they answer or are different, or when what is refused changes something.
    pub fn act(&mut self, act: &Act) {
        let before = self.memory();
        let said = match act {
            Act::Reserve(times, needs, hold) => self.reserve(times, needs, *hold),
            Act::Confirm(part) => {
                self.each(*part, |books, part| books.confirm(part), Oracle::confirm)
            }
            Act::Cancel(part) => self.each(*part, |books, part| books.cancel(part), Oracle::cancel),
            Act::Complete(part, at) => self.each(
                *part,
                |several, part| several.complete(part, *at),
                |oracle, number| oracle.complete(number, *at),
            ),
            Act::Alter(part, times) => {
                let name = self.part(*part);
                let Request {
                    ready,
                    duration,
                    deadline,
                    ..
                } = *times;
                let altered =
                    self.several(|books| books.alter(name, ready, duration, deadline, AMPLE));
                let altered = altered.map_err(refused);
                assert_eq!(altered, self.twin.alter(*part, times));
                altered.map(drop)
            }
            Act::Pass(to) => self.pass(*to),
            Act::EndTorn => self.end_torn(),
            Act::Alone(book, alone) => self
                .alone(*book, alone)
                .map_err(|error| (Some(*book), error)),
            Act::SetMost(book, period, most) => {
                let set = of_quota!(self, *book, set_most(*period, *most));
                let spell = self.twin.quotas[*book as usize].get_mut(*period);
                let expected = spell.map(|spell| std::mem::replace(&mut spell.most, *most));
                assert_eq!(set, expected);
                Ok(())
            }
            Act::Renew(book, until, most) => {
                let first = self.twin.quotas[*book as usize].first().copied();
                let used = first.map(|_| self.twin.used(*book, 0));
                let over = of_quota!(self, *book, renew(*until, *most));
                assert_eq!(self.twin.renew(*book, *until, *most), over.is_some());
                let over = over.map(|over| (over.until(), over.most(), over.used()));
                let expected = first.zip(used);
                let expected = expected.map(|(first, used)| (first.until, first.most, used));
                assert_eq!(over.or(expected), expected);
                let answer = if over.is_some() {
                    "renewed"
                } else {
                    "not renewed"
                };
                *self.tally.entry(answer.to_owned()).or_default() += 1;
                Ok(())
            }
        };
        if let Err((book, error)) = said {
            // What has passed before a torn reservation was due has passed.
            if !matches!(act, Act::Pass(_)) {
                assert!(before == self.memory(), "{act:?}");
            }
            let whose = if book.is_some() { "one" } else { "all" };
            *self
                .tally
                .entry(format!("{whose} {}", error.name()))
                .or_default() += 1;
        } else {
            let name = format!("{act:?}");
            let name = name.split(['(', ',']).next().unwrap_or_default();
            *self.tally.entry(name.to_owned()).or_default() += 1;
        }
        self.compare();
    }

    fn reserve(
        &mut self,
        times: &Request,
        needs: &[u32],
        hold: Option<Span>,
    ) -> Result<(), JointRefusal> {
        let asked: Vec<_> = needs
            .iter()
            .map(|need| Need::new(PeCount::new(*need)))
            .collect();
        let joint = JointRequest {
            ready: times.ready,
            duration: times.duration,
            deadline: times.deadline,
            needs: &asked,
        };
        let expected = self.twin.reserve(times, needs, hold);
        let (earliest, booked, parts) = self.several(|books| {
            let earliest = books.earliest(&joint, AMPLE);
            let booked = books.reserve(&joint, hold, AMPLE);
            let parts = booked.map(|booked| books.parts(booked.part));
            (earliest, booked, parts)
        });
        let booked = booked.map_err(refused);
        if hold != Some(Span::ZERO) {
            let start = booked.map(|booked| booked.start);
            assert_eq!(earliest.map_err(refused), start);
        }
        assert_eq!(
            booked.map(|booked| booked.start),
            expected.map(|booked| booked.1)
        );
        for part in parts.into_iter().flatten().flatten() {
            self.handles[part.book as usize].push(part.handle);
        }
        assert_eq!(
            booked.map(|booked| self.number(booked.part)),
            expected.map(|booked| booked.0)
        );
        booked.map(drop)
    }

    fn each(
        &mut self,
        part: JointPart,
        call: impl Fn(&mut Several<'_, '_>, BookPart) -> Result<(), JointError>,
        expected: impl Fn(&mut Oracle, Number) -> Result<(), Error>,
    ) -> Result<(), JointRefusal> {
        let name = self.part(part);
        let done = self.several(|books| call(books, name)).map_err(refused);
        assert_eq!(done, self.twin.each(part, expected));
        done
    }

    fn pass(&mut self, to: Slot) -> Result<(), JointRefusal> {
        loop {
            let before = self.memory();
            let told = self.several(|books| books.next(to)).map_err(refused);
            let told = told.map(|told| told.map(|(part, event)| (self.number(part), event)));
            let expected = self.twin.next(to);
            let known = told.map(|told| told.map(|(part, event)| (part, event.at, event.kind)));
            let right = expected.map(|told| told.map(|(part, event)| (part, event.at, event.kind)));
            assert_eq!(known, right);
            let Some((part, event)) = told.inspect_err(|_| {
                assert!(before == self.memory());
            })?
            else {
                return Ok(());
            };
            assert_eq!(self.part(part).handle, event.handle);
            *self.tally.entry(format!("{:?}", event.kind)).or_default() += 1;
            self.compare();
        }
    }

    fn end_torn(&mut self) -> Result<(), JointRefusal> {
        while let Some(part) = self.several(|books| books.end_torn()) {
            let (book, number) = self.number(part);
            assert!(self.twin.is_torn((book, number)));
            let ended = self.twin.books[book as usize].cancel(number);
            assert_eq!(ended, Ok(()));
            *self.tally.entry("torn ended".to_owned()).or_default() += 1;
        }
        Ok(())
    }

    fn alone(&mut self, book: u32, alone: &Alone) -> Result<(), Error> {
        let place = book as usize;
        let handles = self.handles[place].clone();
        let handle = |number: &Number| {
            let known = handles.get(*number as usize);
            known.copied().unwrap_or(UNKNOWN)
        };
        let oracle = &mut self.twin.books[place];
        match alone {
            Alone::Reserve(request) => {
                let booked = on!(&mut self.shelves[place], memory => memory.view().reserve(request, Policy::FirstFit, Commitment::Confirmed));
                let expected = oracle.reserve(request, Policy::FirstFit);
                assert_eq!(
                    booked.map(|booked| booked.start),
                    expected.map(|booked| booked.1)
                );
                self.handles[place].extend(booked.map(|booked| booked.handle));
                booked.map(drop)
            }
            Alone::Cancel(number) => {
                let handle = handle(number);
                let done = on!(&mut self.shelves[place], memory => memory.view().cancel(handle));
                assert_eq!(done, self.twin.books[place].cancel(*number));
                done
            }
            Alone::Confirm(number) => {
                let handle = handle(number);
                let done = on!(&mut self.shelves[place], memory => memory.view().confirm(handle));
                assert_eq!(done, self.twin.books[place].confirm(*number));
                done
            }
            Alone::Alter(number, alteration) => {
                let handle = handle(number);
                let done = on!(&mut self.shelves[place], memory => {
                    let columns = memory.columns();
                    let mut sets = vec![Default::default(); columns];
                    let mut entries = [bookahead::raw::UndoEntry::NONE];
                    let mut nobody = Conflict::NONE;
                    let workspace = bookahead::raw::Workspace::new(&mut entries, &mut sets, &mut []);
                    memory.view().alter(handle, *alteration, workspace, &mut nobody)
                });
                let expected = self.twin.books[place].alter(*number, *alteration, 1).0;
                assert_eq!(done, expected);
                done.map(drop)
            }
        }
    }

    /// Compares the books with their twins, and checks all invariants.
    fn compare(&mut self) {
        let torn = self
            .twin
            .live()
            .into_iter()
            .any(|part| self.twin.is_torn(part));
        assert_eq!(self.several(|books| books.torn()).is_some(), torn);
        for book in 0..self.shelves.len() as u32 {
            let Some(periods) = &self.periods[book as usize] else {
                continue;
            };
            for (number, period) in periods.iter().enumerate() {
                assert_eq!(period.used(), self.twin.used(book, number));
                if period.left() == 0 {
                    *self.tally.entry("all used".to_owned()).or_default() += 1;
                }
            }
            assert!(of_quota!(self, book, is_sound()));
        }
        let twins = self.twin.books.iter().zip(&self.handles);
        for (shelf, (twin, handles)) in self.shelves.iter_mut().zip(twins) {
            on!(shelf, memory => {
                let mut book = memory.view();
                assert_eq!(book.check_invariants(), Ok(()));
                assert_eq!((book.now(), book.version()), (twin.now(), twin.version()));
                let live: Vec<_> = book.iter().collect();
                let known = twin.by_start().into_iter();
                let known: Vec<_> = known.map(|(number, known)| (handles[number as usize], known)).collect();
                let by_handle = |all: &[(Handle, bookahead::Reservation)]| -> BTreeMap<u64, bookahead::Reservation> {
                    all.iter().map(|(handle, known)| (handle.to_bits(), *known)).collect()
                };
                assert_eq!(by_handle(&live), by_handle(&known));
                for (number, _) in twin.by_start() {
                    let pes: Vec<_> = book.pes_of(handles[number as usize]).unwrap().map(|pe| pe.get()).collect();
                    assert_eq!(Ok(&pes[..]), twin.pes_of(number));
                }
                assert!(book.records().eq(twin.records()));
            });
        }
    }

    /// Up to three books of any kind and size, of which all but the first may be quotas, as these bytes say.
    #[must_use]
    pub fn drawn(source: &mut Source<'_>) -> Option<Self> {
        let measures = (0..=source.below(3)?).map(|_| {
            let kind = source.below(4)? as u8;
            let pes = source.within(1..=9)? as u16;
            Some((kind, pes, source.within(2..=9)? as usize))
        });
        let measures: Vec<Measure> = measures.collect::<Option<_>>()?;
        let mut world = Self::new(&measures, 24);
        for book in 1..measures.len() {
            let mut until = 0;
            let ends = (0..source.below(6)?).map(|_| {
                until += source.within(1..=12)? as u64;
                Some(until)
            });
            let ends: Vec<u64> = ends.collect::<Option<_>>()?;
            if !ends.is_empty() {
                world.limit(book, &ends, source.within(1..=40)? as u64);
            }
        }
        Some(world)
    }

    /// What is called next, as these bytes say; as the books are, so that mostly it makes sense.
    #[must_use]
    pub fn draw(&self, source: &mut Source<'_>) -> Option<Act> {
        let slots = i64::from(self.twin.books[0].horizon().get());
        let later = |source: &mut Source<'_>, upto: i64| -> Option<Slot> {
            let by = source.within(-1..=upto)?;
            Some(Slot::new(self.now().get().saturating_add_signed(by)))
        };
        let times = |source: &mut Source<'_>| -> Option<Request> {
            let ready = later(source, slots / 2)?;
            let duration = source.within(0..=slots / 4)? as u32;
            let slack = source.within(-1..=slots / 2)?;
            let end = ready.get() + u64::from(duration);
            let need = source.within(0..=4)? as u32;
            Some(Request {
                ready,
                duration: Span::new(duration),
                deadline: Slot::new(end.saturating_add_signed(slack)),
                pes: PeCount::new(need),
            })
        };
        let books = self.shelves.len() as u64;
        let live = self.twin.live();
        let some = |source: &mut Source<'_>| -> Option<JointPart> {
            if source.below(8)? > 0 && !live.is_empty() {
                return source.one_of(&live);
            }
            let book = source.below(books + 1)?;
            let ever = self.handles.get(book as usize).map_or(0, Vec::len);
            Some((book as u32, source.below(ever as u64 + 1)?))
        };
        Some(match source.below(16)? {
            0..=5 => {
                let times = times(source)?;
                let missing = u64::from(source.below(16)? == 15);
                let needs = (missing..books).map(|book| {
                    let pes = self.twin.books[book as usize].pes().get();
                    Some(source.within(0..=i64::from(pes.min(5)))? as u32)
                });
                let needs: Option<Vec<u32>> = needs.collect();
                let held = source.below(3)? == 0;
                let ttl = Span::new(source.within(0..=6)? as u32);
                Act::Reserve(times, needs?, held.then_some(ttl))
            }
            6 => Act::Confirm(some(source)?),
            7 => Act::Cancel(some(source)?),
            8 => Act::Complete(some(source)?, later(source, 3)?),
            9..=10 => {
                let (part, mut times) = (some(source)?, times(source)?);
                let oracle = self.twin.books.get(part.0 as usize);
                let known = oracle.and_then(|oracle| oracle.get(part.1).ok());
                if let Some(known) = known
                    && source.flip()?
                {
                    // A running one keeps its start.
                    times.deadline = times.deadline.max(known.window.end);
                    times.ready = known.window.start;
                }
                Act::Alter(part, times)
            }
            11..=13 => Act::Pass(later(source, 5)?),
            14 => Act::EndTorn,
            _ => {
                let (book, number) = some(source)?;
                let place = book.min(books as u32 - 1);
                if let Some(periods) = &self.periods[place as usize] {
                    // Nobody gets at the book of a quota by itself.
                    let (last, most) = (periods.last(), source.below(90)?);
                    let last = last.map_or(self.now(), |last| last.until());
                    let until = last.get() + source.below(16)?;
                    return Some(match source.below(3)? {
                        0 => Act::SetMost(place, source.below(4)? as usize, most),
                        _ => Act::Renew(place, Slot::new(until), most),
                    });
                }
                let alone = match source.below(6)? {
                    0..=1 => Alone::Reserve(times(source)?),
                    2 => Alone::Cancel(number),
                    3 => Alone::Confirm(number),
                    4 => Alone::Alter(number, {
                        let pes = PeCount::new(source.within(0..=4)? as u32);
                        if source.flip()? {
                            Alteration::Widen { pes }
                        } else {
                            Alteration::Narrow { pes }
                        }
                    }),
                    _ => {
                        let Request {
                            ready,
                            deadline,
                            duration,
                            ..
                        } = times(source)?;
                        Alone::Alter(
                            number,
                            match source.below(3)? {
                                0 => Alteration::Extend { duration },
                                1 => Alteration::Shorten { duration },
                                _ => Alteration::ChangeWindow { ready, deadline },
                            },
                        )
                    }
                };
                Act::Alone(place, alone)
            }
        })
    }
}
