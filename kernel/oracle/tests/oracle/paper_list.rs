//! The baseline answers what the plain reading of the paper answers, start and PEs, and keeps the same records.

use bookahead::{PeCount, Policy, Request, Slot, Span, Window};
use bookahead_commands::Kind;
use bookahead_oracle::Oracle;
use bookahead_oracle::papers::li::{Bits, list::PaperList};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const PES: u16 = 70;
const SLOTS: u32 = 90;

struct Pair {
    oracle: Oracle,
    paper: PaperList,
}

impl Pair {
    fn new() -> Self {
        Self {
            oracle: Oracle::new(Kind::Sets, PES.into(), SLOTS, usize::MAX),
            paper: PaperList::new(PES),
        }
    }

    fn ring(&self) -> Window {
        Window {
            start: self.oracle.now(),
            end: self.oracle.timetable().end(),
        }
    }

    /// Books under `policy` on both sides, which must choose the same.
    fn reserve(&mut self, request: &Request, policy: Policy) -> bool {
        let found = self.paper.find_allocation(self.ring(), request, policy);
        let Ok((number, start)) = self.oracle.reserve(request, policy) else {
            assert_eq!(found, None);
            return false;
        };
        let found = found.expect("the oracle found room");
        assert_eq!(found.start, start, "{policy:?} {request:?}");
        let pes: Vec<u16> = found.pes.iter().collect();
        assert_eq!(Ok(&pes[..]), self.oracle.pes_of(number));
        let window = Window::starting(start, request.duration).unwrap();
        self.paper.add_allocation(window, &found.pes);
        true
    }

    fn cancel(&mut self, nth: usize) {
        let number = self.oracle.live()[nth];
        let window = self.oracle.get(number).unwrap().window;
        let pes = Bits::of(PES, self.oracle.pes_of(number).unwrap().iter().copied());
        self.oracle.cancel(number).unwrap();
        self.paper.delete_allocation(window, &pes);
    }

    fn records_agree(&self) {
        let literal: Vec<_> = self
            .paper
            .records()
            .map(|(at, busy)| (at, busy.len()))
            .filter(|(at, _)| *at < self.ring().end)
            .collect();
        let records = self.oracle.records();
        let plain: Vec<_> = records
            .iter()
            .map(|record| (record.at, record.busy.get()))
            .collect();
        assert_eq!(literal, plain);
    }
}

fn request(rng: &mut ChaCha8Rng) -> Request {
    let duration = rng.random_range(1..=16);
    let ready = rng.random_range(0..=SLOTS - duration);
    let deadline = rng.random_range(ready + duration..=SLOTS);
    Request {
        ready: Slot::new(ready.into()),
        duration: Span::new(duration),
        deadline: Slot::new(deadline.into()),
        pes: PeCount::new(rng.random_range(1..=40_u16).into()),
    }
}

// 6 x 300 steps; each asks under all seven policies before it books under one.
#[test]
fn answers_are_those_of_the_oracle() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..6 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut pair = Pair::new();
        for step in 0..300 {
            let asked = request(&mut rng);
            for policy in Policy::ALL {
                let literal = pair.paper.find_allocation(pair.ring(), &asked, policy);
                let plain = pair.oracle.plan(&asked, policy).ok();
                assert_eq!(
                    literal.map(|found| found.start),
                    plain.map(|found| found.start),
                    "{policy:?}"
                );
            }
            let booked = pair.reserve(&asked, Policy::ALL[step % 7]);
            accepted += u32::from(booked);
            refused += u32::from(!booked);
            let live = pair.oracle.live().len();
            if live > 20 || (live > 0 && rng.random_range(0..4) == 0) {
                pair.cancel(rng.random_range(0..live));
            }
            pair.records_agree();
        }
    }
    assert!(
        accepted > 300 && refused > 300,
        "{accepted} accepted, {refused} refused"
    );
}

#[test]
fn an_empty_list_starts_at_once() {
    let mut pair = Pair::new();
    let asked = Request {
        ready: Slot::new(5),
        duration: Span::new(3),
        deadline: Slot::new(80),
        pes: PeCount::new(PES.into()),
    };
    for policy in Policy::ALL {
        let found = pair
            .paper
            .find_allocation(pair.ring(), &asked, policy)
            .unwrap();
        assert_eq!((found.start, found.pes), (asked.ready, Bits::full(PES)));
    }
    assert!(pair.reserve(&asked, Policy::FirstFit));
    pair.cancel(0);
    assert_eq!(pair.paper.records().count(), 0);
}
