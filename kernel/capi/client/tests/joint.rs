//! Several books behind the C interface beside the kernel's own: random lives, in which somebody changes single books behind their back, from careful and from careless callers.

use std::collections::BTreeMap;

use bookahead::{
    BookPart, ClassId, Commitment, Error, Handle, Joined, JointError, JointRequest, Need, PeCount,
    Period, Policy, Quota, Request, Resource, Several, Slot, Span, Tie,
};
use bookahead_capi_client::{Binding, Careless, JointSide, Shelf};
use bookahead_commands::{Allowed, Machine, Preferred, Shaped, Wish};
use bookahead_heap::{
    BoxedCountBook, BoxedPeBook, BoxedPlacedBook, BoxedRuledBook, BoxedUnitBook, HostColumn,
    PlacedSizes, Sizes,
};
use bookahead_oracle::joint::REFUSALS;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SLOTS: u32 = 64;
/// So many units of memory are what one PE is of others: two of them 16 bits cannot count.
const UNITS: u32 = 40_000;
/// A search that is never cut short, and one that often is.
const WORKS: [u64; 2] = [u64::MAX, 90];

/// A book of the kernel's.
enum Own {
    Counts(BoxedCountBook),
    Units(BoxedUnitBook),
    Narrow(BoxedPeBook<u32>),
    Wide(BoxedPeBook<HostColumn>),
    Ruled(BoxedRuledBook<BoxedCountBook, ()>),
    Placed(BoxedPlacedBook<u32>),
}

/// Does something with the memory of one, whatever it is.
macro_rules! on {
    ($own:expr, $memory:ident => $action:expr) => {
        match $own {
            Own::Counts($memory) => $action,
            Own::Units($memory) => $action,
            Own::Narrow($memory) => $action,
            Own::Wide($memory) => $action,
            Own::Ruled($memory) => $action,
            Own::Placed($memory) => $action,
        }
    };
}

/// Calls the quota of one, whatever its book is.
macro_rules! of_quota {
    ($beside:expr, $call:ident($($argument:expr),*)) => {{
        let periods = &mut $beside.periods[..];
        on!(&mut $beside.own, memory => Quota::new(memory.view(), periods).expect("they are in order").$call($($argument),*))
    }};
}

/// One of the kernel's books, with what lies beside it.
struct Beside {
    own: Own,
    ties: Vec<Tie>,
    periods: Vec<Period>,
    /// Of what it is asked for.
    class: ClassId,
}

impl Beside {
    fn view(&mut self) -> (Box<dyn Resource + '_>, &mut [Tie]) {
        let (ties, periods) = (&mut self.ties[..], &mut self.periods[..]);
        let book: Box<dyn Resource + '_> = on!(&mut self.own, memory => match periods.is_empty() {
            true => Box::new(memory.view()),
            false => Box::new(Quota::new(memory.view(), periods).expect("they are in order")),
        });
        (book, ties)
    }

    /// What is asked for, of which a book has some times as many.
    const fn unit(&self) -> u32 {
        match self.own {
            Own::Units(_) => UNITS,
            _ => 1,
        }
    }

    /// As [`JointSide::look`].
    fn look(&mut self) -> (u64, Vec<[u64; 3]>, bool) {
        let periods = self.periods.iter().map(numbers).collect();
        let is_sound = of_quota!(self, is_sound());
        on!(&mut self.own, memory => {
            let mut view = memory.view();
            let checked = view.check_invariants();
            (view.state_hash(), periods, is_sound && checked == Ok(()))
        })
    }
}

fn numbers(period: &Period) -> [u64; 3] {
    [period.until().get(), period.most(), period.used()]
}

/// The same books of the kernel and of a C program.
struct World {
    kernel: Vec<Beside>,
    c: JointSide,
    /// All parts that there have been.
    ever: Vec<BookPart>,
    now: u64,
    /// How often what was answered.
    tally: BTreeMap<String, u32>,
}

/// Until when and how much may be used.
type Periods = &'static [(u64, u64)];
const NO_QUOTA: Periods = &[];
/// A book of such a binding, for so many PEs and reservations, and what makes it a quota.
type Measure = (Binding, u32, u32, Periods);

impl World {
    fn new(measures: &[Measure], careless: Careless) -> Self {
        let both: Vec<_> = measures.iter().map(both).collect();
        let (kernel, shelves) = both.into_iter().unzip();
        Self {
            kernel,
            c: JointSide::new(shelves, careless),
            ever: Vec::new(),
            now: 0,
            tally: BTreeMap::new(),
        }
    }

    fn several<Answer>(&mut self, action: impl FnOnce(&mut Several<'_, '_>) -> Answer) -> Answer {
        let mut views: Vec<_> = self.kernel.iter_mut().map(Beside::view).collect();
        let joined = views.iter_mut().map(|(book, ties)| Joined {
            book: &mut **book,
            ties,
        });
        let mut joined: Vec<_> = joined.collect();
        action(&mut Several::new(&mut joined).expect("they are alike"))
    }

    fn count(&mut self, name: impl Into<String>) {
        *self.tally.entry(name.into()).or_default() += 1;
    }

    /// Does one thing to both, and compares what they answer and what they are then. What is refused changes no byte of C's.
    fn step(&mut self, random: &mut ChaCha8Rng) {
        let before = self.c.clone();
        let (act, said) = self.act(random);
        match said {
            Ok(()) => self.count(act),
            Err(JointError { book, error }) => {
                assert!(before == self.c, "{act}: {error}");
                let whose = if book.is_some() { "one" } else { "all" };
                self.count(format!("{whose} {}", error.name()));
            }
        }
        self.c.follow();
        let torn = self.several(|several| several.torn());
        assert_eq!(self.c.torn(), torn, "{act}");
        for book in 0..self.kernel.len() {
            let look = self.kernel[book].look();
            assert_eq!(self.c.look(book), look, "{act}, book {book}");
            assert!(look.2, "{act}");
        }
    }

    fn act(&mut self, random: &mut ChaCha8Rng) -> (&'static str, Result<(), JointError>) {
        let part = self.some(random);
        match random.random_range(0..20) {
            0..=6 => ("reserve", self.reserve(random)),
            7 => {
                let done = self.several(|several| several.confirm(part));
                assert_eq!(self.c.confirm(part), done);
                ("confirm", done)
            }
            8 => {
                let done = self.several(|several| several.cancel(part));
                assert_eq!(self.c.cancel(part), done);
                ("cancel", done)
            }
            9 => {
                let at = Slot::new(self.now + random.random_range(0..4));
                let done = self.several(|several| several.complete(part, at));
                assert_eq!(self.c.complete(part, at), done);
                ("complete", done)
            }
            10..=12 => ("alter", self.alter(part, random)),
            13..=15 => ("pass", self.pass(random)),
            16 => {
                let done = self.several(|several| several.end_torn());
                assert_eq!(self.c.end_torn(), done);
                let act = if done.is_some() {
                    "end torn"
                } else {
                    "none torn"
                };
                (act, Ok(()))
            }
            17 => {
                let parts = self.several(|several| several.parts(part));
                let parts = parts.map(|parts| parts.to_vec());
                assert_eq!(self.c.parts(part), parts);
                ("parts", parts.map(drop))
            }
            18 => self.alone(part, random),
            _ => self.limit(random),
        }
    }

    /// A part of somebody, mostly one that lives; now and then nobody's.
    fn some(&self, random: &mut ChaCha8Rng) -> BookPart {
        let few = self.ever.len().min(12);
        match random.random_range(0..16) {
            0 => BookPart {
                book: random.random_range(0..9),
                handle: Handle::from_bits(random.random_range(0..4)),
            },
            1 if few > 0 => self.ever[random.random_range(0..self.ever.len())],
            _ if few > 0 => self.ever[self.ever.len() - 1 - random.random_range(0..few)],
            _ => BookPart {
                book: 0,
                handle: Handle::from_bits(u64::MAX),
            },
        }
    }

    fn times(&self, random: &mut ChaCha8Rng) -> Request {
        let ready = (self.now + random.random_range(0..20)).saturating_sub(1);
        let duration = random.random_range(0..12);
        let slack = random.random_range(0..40);
        Request {
            ready: Slot::new(ready),
            duration: Span::new(duration),
            deadline: Slot::new((ready + u64::from(duration) + slack).saturating_sub(1)),
            pes: PeCount::ZERO,
        }
    }

    fn reserve(&mut self, random: &mut ChaCha8Rng) -> Result<(), JointError> {
        let (times, work) = (self.times(random), WORKS[random.random_range(0..2)]);
        let all = self.kernel.len() - usize::from(random.random_range(0..16) == 0);
        let kernel = self.kernel[..all].iter();
        let pes = kernel.map(|beside| beside.unit() * random.random_range(0..4));
        let pes: Vec<u32> = pes.collect();
        let of_class =
            |(beside, pes): (&Beside, &u32)| Need::of_class(beside.class, PeCount::new(*pes));
        let needs: Vec<Need> = self.kernel.iter().zip(&pes).map(of_class).collect();
        let hold = random.random_bool(0.3);
        let hold = hold.then(|| Span::new(random.random_range(0..8)));
        let request = JointRequest {
            ready: times.ready,
            duration: times.duration,
            deadline: times.deadline,
            needs: &needs,
        };
        let earliest = self.several(|several| several.earliest(&request, work));
        assert_eq!(self.c.earliest(&times, &pes, work), earliest);
        let booked = self.several(|several| several.reserve(&request, hold, work));
        assert_eq!(self.c.reserve(&times, &pes, hold, work), booked);
        let part = booked?.part;
        let parts = self.several(|several| several.parts(part))?;
        self.ever.extend(parts);
        Ok(())
    }

    fn alter(&mut self, part: BookPart, random: &mut ChaCha8Rng) -> Result<(), JointError> {
        let (mut times, work) = (self.times(random), WORKS[random.random_range(0..2)]);
        if random.random_bool(0.5)
            && let Some(beside) = self.kernel.get_mut(part.book as usize)
            && let Ok(known) = on!(&mut beside.own, memory => memory.view().get(part.handle))
        {
            // One that runs keeps its start.
            times.ready = known.window.start;
            times.deadline = times.ready.saturating_add(Span::new(30));
        }
        let Request {
            ready,
            duration,
            deadline,
            ..
        } = times;
        let altered = self.several(|several| several.alter(part, ready, duration, deadline, work));
        assert_eq!(self.c.alter(part, &times, work), altered);
        altered.map(drop)
    }

    /// Events up to a slot, or up to the first that is refused.
    fn pass(&mut self, random: &mut ChaCha8Rng) -> Result<(), JointError> {
        let to = Slot::new((self.now + random.random_range(0..6)).saturating_sub(1));
        loop {
            let before = self.c.clone();
            let told = self.several(|several| several.next(to));
            assert_eq!(self.c.next(to), told);
            self.now = on!(&mut self.kernel[0].own, memory => memory.view().now()).get();
            match told {
                Ok(Some((_, event))) => self.count(event.kind.name()),
                Ok(None) => return Ok(()),
                Err(error) => {
                    assert!(before == self.c, "{error}");
                    // Of all events together it changes something.
                    self.count(format!("pass {}", error.error.name()));
                    return Ok(());
                }
            }
        }
    }

    /// Does something to one book, which is no quota, behind the back of the others.
    fn alone(
        &mut self,
        part: BookPart,
        random: &mut ChaCha8Rng,
    ) -> (&'static str, Result<(), JointError>) {
        let (book, times) = (part.book as usize, self.times(random));
        let Some(beside) = self.kernel.get_mut(book) else {
            return ("nothing", Ok(()));
        };
        if !beside.periods.is_empty() {
            return ("nothing", Ok(()));
        }
        let (act, done, answer) = match random.random_range(0..3) {
            0 => {
                let request = Request {
                    pes: PeCount::new(beside.unit()),
                    ..times
                };
                let class = beside.class;
                let booked = on!(&mut beside.own, memory => memory.view().reserve((class, &request), Policy::FirstFit, Commitment::Confirmed));
                let handle = booked.map(|booking| booking.handle);
                self.ever
                    .extend(handle.map(|handle| BookPart { handle, ..part }));
                let answer = self.c.reserve_alone(book, &request);
                assert_eq!(answer.ok(), handle.ok());
                ("reserve alone", handle.map(drop), answer.map(drop))
            }
            1 => {
                let done = on!(&mut beside.own, memory => memory.view().cancel(part.handle));
                ("cancel alone", done, self.c.cancel_alone(part))
            }
            _ => {
                let done = on!(&mut beside.own, memory => memory.view().confirm(part.handle));
                ("confirm alone", done, self.c.confirm_alone(part))
            }
        };
        let code = |error: Error| u32::from(error.code());
        assert_eq!(answer, done.map_err(code));
        let of_book = |error| JointError {
            book: Some(part.book),
            error,
        };
        (act, done.map_err(of_book))
    }

    /// Does something to the periods of a quota.
    fn limit(&mut self, random: &mut ChaCha8Rng) -> (&'static str, Result<(), JointError>) {
        let book = random.random_range(0..self.kernel.len());
        let (beside, most) = (&mut self.kernel[book], random.random_range(0..90));
        if random.random_bool(0.3) && !beside.periods.is_empty() {
            let period = random.random_range(0..beside.periods.len());
            let before = of_quota!(beside, set_most(period, most));
            assert!(before.is_some());
            self.c.set_most(book, period, most);
            return ("set most", Ok(()));
        }
        let last = beside.periods.last().map_or(0, |last| last.until().get());
        let until = Slot::new(last + random.random_range(0..16));
        let over = of_quota!(beside, renew(until, most));
        assert_eq!(self.c.renew(book, until, most), over.as_ref().map(numbers));
        let act = if over.is_some() {
            "renewed"
        } else {
            "not renewed"
        };
        (act, Ok(()))
    }
}

const fn sizes(pes: u32, rows: u32) -> Sizes {
    Sizes {
        pes,
        slots: SLOTS,
        reservations: rows as usize,
    }
}

/// An empty book of the kernel and one of C's.
fn both(measure: &Measure) -> (Beside, Shelf) {
    let &(binding, pes, rows, limits) = measure;
    let (sizes, of_c) = (sizes(pes, rows), [pes, SLOTS, rows]);
    let own = match binding {
        Binding::Placed => return on_nodes(rows),
        Binding::Units => BoxedUnitBook::new(sizes).map(Own::Units),
        Binding::Late => BoxedCountBook::new(sizes).map(Own::Counts),
        Binding::LateRuled => BoxedRuledBook::<BoxedCountBook, _>::new(sizes).map(Own::Ruled),
        _ if pes <= 128 => BoxedPeBook::new(sizes).map(Own::Narrow),
        _ => BoxedPeBook::new(sizes).map(Own::Wide),
    };
    let period = |(until, most): &(u64, u64)| Period::new(Slot::new(*until), *most);
    let beside = Beside {
        own: own.expect("it is small"),
        ties: vec![Tie::NONE; rows as usize],
        periods: limits.iter().map(period).collect(),
        class: ClassId::ANY,
    };
    (beside, Shelf::new(binding, of_c, limits))
}

/// Both on a machine of four nodes, which are asked for PEs of the first two.
fn on_nodes(rows: u32) -> (Beside, Shelf) {
    let machine = Machine {
        groups: 4,
        kinds: vec![4, 2],
        missing: vec![(3, 4, 1, 0)],
        levels: vec![2],
    };
    let wish = Wish {
        eligible: Allowed::Groups(vec![(0, 2)], 1),
        shape: Shaped::Number,
        within: bookahead::Within::Anywhere,
        preference: Preferred::Lowest,
    };
    let missing = machine.fewer();
    let sizes = PlacedSizes {
        slots: SLOTS,
        reservations: rows as usize,
        classes: 1,
        order: 0,
    };
    let memory = BoxedPlacedBook::new(&machine.layout(&missing), sizes);
    let mut memory: BoxedPlacedBook<u32> = memory.expect("it is small");
    let ranges = wish.ranges();
    let class = memory.view().class_add(&wish.class(&ranges));
    let beside = Beside {
        own: Own::Placed(memory),
        ties: vec![Tie::NONE; rows as usize],
        periods: Vec::new(),
        class: class.expect("there is such a class"),
    };
    (beside, Shelf::on(&machine, [SLOTS, rows], &wish))
}

/// How long each life is, or a share of so many operations as the environment variable `BOOKAHEAD_OPERATIONS` says.
fn operations(lives: u64) -> u64 {
    std::env::var("BOOKAHEAD_OPERATIONS").map_or(4_000, |number| {
        let all: u64 = number.parse().expect("BOOKAHEAD_OPERATIONS is a number");
        all / lives
    })
}

#[test]
fn random_lives_answer_as_the_kernel() {
    use Binding::{Early, Late, LateRuled, Placed, Units};
    let worlds: [&[Measure]; 7] = [
        &[(Early, 7, 12, &[]), (Late, 3, 9, &[])],
        &[
            (Late, 9, 12, &[]),
            (Placed, 0, 14, &[]),
            (Early, 129, 9, &[]),
        ],
        // A machine, a user and a project.
        &[
            (Early, 8, 14, &[]),
            (Late, 5, 14, &[(11, 30), (19, 30), (40, 30)]),
            (Late, 6, 16, &[(16, 70), (48, 70)]),
        ],
        // A quota by itself.
        &[(Late, 4, 12, &[(8, 20), (16, 20), (24, 20), (32, 20)])],
        // Quotas of sets and with rules, and as many books as there may be.
        &[
            (Placed, 0, 12, &[]),
            (Early, 9, 12, &[(3, 16), (4, 16), (9, 16), (30, 40)]),
            (LateRuled, 6, 12, &[(20, 40), (30, 40)]),
        ],
        // Memory, and a quota of it.
        &[
            (Early, 7, 12, &[]),
            (Units, 9 * UNITS, 12, &[]),
            (Units, 6 * UNITS, 12, &[(20, 40 * UNITS as u64), (30, 40)]),
        ],
        &[(Late, 3, 9, NO_QUOTA); 8],
    ];
    let (mut tally, mut mistakes) = (BTreeMap::new(), 0);
    for (seed, measures) in (1..).zip(worlds) {
        for is_careless in [false, true] {
            let mut random = ChaCha8Rng::from_seed([seed + 100 * u8::from(is_careless); 32]);
            let mut bytes = vec![0; if is_careless { 40_009 } else { 0 }];
            random.fill_bytes(&mut bytes);
            let mut world = World::new(measures, Careless::by(bytes));
            for _ in 0..operations(2 * worlds.len() as u64) {
                world.step(&mut random);
            }
            mistakes += world.c.mistakes();
            for (name, times) in world.tally {
                *tally.entry(name).or_default() += times;
            }
        }
    }
    lived(&tally);
    assert!(mistakes > 1_000, "{mistakes} mistakes");
}

/// Lives in which something never happens prove nothing about it.
fn lived(tally: &BTreeMap<String, u32>) {
    let more = [
        "one work-limit",
        "all zero-hold",
        "reserve",
        "confirm",
        "cancel",
        "complete",
        "alter",
        "pass",
        "parts",
        "end torn",
        "renewed",
        "not renewed",
        "set most",
        "reserve alone",
        "cancel alone",
        "confirm alone",
        "started",
        "completed",
        "expired",
        "pass parts-apart",
    ];
    for name in REFUSALS.into_iter().chain(more) {
        let times = tally.get(name).copied().unwrap_or_default();
        assert!(times >= 20, "{name}: {times} times in {tally:?}");
    }
}
