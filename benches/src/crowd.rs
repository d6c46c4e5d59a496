//! A crowded machine: reservations that wait, and newcomers that find no room as things are.

use std::{cmp::Reverse, iter::repeat_with};

use bookahead::{
    Book, Commitment, Flexibility, Freeze, Juggling, Order, PeCount, Policy, Request, Reservation,
    Slot, Span, raw::CountRing,
};
use bookahead_heap::{BoxedCountBook, BoxedWorkspace, Sizes};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::workload::{log_uniform, unit};

/// PEs of the machine.
pub(crate) const PES: u16 = 128;
/// Slots of the ring.
pub(crate) const SLOTS: u32 = 8_640;
/// Reservations that wait.
pub(crate) const WAITING: usize = 1_000;
/// Newcomers that are measured.
const NEWCOMERS: usize = 512;
/// The widest window, in durations beyond the first.
const FLEXIBILITY: f64 = 5.0;

pub(crate) const FLEXIBLE: Commitment = Commitment::Flexible {
    kind: Flexibility::Interval,
    freeze: Freeze::Never,
};

/// By which the waiting ones were accepted.
pub(crate) const RULES: Juggling<'_> = Juggling::by(Order::EarliestDeadline);

/// What waits: requests whose runs and sizes are log-uniform from 1 on.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    /// The longest run, in slots.
    pub longest: u32,
    /// The widest request, in PEs.
    pub widest: u32,
    /// So many are drawn at first and admitted largest first, which fills more of the machine; all others as they are drawn.
    pub largest_first: usize,
}

/// Memory lent to searches.
pub(crate) fn workspace() -> BoxedWorkspace<()> {
    BoxedWorkspace::late(2 * WAITING, 2 * WAITING).expect("a little memory")
}

pub(crate) fn juggle(
    workspace: &mut BoxedWorkspace<()>,
    book: &mut Book<'_, CountRing<'_>>,
    request: &Request,
) -> Option<Slot> {
    let juggled = book.juggle(request, FLEXIBLE, &RULES, workspace.view());
    juggled.ok().map(|booking| booking.start)
}

/// The machine.
pub(crate) struct Crowd {
    pub(crate) book: BoxedCountBook,
    /// Requests that do not fit as things are.
    pub(crate) newcomers: Vec<Request>,
}

impl Crowd {
    /// So many reservations that wait, as many as are measured that do not fit.
    pub(crate) fn new(mix: Mix, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut book = filled(mix, &mut rng);
        let newcomers = refused(&mut book.view(), mix, &mut rng);
        Self { book, newcomers }
    }

    /// Those that wait, in order of acceptance: nothing has been cancelled, so rows are in that order.
    pub(crate) fn waiting(&mut self) -> Vec<Reservation> {
        let book = self.book.view();
        let mut known: Vec<_> = book.iter().collect();
        known.sort_by_key(|(handle, _)| handle.to_bits() as u32);
        known.into_iter().map(|(_, known)| known).collect()
    }

    /// The share of the machine that they fill.
    pub(crate) fn load(&mut self) -> f64 {
        let filled: u64 = self
            .waiting()
            .iter()
            .map(|known| size(&known.request))
            .sum();
        filled as f64 / (f64::from(PES) * f64::from(SLOTS))
    }
}

/// A book with so many reservations that wait.
fn filled(mix: Mix, rng: &mut ChaCha8Rng) -> BoxedCountBook {
    let mut workspace = workspace();
    let sizes = Sizes {
        pes: PES.into(),
        slots: SLOTS,
        reservations: WAITING + 1,
    };
    let mut memory = BoxedCountBook::new(sizes).expect("it is small");
    let mut book = memory.view();
    let mut first: Vec<_> = repeat_with(|| request(mix, rng))
        .take(mix.largest_first)
        .collect();
    first.sort_by_key(|request| Reverse(size(request)));
    let mut drawn = first.into_iter();
    while book.len() < WAITING {
        let next = drawn.next().unwrap_or_else(|| request(mix, rng));
        juggle(&mut workspace, &mut book, &next);
    }
    memory
}

/// PE-slots.
fn size(request: &Request) -> u64 {
    u64::from(request.duration.get()) * u64::from(request.pes.get())
}

/// Requests that do not fit as things are.
fn refused(book: &mut Book<'_, CountRing<'_>>, mix: Mix, rng: &mut ChaCha8Rng) -> Vec<Request> {
    let requests = repeat_with(|| request(mix, rng));
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
            pes: PeCount::new((log_uniform(rng, mix.widest) as u16).into()),
        };
        if request.deadline.get() <= u64::from(SLOTS) {
            return request;
        }
    }
}
