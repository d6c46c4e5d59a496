//! Juggling on both sides, and by the algorithms of the paper.

use std::collections::BTreeMap;

use bookahead::{Behind, Commitment, Policy, Refusal, Request, Reservation, Sides, Slot, Window};

use super::{Harness, names, sorted};
use crate::Difference;
use crate::difference::{same, sound};
use crate::oracle::{check_terms, is_by_deadline, limit_of};
use crate::papers::netto::literal::{self, Job, Provider, Reading};
use bookahead_commands::{
    Command, Found, JuggleEnd, Kind, LONG_HANDLES, Lent, Number, Reply, Rules, Sorting, Subject,
    Wanted,
};

/// Where each reservation stands, and whether it has to stay there.
pub(super) type Stands = BTreeMap<Number, (Window, Request, bool)>;

impl Harness {
    pub(super) fn juggle(
        &mut self,
        newcomer: Option<(Request, Commitment)>,
        (rules, lent): (&Rules, Lent),
        end: JuggleEnd,
    ) -> Result<Reply, Difference> {
        let stood = self.stands();
        let printed = newcomer
            .as_ref()
            .and_then(|(request, terms)| self.as_printed((request, *terms), rules, lent));
        let juggle = Command::Juggle(newcomer, *rules, lent, end);
        let reply = sorted(self.subject.perform(&juggle));
        let mut twin = self.twin.clone();
        let expected = sorted(twin.perform(&juggle));
        let what = if newcomer.is_some() {
            "juggle"
        } else {
            "replan"
        };
        if let Some(limit) = reply.error()
            && !self.is_enough(lent)
            && limit_of(limit).is_some()
        {
            let searched = match expected.error() {
                None => true,
                Some(reason) => reason == Refusal::NoRoom.into() || limit_of(reason).is_some(),
            };
            sound("a limit ends a search", searched)?;
            self.tally.note(what, limit.name());
            self.check_refusal(&reply)?;
            return Ok(reply);
        }
        same(names::of(&juggle), &reply, &expected)?;
        self.twin = twin;
        self.check_refusal(&reply)?;
        let moved = self.rearranged(what, &reply, end, &stood)?;
        let Some(printed) = printed.filter(|_| end != JuggleEnd::Plan || reply.error().is_some())
        else {
            return Ok(reply);
        };
        let starts = match reply.error() {
            Some(reason) => Err(reason),
            None => Ok(self
                .twin
                .oracle
                .live()
                .into_iter()
                .map(|number| (number, self.start_of(number)))
                .collect()),
        };
        same("juggling as printed", &starts, &printed)?;
        let note = match (starts, moved) {
            (Err(_), _) => "refused",
            (Ok(_), 0) => "plain",
            (Ok(_), _) => "moved",
        };
        self.tally.note("as printed", note);
        Ok(reply)
    }

    fn start_of(&self, number: Number) -> Slot {
        self.twin.oracle.placement(number).expect("it lives").start
    }

    /// Notes what came of juggling or shifting, and takes the newcomer in; how many have moved.
    pub(super) fn rearranged(
        &mut self,
        what: &'static str,
        reply: &Reply,
        end: JuggleEnd,
        stood: &Stands,
    ) -> Result<u64, Difference> {
        if !matches!(reply, Reply::Juggled(_)) {
            let reason = reply.error().map_or("", bookahead::Error::name);
            self.tally.note(what, reason);
            return Ok(0);
        }
        if end == JuggleEnd::Plan {
            self.tally.note(what, "planned");
            self.unchanged("a plan leaves no trace")?;
            return Ok(0);
        }
        self.admit();
        let moved = self.check_moves(stood)?;
        self.tally
            .note(what, if moved > 0 { "moved" } else { "plain" });
        self.tally.moved += moved;
        Ok(moved)
    }

    /// Where everybody stands; both sides have agreed on that.
    pub(super) fn stands(&self) -> Stands {
        let oracle = &self.twin.oracle;
        let stand = |(number, known): (Number, Reservation)| {
            let frozen = oracle.is_frozen(number).expect("it lives");
            (number, (known.window, known.request, frozen))
        };
        oracle.by_start().into_iter().map(stand).collect()
    }

    /// Nobody has left the window that was accepted, and nobody has moved whose start is fixed. How many have moved.
    pub(super) fn check_moves(&mut self, stood: &Stands) -> Result<u64, Difference> {
        let mut moved = 0;
        for (number, (window, request, frozen)) in stood {
            let Reply::Reservation(known) = self.subject.perform(&Command::Get(*number)) else {
                return sound("it lives on", false).map(|()| 0);
            };
            same("what was asked for", &known.request, request)?;
            let stands = known.window;
            if *frozen {
                same("a fixed start", &stands, window)?;
            }
            let inside = request.ready <= stands.start && stands.end <= request.deadline;
            sound("it stays in its own window", inside)?;
            moved += u64::from(stands != *window);
            self.promise(*number, stands);
        }
        Ok(moved)
    }

    pub(super) fn alternatives(
        &mut self,
        (request, terms): (&Request, Commitment),
        rules: &Rules,
        lent: Lent,
        wanted: &Wanted,
    ) -> Result<Reply, Difference> {
        let ask = Command::Alternatives(*request, terms, *rules, lent, *wanted);
        let (reply, every) = (self.subject.perform(&ask), self.twin.perform(&ask));
        self.unchanged("what only asks changes nothing")?;
        let (Reply::Found(found), Reply::Found(every)) = (&reply, &every) else {
            same(names::of(&ask), &reply, &every)?;
            return Ok(reply);
        };
        if found.limit.is_none() || self.is_enough(lent) {
            same("alternatives", found, every)?;
        } else {
            let known = |one| every.alternatives.contains(one);
            // A list that is not full may hold others than that of a search without limits.
            let all_known = found.alternatives.iter().all(known);
            let full = every.alternatives.len() == wanted.room;
            sound("alternatives of a limited search", all_known || full)?;
        }
        let note = match found.alternatives[..] {
            [] => "none",
            [(shift, _)] if shift < 0 => "earlier",
            [_] => "later",
            _ => "several",
        };
        self.tally.note("alternatives", note);
        if let Some(limit) = found.limit {
            self.tally.note("alternatives", limit.name());
        }
        self.options_as_printed((request, terms), rules, lent, wanted, found)?;
        // Each can be booked at the moment it is offered.
        for &(shift, start) in &found.alternatives {
            let newcomer = Some((shifted(request, shift), terms));
            let juggle = Command::Juggle(newcomer, *rules, lent, JuggleEnd::Plan);
            let booked = match self.subject.perform(&juggle) {
                Reply::Juggled(juggled) => juggled.made.map(|(_, start)| start),
                _ => None,
            };
            if lent.work == u64::MAX {
                same("an alternative is booked", &booked, &Some(start))?;
            }
        }
        self.unchanged("a plan leaves no trace")?;
        Ok(reply)
    }

    /// Whether a search cannot meet a limit: there is an element for each reservation, and one entry more for the newcomer.
    fn is_enough(&self, lent: Lent) -> bool {
        let live = self.twin.oracle.live().len();
        lent.log > live && lent.list >= live && lent.work == u64::MAX
    }

    /// The provider of the paper in the present state, if the paper says anything about these rules.
    fn provider(&self, rules: &Rules, lent: Lent) -> Option<Provider> {
        let limited = rules.max_moves < u32::MAX || lent != Lent::ENOUGH;
        // The paper knows nothing of sets, rules and overlays.
        if limited
            || !matches!(self.twin.oracle.kind(), Kind::Counts | Kind::Units)
            || self.twin.oracle.has_overlays()
        {
            return None;
        }
        let (now, horizon) = (
            self.twin.oracle.now().get(),
            self.twin.oracle.horizon().get(),
        );
        let end = now + u64::from(horizon);
        let mut provider = Provider::new(self.twin.oracle.pes().get(), now, end);
        provider.earliest = rules.earliest.get();
        for number in self.twin.oracle.live() {
            let fixed = self.twin.oracle.is_frozen(number).expect("it lives");
            provider.accept(self.job(number), !fixed);
        }
        Some(provider)
    }

    fn job(&self, number: Number) -> Job {
        let request = self.twin.oracle.get(number).expect("it lives").request;
        let placed = self.twin.oracle.placement(number).expect("it lives");
        Job {
            number,
            ready: request.ready.get(),
            deadline: request.deadline.get(),
            duration: placed.duration.get().into(),
            pes: placed.pes.get(),
            deadline_only: self.twin.oracle.is_by_deadline(number),
            start: placed.start.get(),
        }
    }

    /// The newcomer as a job, and the sort key of each job.
    fn keys(
        &self,
        (request, terms): (&Request, Commitment),
        rules: &Rules,
    ) -> (Job, impl Fn(&Job) -> u64 + use<>) {
        let number = self.twin.oracle.accepted();
        let new = Job {
            number,
            ready: request.ready.get(),
            deadline: request.deadline.get(),
            duration: request.duration.get().into(),
            pes: request.pes.get(),
            deadline_only: is_by_deadline(terms),
            start: request.ready.get(),
        };
        let known = self.twin.oracle.live().into_iter();
        let mut keys: BTreeMap<Number, u64> = known
            .map(|number| (number, self.twin.oracle.key(number, rules.sorting)))
            .collect();
        keys.insert(
            number,
            self.twin
                .oracle
                .key_of_newcomer(request, terms, rules.sorting),
        );
        let (now, sorting) = (self.twin.oracle.now().get(), rules.sorting);
        let key = move |job: &Job| match sorting {
            Sorting::Deadline => job.deadline,
            Sorting::Flexibility => job.time_flexibility(now),
            Sorting::Size => u64::MAX - job.duration * u64::from(job.pes),
            Sorting::Acceptance => job.number,
            Sorting::Shuffle(_) | Sorting::Revenue => keys[&job.number],
        };
        (new, key)
    }

    /// The starts of all after algorithm 1, or that it refuses; `None` where the paper says nothing.
    fn as_printed(
        &self,
        (request, terms): (&Request, Commitment),
        rules: &Rules,
        lent: Lent,
    ) -> Option<Result<BTreeMap<Number, Slot>, bookahead::Error>> {
        check_terms(terms).ok()?;
        self.twin.oracle.check(request).ok()?;
        let mut provider = self.provider(rules, lent)?;
        let (new, key) = self.keys((request, terms), rules);
        let plain = self.twin.oracle.plan(request, Policy::FirstFit);
        let mut starts: BTreeMap<Number, Slot> = self
            .twin
            .oracle
            .live()
            .into_iter()
            .map(|number| (number, self.start_of(number)))
            .collect();
        if let (Ok(plain), false) = (plain, rules.always) {
            starts.insert(new.number, plain.start);
            return Some(Ok(starts));
        }
        if provider.algorithm_1(new, key, reading(rules)).is_err() {
            return Some(Err(Refusal::NoRoom.into()));
        }
        let moved = provider.waiting().iter();
        starts.extend(moved.map(|job| (job.number, Slot::new(job.start))));
        Some(Ok(starts))
    }

    /// Compares the alternatives with the options of algorithm 2.
    fn options_as_printed(
        &mut self,
        (request, terms): (&Request, Commitment),
        rules: &Rules,
        lent: Lent,
        wanted: &Wanted,
        found: &Found,
    ) -> Result<(), Difference> {
        let every = wanted.sides == Sides::Both
            && wanted.max_percent == u32::MAX
            && wanted.room == LONG_HANDLES;
        // Only what never fits plainly is what the paper speaks of.
        let (true, true, Some(provider)) = (every, rules.always, self.provider(rules, lent)) else {
            return Ok(());
        };
        let (new, key) = self.keys((request, terms), rules);
        let refused = provider.clone().algorithm_1(new, &key, reading(rules));
        let Err(before) = refused else {
            return same("options", &found.alternatives, &Vec::new());
        };
        let behind = match wanted.behind {
            Behind::Deadline => literal::Behind::Deadline,
            Behind::End => literal::Behind::End,
        };
        let options = provider.options(&new, before, &key, behind);
        // An option sorts as it would if it was asked for.
        let printed: Vec<(i64, Slot)> = options
            .iter()
            .filter_map(|shift| {
                let moved = shifted(request, *shift);
                let (new, key) = self.keys((&moved, terms), rules);
                let start = provider
                    .clone()
                    .algorithm_1(new, key, reading(rules))
                    .ok()?;
                Some((*shift, Slot::new(start)))
            })
            .collect();
        self.tally.note("options as printed", "compared");
        same("options", &found.alternatives, &printed)
    }
}

fn reading(rules: &Rules) -> Reading {
    if rules.retry {
        Reading::Retry
    } else {
        Reading::Printed
    }
}

/// The request so many slots later.
fn shifted(request: &Request, by: i64) -> Request {
    Request {
        ready: Slot::new(request.ready.get().saturating_add_signed(by)),
        deadline: Slot::new(request.deadline.get().saturating_add_signed(by)),
        ..*request
    }
}
