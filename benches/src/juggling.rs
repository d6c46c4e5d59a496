//! What a juggling admission costs, beside algorithm 1 of `netto` as it is printed on an ordered map, and beside arranging everything anew.

use bookahead::{
    Book, Commitment, Flexibility, Freeze, Juggling, Movable, Order, PeCount, Policy, Request,
    Slot, Span,
    raw::{CountRing, UndoEntry, UndoLog},
};
use bookahead_heap::{BoxedCountBook, Sizes};
use bookahead_oracle::papers::netto::literal::{Job, Provider, Reading};

use crate::workload::{log_uniform, unit};
use crate::{Mean, Stopwatch};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// PEs of the machine.
const PES: u16 = 128;
/// Slots of the ring.
const SLOTS: u32 = 8_640;
/// Reservations that wait.
const WAITING: usize = 1_000;
/// Newcomers that are measured.
const NEWCOMERS: usize = 512;
/// The widest window, in durations beyond the first.
const FLEXIBILITY: f64 = 5.0;

/// The longest run and the widest request of a workload; both are log-uniform from 1 on.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    /// In slots.
    pub longest: u32,
    /// In PEs.
    pub widest: u32,
}

/// What was measured.
pub struct Costs {
    /// A juggling admission, whatever comes of it.
    pub juggle: Mean,
    /// The same newcomers, by algorithm 1 as printed.
    pub literal: Mean,
    /// Arranging all waiting reservations anew.
    pub replan: Mean,
    /// How many of the newcomers were accepted.
    pub accepted: usize,
    /// The share of the machine that the waiting reservations fill.
    pub load: f64,
}

const FLEXIBLE: Commitment = Commitment::Flexible {
    kind: Flexibility::Interval,
    freeze: Freeze::Never,
};

const RULES: Juggling<'_> = Juggling::by(Order::EarliestDeadline);

/// Memory lent to searches.
struct Lent {
    entries: Vec<UndoEntry>,
    waiting: Vec<Movable>,
}

impl Lent {
    fn new() -> Self {
        Self {
            entries: vec![UndoEntry::NONE; 2 * WAITING],
            waiting: vec![Movable::NONE; 2 * WAITING],
        }
    }

    fn juggle(&mut self, book: &mut Book<'_, CountRing<'_>>, request: &Request) -> Option<Slot> {
        let log = UndoLog::new(&mut self.entries, &mut []);
        let juggled = book.juggle(request, FLEXIBLE, &RULES, log, &mut self.waiting);
        juggled.ok().map(|booking| booking.start)
    }

    /// Arranges everything anew, and rolls it back.
    fn replan(&mut self, book: &mut Book<'_, CountRing<'_>>) {
        let log = UndoLog::new(&mut self.entries, &mut []);
        let mut transaction = book.transaction(log, u64::MAX);
        transaction
            .replan(&RULES, &mut self.waiting)
            .expect("nothing limits it");
    }
}

/// Measures newcomers that a plain fit refuses, `rounds` times each.
///
/// # Panics
///
/// When the algorithms disagree.
#[must_use]
pub fn measure(watch: &Stopwatch, mix: Mix, seed: u64, rounds: usize) -> Costs {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut lent = Lent::new();
    let full = filled(mix, &mut rng, &mut lent);
    let mut memory = full.clone();
    let newcomers = refused(&mut memory.view(), mix, &mut rng);
    let provider = provider(&memory.view());
    let mut costs = Costs {
        juggle: Mean::over(1),
        literal: Mean::over(1),
        replan: Mean::over(1),
        accepted: 0,
        load: load(&memory.view()),
    };
    for round in 0..rounds {
        for (turn, request) in newcomers.iter().enumerate() {
            let mut start = None;
            let mut book = memory.view();
            let sum = watch.time(&[()], |()| start = lent.juggle(&mut book, request));
            costs.juggle.add(turn, sum);
            let mut provider = provider.clone();
            let job = job(WAITING as u64, request, request.ready);
            let mut printed = None;
            let sum = watch.time(&[()], |()| {
                let order = |job: &Job| job.deadline;
                printed = provider.algorithm_1(job, order, Reading::Retry).ok();
            });
            costs.literal.add(turn, sum);
            assert_eq!(start.map(Slot::get), printed, "{request:?}");
            if start.is_some() {
                costs.accepted += usize::from(round == 0);
                memory = full.clone();
            }
        }
        let mut book = memory.view();
        costs
            .replan
            .add(0, watch.time(&[()], |()| lent.replan(&mut book)));
    }
    costs
}

/// A book with so many reservations that wait.
fn filled(mix: Mix, rng: &mut ChaCha8Rng, lent: &mut Lent) -> BoxedCountBook {
    let sizes = Sizes {
        pes: PES,
        slots: SLOTS,
        reservations: WAITING + 1,
    };
    let mut memory = BoxedCountBook::new(sizes).expect("it is small");
    let mut book = memory.view();
    while book.len() < WAITING {
        lent.juggle(&mut book, &request(mix, rng));
    }
    memory
}

/// Requests that do not fit as things are.
fn refused(book: &mut Book<'_, CountRing<'_>>, mix: Mix, rng: &mut ChaCha8Rng) -> Vec<Request> {
    let requests = std::iter::repeat_with(|| request(mix, rng));
    let unfit = requests.filter(|request| book.plan(request, Policy::FirstFit).is_err());
    unfit.take(NEWCOMERS).collect()
}

/// A request whose window lies in the ring.
fn request(mix: Mix, rng: &mut ChaCha8Rng) -> Request {
    loop {
        let duration = log_uniform(rng, mix.longest);
        let ready = Slot::new((unit(rng) * f64::from(SLOTS)) as u64);
        let window = ((1.0 + FLEXIBILITY * unit(rng)) * f64::from(duration)) as u32;
        let request = Request {
            ready,
            duration: Span::new(duration),
            deadline: ready.saturating_add(Span::new(window)),
            pes: PeCount::new(log_uniform(rng, mix.widest) as u16),
        };
        if request.deadline.get() <= u64::from(SLOTS) {
            return request;
        }
    }
}

fn load(book: &Book<'_, CountRing<'_>>) -> f64 {
    let size = |request: Request| u64::from(request.duration.get()) * u64::from(request.pes.get());
    let filled: u64 = book.iter().map(|(_, known)| size(known.request)).sum();
    filled as f64 / (f64::from(PES) * f64::from(SLOTS))
}

/// The same state for the algorithm as printed. Nothing has been cancelled, so rows are in order of acceptance.
fn provider(book: &Book<'_, CountRing<'_>>) -> Provider {
    let mut known: Vec<_> = book.iter().collect();
    known.sort_by_key(|(handle, _)| handle.to_bits() as u32);
    let mut provider = Provider::new(PES.into(), 0, SLOTS.into());
    for (number, (_, known)) in known.iter().enumerate() {
        provider.accept(job(number as u64, &known.request, known.window.start), true);
    }
    provider
}

fn job(number: u64, request: &Request, start: Slot) -> Job {
    Job {
        number,
        ready: request.ready.get(),
        deadline: request.deadline.get(),
        duration: request.duration.get().into(),
        pes: request.pes.get().into(),
        deadline_only: false,
        start: start.get(),
    }
}
