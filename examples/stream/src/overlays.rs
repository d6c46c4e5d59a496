//! A book with overlays by itself. Which calls are made follows from a generator and from what the book answers, so hosts and devices make the
//! same ones. Each line has a call and its result, probabilities bit by bit, so that programs in other languages make the calls that it names.

use core::fmt;

use bookahead::{
    Commitment, Error, Event, EventKind, Exponential, Guarantee, Handle, History, OverlayBook,
    OverlayPlan, OverlayView, Overlaying, PeCount, Policy, Probability, Refusal, Request,
    Reservation, Run, RunTimeLaw, SizeError, Slot, Span, State,
};
use heapless::Vec;

const PES: u16 = 16;
const SLOTS: u32 = 64;
const ROWS: usize = 24;
const STEPS: u32 = 1_500;
/// Jobs are numbered from 0 to less than this; an event of a job whose number another has got since is about this one.
const JOBS: usize = 24;
const BIN: Span = Span::new(3);

/// Memory of the book.
pub type Overlaid = OverlayBook<1, { PES as usize }, ROWS>;

/// An empty book; an error only for sizes that do not fit.
pub const OVERLAID: Result<Overlaid, SizeError> =
    Overlaid::new(PeCount::new(PES), Span::new(SLOTS));

/// The first lines, which say what the numbers of the others are.
pub const OVERLAY_HEADERS: [&str; 8] = [
    "advance to",
    "event at kind job overlaid",
    "waits job running",
    "reserve job ready duration deadline pes code start",
    "overlay job ready duration deadline pes law slots guarantee threshold hold code start overlaid probability",
    "complete job booked ran code",
    "confirm job code",
    "cancel job code",
];

/// A call with its result, or an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    what: &'static str,
    numbers: Vec<u64, 14>,
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)?;
        let mut numbers = self.numbers.iter();
        numbers.try_for_each(|number| write!(f, " {number}"))
    }
}

/// Makes the calls on an empty book, and hands each line to `sink`.
pub fn overlays(book: OverlayView<'_>, sink: impl FnMut(&Told)) {
    let mut life = Life {
        book,
        sink,
        random: 0x9E37_79B9_7F4A_7C15,
        jobs: [Handle::from_bits(u64::MAX); JOBS],
        times: [0; 9],
        shares: [0; 9],
    };
    for _ in 0..STEPS {
        match life.draw(8) {
            0..=3 => life.reserve(),
            4 => life.complete(),
            5 => life.confirm_or_cancel(),
            _ => life.advance(),
        }
    }
}

struct Life<'m, S> {
    book: OverlayView<'m>,
    sink: S,
    random: u64,
    jobs: [Handle; JOBS],
    /// How long jobs ran, in bins of slots, and which shares of what they had booked.
    times: [u32; 9],
    shares: [u32; 9],
}

impl<S: FnMut(&Told)> Life<'_, S> {
    /// A number below `limit`.
    fn draw(&mut self, limit: u64) -> u64 {
        for shift in [13, -7, 17_i32] {
            self.random ^= match shift {
                0.. => self.random << shift,
                _ => self.random >> -shift,
            };
        }
        self.random % limit
    }

    fn say(&mut self, what: &'static str, numbers: impl IntoIterator<Item = u64>) {
        let numbers = numbers.into_iter().collect();
        (self.sink)(&Told { what, numbers });
    }

    fn handle(&self, job: u64) -> Handle {
        let handle = self.jobs.get(job as usize);
        handle.copied().unwrap_or(Handle::from_bits(u64::MAX))
    }

    fn note(&mut self, job: u64, handle: Handle) {
        if let Some(known) = self.jobs.get_mut(job as usize) {
            *known = handle;
        }
    }

    fn reserve(&mut self) {
        let (job, now) = (self.draw(JOBS as u64), self.book.now().get());
        let (ready, duration) = (now + self.draw(12), 1 + self.draw(24));
        let (deadline, pes) = (ready + duration + self.draw(6), 1 + self.draw(8));
        let request = Request {
            ready: Slot::new(ready),
            duration: Span::new(duration as u32),
            deadline: Slot::new(deadline),
            pes: PeCount::new(pes as u16),
        };
        let booked = self
            .book
            .reserve(&request, Policy::FirstFit, Commitment::Confirmed);
        let asked = [job, ready, duration, deadline, pes];
        let start = booked.map_or(0, |booking| booking.start.get());
        self.say("reserve", asked.into_iter().chain([code(booked), start]));
        match booked {
            Ok(booking) => self.note(job, booking.handle),
            Err(Error::Refused(Refusal::NoRoom)) => self.overlay(asked, &request),
            Err(_) => (),
        }
    }

    fn overlay(&mut self, asked: [u64; 5], request: &Request) {
        let how = [3, 20, 2, 16, 12].map(|limit| self.draw(limit));
        let (job, done) = (asked[0], self.accept(request, how));
        let found = done.map_or([0; 3], |(plan, _)| {
            let start = plan.plan().window().start.get();
            let probability = plan.probability().get().to_bits();
            [start, plan.overlaid().get().into(), probability.into()]
        });
        let asked = asked.into_iter().chain(how).chain([code(done)]);
        self.say("overlay", asked.chain(found));
        if let Ok((_, handle)) = done {
            self.note(job, handle);
        }
    }

    /// By a law with so many slots on average, for a guarantee and a threshold in sixteenths, held where the last number is more than 8.
    fn accept(
        &mut self,
        request: &Request,
        [law, slots, guarantee, threshold, hold]: [u64; 5],
    ) -> Result<(OverlayPlan, Handle), Error> {
        let history = match law {
            0 => History::of_service_times(BIN, &mut self.times),
            1 => History::of_used_shares(&mut self.shares),
            _ => None,
        };
        let law = match &history {
            Some(history) => RunTimeLaw::Empirical(history),
            None => {
                RunTimeLaw::Exponential(Exponential::new(1, slots + 1).ok_or(Refusal::TooRisky)?)
            }
        };
        let overlaying = Overlaying {
            guarantee: match guarantee {
                0 => Guarantee::Access,
                _ => Guarantee::Completion,
            },
            threshold: Probability::rounding_up(threshold as u32, 16).unwrap_or_default(),
            law,
        };
        let mut runs = Vec::<Run<'_>, ROWS>::new();
        let mut table = [Probability::ZERO; PES as usize];
        let book = &mut self.book;
        let plan = book.plan_overlay(request, &overlaying, |_, _| law, &mut runs, &mut table)?;
        let commitment = match hold.saturating_sub(8) as u32 {
            0 => Commitment::Confirmed,
            ttl => Commitment::Held {
                ttl: Span::new(ttl),
            },
        };
        let handle = book.commit_overlay(&plan, commitment)?;
        Ok((plan, handle))
    }

    /// Ends a running job early, and notes how long it ran.
    fn complete(&mut self) {
        let (first, now) = (self.draw(JOBS as u64), self.book.now());
        let mut jobs = (0..JOBS as u64).map(|job| (first + job) % JOBS as u64);
        let running = |job| {
            let known: Reservation = self.book.get(self.handle(job)).ok()?;
            (known.state == State::Running).then_some((job, known.window))
        };
        let Some((job, window)) = jobs.find_map(running) else {
            return;
        };
        let [booked, ran] =
            [window.end, now].map(|end| end.since(window.start).unwrap_or_default());
        let done = self.book.complete(self.handle(job), now);
        let numbers = [job, booked.get().into(), ran.get().into(), code(done)];
        self.say("complete", numbers);
        let times = History::of_service_times(BIN, &mut self.times);
        let shares = History::of_used_shares(&mut self.shares);
        for mut history in times.into_iter().chain(shares).filter(|_| done.is_ok()) {
            history.record(booked, ran);
        }
    }

    fn confirm_or_cancel(&mut self) {
        let (job, confirms) = (self.draw(JOBS as u64), self.draw(3) > 0);
        let handle = self.handle(job);
        match confirms {
            true => {
                let done = self.book.confirm(handle);
                self.say("confirm", [job, code(done)]);
            }
            false => {
                let done = self.book.cancel(handle);
                self.say("cancel", [job, code(done)]);
            }
        }
    }

    fn advance(&mut self) {
        let to = self
            .book
            .now()
            .saturating_add(Span::new(1 + self.draw(3) as u32));
        self.say("advance", [to.get()]);
        while let Ok(Some(event)) = self.book.next(to) {
            self.event(&event);
        }
    }

    fn event(&mut self, event: &Event) {
        let known = self.jobs.iter().position(|known| *known == event.handle);
        let job = known.unwrap_or(JOBS) as u64;
        let overlaid = self.book.overlaid(event.handle).unwrap_or_default().get();
        let kind = event.kind.code().into();
        self.say("event", [event.at.get(), kind, job, overlaid.into()]);
        if event.kind == EventKind::LateStart
            && let Ok(running) = self.book.waits_for(event.handle).map(Iterator::count)
        {
            self.say("waits", [job, running as u64]);
        }
    }
}

fn code<T>(done: Result<T, Error>) -> u64 {
    done.err().map_or(0, Error::code).into()
}
