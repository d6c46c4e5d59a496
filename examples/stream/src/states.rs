//! Calls that meet a reservation in every state, with every value that matters, on books where nothing else goes on.

use bookahead::{
    Alteration, BestEffortJob, Discipline, ElasticRequest, Money, OfferOrder, Part, PeCount,
    Placement, Policy, Request, Search, Slot, Span,
};
use bookahead_stream::{Action, Choice, Deed, ENTRIES, Manner, PES, SLOTS};

use crate::generate::{Draw, needed, tried};

/// Jobs in every state, at one slot.
struct Cast {
    held: u16,
    confirmed: u16,
    /// Booked later than it would have to be, its ready time has passed.
    loose: u16,
    running: u16,
    completing: u16,
    ended: u16,
    never: u16,
    /// Leaves too few for most from its start on.
    wall: u16,
}

impl Cast {
    const fn all(&self) -> [u16; 7] {
        [
            self.held,
            self.confirmed,
            self.loose,
            self.running,
            self.completing,
            self.ended,
            self.never,
        ]
    }
}

fn request(ready: u64, duration: u32, deadline: u64, pes: u16) -> Request {
    Request {
        ready: Slot::new(ready),
        duration: Span::new(duration),
        deadline: Slot::new(deadline),
        pes: PeCount::new(pes),
    }
}

fn placement(start: u64, duration: u32, pes: u16) -> Placement {
    Placement {
        start: Slot::new(start),
        duration: Span::new(duration),
        pes: PeCount::new(pes),
    }
}

fn shift(start: u64) -> Alteration {
    Alteration::Shift {
        start: Slot::new(start),
    }
}

fn extend(duration: u32) -> Alteration {
    Alteration::Extend {
        duration: Span::new(duration),
    }
}

fn shorten(duration: u32) -> Alteration {
    Alteration::Shorten {
        duration: Span::new(duration),
    }
}

fn widen(pes: u16) -> Alteration {
    Alteration::Widen {
        pes: PeCount::new(pes),
    }
}

fn narrow(pes: u16) -> Alteration {
    Alteration::Narrow {
        pes: PeCount::new(pes),
    }
}

fn change_window(ready: u64, deadline: u64) -> Alteration {
    Alteration::ChangeWindow {
        ready: Slot::new(ready),
        deadline: Slot::new(deadline),
    }
}

impl Draw {
    /// From slot `from` on, by which everything that was booked is over.
    pub(crate) fn every_state(&mut self, from: u64) {
        let cast = self.cast(from);
        let slot = from + 3;
        for job in cast.all() {
            self.what_if(slot, from, job);
        }
        self.limits(slot, from, &cast);
        self.inserts(slot, from);
        self.groups(slot, from);
        self.explanations(slot, from);
        for job in cast.all() {
            self.owner(slot + 1, from, job);
        }
        self.incarnations(slot + 60);
    }

    fn cast(&mut self, from: u64) -> Cast {
        self.ask(from, Action::Queue(Discipline::Fcfs));
        let mut reserve = |request| self.ask(from, Action::Reserve(request, Policy::FirstFit));
        let running = reserve(request(from, 40, from + 100, 6));
        let completing = reserve(request(from, 40, from + 100, 4));
        let wall = reserve(request(from + 60, 20, from + 80, 20));
        let confirmed = reserve(request(from + 40, 10, from + 90, 8));
        let ended = reserve(request(from + 40, 10, from + 90, 8));
        self.call(from, ended, Action::Cancel);
        let held = request(from + 40, 10, from + 90, 8);
        let held = self.ask(from, Action::Hold(held, Policy::FirstFit, Span::new(30)));
        let loose = self.jobs();
        let early = request(from, 10, from + 90, 8);
        let insert = Deed::Insert(loose, Slot::new(from + 42), early, None);
        self.script(from, false, vec![needed(insert)]);
        self.call(from + 1, completing, Action::Complete(Slot::new(from + 30)));
        // Asked before it has started, and never again.
        let never = self.ask(from, Action::Confirm);
        Cast {
            held,
            confirmed,
            loose,
            running,
            completing,
            ended,
            never,
            wall,
        }
    }

    /// Every step on a job, with every value that matters; nothing becomes true.
    fn what_if(&mut self, slot: u64, from: u64, job: u16) {
        let alter = |alteration| tried(Deed::Alter(job, alteration));
        let later = slot + 30;
        let shifts = [
            shift(later + 15),
            shift(from + 42),
            shift(from + 300),
            shift(from + 1),
            shift(from + 65),
        ];
        let lengths = [
            extend(5),
            extend(12),
            extend(45),
            extend(300),
            extend(u32::MAX),
            shorten(50),
            shorten(0),
            shorten(2),
            shorten(6),
        ];
        let widths = [
            widen(1),
            widen(PES + 1),
            widen(PES),
            widen(9),
            narrow(30),
            narrow(0),
            narrow(2),
        ];
        let windows = [
            change_window(from + 1, from + 90),
            change_window(later, later + 1),
            change_window(later, from + u64::from(SLOTS) + 10),
            change_window(later, from + 95),
            change_window(from + 62, from + 78),
            change_window(from + 62, from + 120),
        ];
        for alterations in [&shifts[..], &lengths, &widths, &windows] {
            let steps = alterations.iter().map(|one| alter(*one)).collect();
            self.script(slot, true, steps);
        }
        let rest = self.jobs();
        let split = |at: u64| tried(Deed::Split(rest, job, Slot::new(at)));
        self.script(
            slot,
            true,
            vec![
                split(from + 45),
                split(from + 2),
                split(from + 20),
                split(from + 300),
            ],
        );
        let place = |at: Placement| tried(Deed::Place(job, at));
        let (lift, fit) = (
            tried(Deed::Lift(job)),
            tried(Deed::PlaceFirstFit(job, Slot::new(later))),
        );
        self.script(
            slot,
            true,
            vec![
                place(placement(later, 5, 2)),
                fit,
                tried(Deed::Savepoint(0)),
                lift,
                lift,
                alter(shift(later + 20)),
                split(from + 45),
                place(placement(later, 0, 2)),
                place(placement(later, 5, 0)),
                place(placement(later, 5, PES + 1)),
                place(placement(from, 2, 2)),
                fit,
            ],
        );
        let back = tried(Deed::Rollback(0));
        self.script(
            slot,
            true,
            vec![
                tried(Deed::Savepoint(0)),
                lift,
                place(placement(from + 1, 5, 2)),
                place(placement(from + 300, 5, 2)),
                place(placement(from + 65, 5, PES)),
                place(placement(from, 30, 3)),
                back,
                lift,
                place(placement(from + 50, 5, 3)),
                back,
                tried(Deed::Remove(job)),
                tried(Deed::Remove(job)),
            ],
        );
        // What is refused ends it.
        self.script(
            slot,
            false,
            vec![needed(Deed::Lift(job)), needed(fit.deed), back],
        );
        self.script(slot, false, vec![needed(Deed::Lift(job))]);
        self.script(slot, true, vec![needed(Deed::Lift(job))]);
    }

    /// Too little work, too few entries, and savepoints that are not there.
    fn limits(&mut self, slot: u64, from: u64, cast: &Cast) {
        let later = Slot::new(from + 50);
        let job = cast.confirmed;
        let rest = self.jobs();
        let each = [
            Deed::Lift(job),
            Deed::Remove(job),
            Deed::Alter(job, shift(from + 45)),
            Deed::Alter(job, change_window(from + 62, from + 120)),
            Deed::Split(rest, job, Slot::new(from + 45)),
            Deed::Insert(rest, later, request(from + 40, 10, from + 90, 1), None),
        ];
        for deed in each {
            self.limited(slot, 9, ENTRIES, false, vec![needed(deed)]);
            self.limited(slot, 1_000, 0, false, vec![needed(deed)]);
        }
        let lift = needed(Deed::Lift(job));
        let fit = needed(Deed::PlaceFirstFit(job, later));
        let place = needed(Deed::Place(job, placement(from + 45, 10, 8)));
        let savepoint = needed(Deed::Savepoint(0));
        for last in [fit, place] {
            self.limited(slot, 15, ENTRIES, false, vec![lift, last]);
            self.limited(slot, 1_000, 1, false, vec![lift, savepoint, last]);
        }
        // What is not lifted, what is lifted already, and too late in its window.
        self.script(slot, false, vec![place]);
        self.script(slot, false, vec![lift, lift]);
        let late = needed(Deed::PlaceFirstFit(job, Slot::new(from + 85)));
        self.script(slot, false, vec![lift, late]);
        // Who is in the way of a place, and of a new one.
        let wide = needed(Deed::Place(job, placement(from + 55, 10, PES)));
        self.script(slot, false, vec![lift, wide]);
        let wide = request(from + 50, 15, from + 90, PES);
        let insert = needed(Deed::Insert(rest, Slot::new(from + 50), wide, None));
        self.script(slot, false, vec![insert]);
        for number in [3, 200] {
            self.script(slot, false, vec![needed(Deed::Rollback(number))]);
            self.script(slot, false, vec![needed(Deed::RollbackIfRefused(number))]);
        }
        self.script(slot, false, vec![needed(Deed::Savepoint(200))]);
        let gone = vec![
            savepoint,
            needed(Deed::Alter(job, shift(from + 45))),
            needed(Deed::Savepoint(1)),
            needed(Deed::Rollback(0)),
            needed(Deed::Rollback(1)),
        ];
        self.script(slot, false, gone);

        // What is planned is applied once; a new reservation is not made that way.
        let swap = vec![
            lift,
            needed(Deed::Lift(cast.wall)),
            needed(Deed::Remove(cast.ended)),
        ];
        self.script(slot, true, swap);
        let moved = vec![lift, needed(Deed::Place(job, placement(from + 44, 8, 6)))];
        self.script(slot, true, moved);
        self.ask(slot, Action::Apply(3, ENTRIES));
        self.ask(slot, Action::Apply(100, 0));
        self.ask(slot, Action::Apply(100, 1));
        self.ask(slot, Action::Apply(100, 1));
        let new = request(from + 40, 10, from + 90, 1);
        let new = needed(Deed::Insert(rest, Slot::new(from + 50), new, None));
        self.script(slot, true, vec![new]);
        self.ask(slot, Action::Apply(100, ENTRIES));
    }

    fn inserts(&mut self, slot: u64, from: u64) {
        let job = self.jobs();
        let at = |start: u64, request: Request, ttl: Option<u32>| {
            tried(Deed::Insert(
                job,
                Slot::new(start),
                request,
                ttl.map(Span::new),
            ))
        };
        let (ready, end) = (from + 40, from + 90);
        let start = from + 41;
        self.script(
            slot,
            true,
            vec![
                at(start, request(ready, 10, end, 1), Some(0)),
                at(start, request(ready, 0, end, 1), None),
                at(start, request(ready, 10, end, 0), None),
                at(start, request(ready, 10, end, PES + 1), None),
                at(start, request(ready, SLOTS + 1, end + 300, 1), None),
                at(start, request(from, 10, end, 1), None),
                at(start, request(ready, 10, ready + 9, 1), None),
                at(start, request(ready, 10, end + 300, 1), None),
                at(ready - 1, request(ready, 10, end, 1), None),
                at(end - 9, request(ready, 10, end, 1), None),
                at(start, request(ready, 10, end, PES), None),
                at(start, request(ready, 10, end, 1), Some(7)),
            ],
        );
        // A new one is altered, split and given back by those that made it.
        let rest = self.jobs() + 1;
        let (one, two) = (self.jobs(), rest);
        self.script(
            slot,
            false,
            vec![
                needed(Deed::Insert(
                    one,
                    Slot::new(ready),
                    request(ready, 10, end, 2),
                    None,
                )),
                needed(Deed::Alter(one, extend(12))),
                needed(Deed::Split(two, one, Slot::new(ready + 4))),
                needed(Deed::Lift(two)),
                needed(Deed::PlaceFirstFit(two, Slot::new(ready + 6))),
            ],
        );
        self.ask(
            slot,
            Action::Covering(bookahead::Window {
                start: Slot::new(ready),
                end: Slot::new(end),
            }),
        );
    }

    /// Series and parts that are refused for every reason.
    fn groups(&mut self, slot: u64, from: u64) {
        let first = request(from + 40, 10, from + 60, 2);
        let firm = None;
        self.series(slot, first, Some(Span::ZERO), 10, 2, &[]);
        self.series(slot, first, firm, 0, 2, &[]);
        self.series(slot, first, firm, 10, 0, &[]);
        self.series(slot, first, firm, 10, 2, &[1, 0, 1]);
        self.series(slot, first, firm, 10, 9, &[]);
        self.series(slot, first, firm, 100, 5, &[]);
        self.series(slot, request(from, 10, from + 60, 2), firm, 10, 2, &[]);
        self.series(slot, request(from + 40, 0, from + 60, 2), firm, 10, 2, &[]);
        self.series(slot, request(from + 40, 10, from + 60, 0), firm, 10, 2, &[]);
        self.series(
            slot,
            request(from + 40, 10, from + 60, PES + 1),
            firm,
            10,
            2,
            &[],
        );
        self.series(slot, request(from + 40, 10, from + 45, 2), firm, 10, 2, &[]);
        self.series(
            slot,
            request(from + 40, 300, from + 400, 2),
            firm,
            10,
            2,
            &[],
        );
        // The wall is in the way of some of them.
        self.series(slot, request(from + 44, 5, from + 50, 14), firm, 7, 5, &[2]);
        let some = self.series(slot, request(from + 90, 5, from + 99, 9), firm, 6, 4, &[]);
        self.call(slot, some + 1, Action::Cancel);
        self.call(slot + 1, some, Action::CancelAll(4));
        self.call(slot + 1, some, Action::CancelAll(5));
        self.call(slot + 1, some, Action::CancelAll(0));

        let part = |offset, duration, pes| Part {
            offset: Span::new(offset),
            duration: Span::new(duration),
            pes: PeCount::new(pes),
        };
        let window = (from + 40, from + 120);
        let fine = [part(0, 10, 3), part(5, 10, 20)];
        self.together(slot, window, Some(Span::ZERO), &fine);
        self.together(slot, window, firm, &[]);
        self.together(slot, window, firm, &[part(0, 0, 3)]);
        self.together(slot, window, firm, &[part(0, 10, 3), part(0, 10, 0)]);
        self.together(slot, window, firm, &[part(0, 10, PES + 1)]);
        self.together(slot, (from, from + 60), firm, &fine);
        self.together(slot, (from + 40, from + 54), firm, &fine);
        self.together(slot, (from + 40, from + 400), firm, &fine);
        self.together(slot, (from + 55, from + 75), firm, &fine);
        self.together(slot, window, firm, &fine);
        self.together(
            slot,
            window,
            Some(Span::new(4)),
            &[part(3, 10, 20), part(0, 4, 10)],
        );
    }

    fn explanations(&mut self, slot: u64, from: u64) {
        for asked in [
            request(from + 50, 10, from + 78, PES),
            request(from + 50, 10, from + 120, PES),
            request(from + 61, 10, from + 75, 14),
            request(from + 40, 0, from + 60, 2),
            request(from + 40, 10, from + 60, 0),
            request(from + 40, 10, from + 60, PES + 1),
            request(from + 40, 300, from + 60, 1),
            request(from, 10, from + 60, 1),
            request(from + 40, 10, from + 49, 1),
            request(from + 40, 10, from + 400, 1),
            request(from + 4, 250, from + 255, PES),
        ] {
            self.ask(slot, Action::Explain(asked));
        }
    }

    /// What the owner of a job does by himself, one call after the other.
    fn owner(&mut self, slot: u64, from: u64, job: u16) {
        for alteration in [
            shift(from + 300),
            extend(1),
            extend(45),
            extend(300),
            shorten(50),
            shorten(0),
            shorten(38),
            widen(1),
            widen(PES + 1),
            widen(PES),
            widen(9),
            narrow(30),
            narrow(0),
            narrow(3),
            change_window(from + 1, from + 90),
            change_window(from + 45, from + 46),
            change_window(from + 45, from + 300),
            change_window(from + 45, from + 150),
            shift(from + 65),
            shift(from + 1),
        ] {
            self.call(slot, job, Action::Alter(alteration));
        }
        for at in [from + 300, from + 20, from + 50] {
            self.ask(slot, Action::Split(job, Slot::new(at)));
        }
    }

    /// Books and queues with numbers, and plans that last.
    fn incarnations(&mut self, slot: u64) {
        let asked = request(slot + 100, 10, slot + 150, 3);
        let plan = Action::Plan(asked, Policy::FirstFit);
        self.ask(slot, plan.clone());
        // Nothing happens meanwhile.
        self.ask(slot + 2, Action::Commit(None));
        self.ask(slot + 2, Action::Commit(None));
        self.ask(slot + 2, plan.clone());
        self.ask(slot + 2, Action::Commit(Some(Span::ZERO)));
        self.ask(slot + 2, Action::Incarnation(1, 1));
        self.ask(slot + 2, Action::Commit(Some(Span::new(5))));
        self.ask(slot + 2, plan);
        self.ask(slot + 2, Action::Commit(Some(Span::new(5))));

        let manner = Manner {
            search: Search::StripPacking,
            order: OfferOrder::Earliest,
            ttl: Span::new(9),
            base: Money::new(1),
        };
        let query = ElasticRequest {
            ready: asked.ready,
            deadline: asked.deadline,
            duration: None,
            pes: None,
        };
        let whole = Choice {
            nth: 0,
            duration: Some(Span::new(2)),
            pes: Some(PeCount::new(1)),
            ttl: None,
        };
        self.ask(slot + 3, Action::Offers(query, manner));
        self.ask(slot + 3, Action::Incarnation(2, 1));
        self.ask(slot + 3, Action::Accept(whole));
        let small = BestEffortJob {
            estimate: Span::new(3),
            pes: PeCount::new(1),
        };
        self.ask(slot + 3, Action::Submit(small));
        self.ask(slot + 3, Action::Incarnation(2, 2));
        self.ask(slot + 3, Action::Submit(small));
        self.ask(slot + 3, Action::Queue(Discipline::Easy));
        self.ask(slot + 3, Action::Submit(small));
    }
}
