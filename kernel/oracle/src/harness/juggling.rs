//! Juggling on both sides, and by the algorithms of the paper.

use std::collections::BTreeMap;

use bookahead::{
    Behind, Commitment, Flexibility, Freeze, Policy, Refusal, Request, Sides, Slot, Span, Window,
};

use super::Harness;
use crate::difference::{same, sound};
use crate::juggling::limit_of;
use crate::oracle::{check_terms, is_by_deadline};
use crate::papers::netto::literal::{self, Job, Provider, Reading};
use crate::{
    Ask, Difference, Found, Juggle, JuggleEnd, Juggled, Kind, LONG_HANDLES, Lent, Moved, Number,
    Rules, Sorting, Subject, Terms, Thaw, Wanted,
};

/// Where each reservation stands, and whether it has to stay there.
type Stands = BTreeMap<Number, (Window, Request, bool)>;

impl<S: Subject> Harness<S> {
    pub(super) fn juggle(
        &mut self,
        newcomer: Option<(Ask, Terms)>,
        how: Juggle,
    ) -> Result<(), Difference> {
        let asked = newcomer.map(|(ask, terms)| (self.request(ask), commitment(terms)));
        let newcomer = asked.as_ref().map(|(request, terms)| (request, *terms));
        let (rules, lent) = (self.rules(how), lent(how));
        let end = [JuggleEnd::AtOnce, JuggleEnd::Commit, JuggleEnd::Plan][usize::from(how.end) % 3];
        let (before, stood) = (self.subject.clone(), self.stands()?);
        let printed = newcomer.and_then(|newcomer| self.as_printed(newcomer, &rules, lent));
        let next = self.oracle.accepted();
        let juggled = self.subject.juggle(newcomer, &rules, lent, end);
        let mut oracle = self.oracle.clone();
        let expected = oracle.juggle(newcomer, &rules, end);
        let what = if newcomer.is_some() {
            "juggle"
        } else {
            "replan"
        };
        if let Err(limit) = juggled
            && !self.is_enough(lent)
            && limit_of(limit).is_some()
        {
            let searched = match expected {
                Ok(_) => true,
                Err(reason) => reason == Refusal::NoRoom.into() || limit_of(reason).is_some(),
            };
            sound("a limit ends a search", searched)?;
            self.tally.note(what, limit.name());
            return self.declined(&before, limit);
        }
        let shown = juggled.as_ref().map(|juggled| self.shown(juggled, next));
        let to_show = expected.as_ref().map(told);
        same("juggling", &shown, &to_show)?;
        let (juggled, expected) = match (juggled, expected) {
            (Ok(juggled), Ok(expected)) => (juggled, expected),
            (Err(reason), _) | (_, Err(reason)) => {
                if let Some(printed) = printed {
                    same("juggling as printed", &Err(reason), &printed)?;
                    self.tally.note("as printed", "refused");
                }
                self.tally.note(what, reason.name());
                return self.declined(&before, reason);
            }
        };
        self.oracle = oracle;
        if end == JuggleEnd::Plan {
            self.tally.note(what, "planned");
            return sound("a plan leaves no trace", self.subject == before);
        }
        let moved = self.check_moves(&stood)?;
        self.tally
            .note(what, if moved > 0 { "moved" } else { "plain" });
        self.tally.moved += moved;
        if let (Some((handle, _)), Some((number, _))) = (juggled.made, expected.made) {
            self.accepted(number, handle)?;
        }
        if let Some(printed) = printed {
            let starts = self.oracle.live().into_iter();
            let starts = starts.map(|number| (number, self.oracle.placement(number)));
            let starts = starts.map(|(number, place)| (number, place.expect("it lives").start));
            same("juggling as printed", &Ok(starts.collect()), &printed)?;
            self.tally
                .note("as printed", if moved > 0 { "moved" } else { "plain" });
        }
        Ok(())
    }

    /// Where everybody stands, by what the side under test says.
    pub(super) fn stands(&mut self) -> Result<Stands, Difference> {
        let mut stands = BTreeMap::new();
        for (handle, known) in self.subject.by_start() {
            let number = self.number(handle);
            sound("a handle is known", number.is_some())?;
            let frozen = self.subject.is_frozen(handle).unwrap_or(true);
            let stand = (known.window, known.request, frozen);
            number.map(|number| stands.insert(number, stand));
        }
        Ok(stands)
    }

    /// Nobody has left the window that was accepted, and nobody has moved whose start is fixed. How many have moved.
    pub(super) fn check_moves(&mut self, stood: &Stands) -> Result<u64, Difference> {
        let mut moved = 0;
        for (number, (window, request, frozen)) in stood {
            let handle = self.live[number];
            let known = self.subject.get(handle);
            same(
                "what was asked for",
                &known.map(|known| known.request),
                &Ok(*request),
            )?;
            let stands = known.expect("it was just compared").window;
            if *frozen {
                same("a fixed start", &stands, window)?;
            }
            let inside = request.ready <= stands.start && stands.end <= request.deadline;
            sound("it stays in its own window", inside)?;
            moved += u64::from(stands != *window);
            self.promises.insert(*number, stands);
        }
        Ok(moved)
    }

    pub(super) fn alternatives(
        &mut self,
        (ask, terms): (Ask, Terms),
        how: Juggle,
        (sides, percent, end): (u8, u8, bool),
        room: usize,
    ) -> Result<(), Difference> {
        let (request, terms) = (self.request(ask), commitment(terms));
        let (rules, lent) = (self.rules(how), lent(how));
        let wanted = Wanted {
            sides: Sides::ALL[usize::from(sides) % Sides::ALL.len()],
            max_percent: if percent == u8::MAX {
                u32::MAX
            } else {
                percent.into()
            },
            behind: if end { Behind::End } else { Behind::Deadline },
            room: if room < 8 { room } else { LONG_HANDLES },
        };
        let before = self.subject.clone();
        let found = self
            .subject
            .alternatives(&request, terms, &rules, lent, &wanted);
        sound(
            "looking for alternatives changes nothing",
            self.subject == before,
        )?;
        let expected = self.oracle.alternatives(&request, terms, &rules, &wanted);
        let (Ok(found), Ok(every)) = (&found, &expected) else {
            return same("alternatives", &found, &expected);
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
        self.options_as_printed((&request, terms), &rules, lent, &wanted, found)?;
        // Each can be booked at the moment it is offered.
        for &(shift, start) in &found.alternatives {
            let moved = shifted(&request, shift);
            let newcomer = Some((&moved, terms));
            let mut trial = self.subject.clone();
            let booked = trial.juggle(newcomer, &rules, lent, JuggleEnd::Plan);
            let booked = booked.map(|juggled| juggled.made.map(|(_, start)| start));
            if lent.work == u64::MAX {
                same("an alternative is booked", &booked, &Ok(Some(start)))?;
            }
        }
        Ok(())
    }

    /// Whether a search cannot meet a limit: there is an element for each reservation, and one entry more for the newcomer.
    fn is_enough(&self, lent: Lent) -> bool {
        let live = self.oracle.live().len();
        lent.log > live && lent.list >= live && lent.work == u64::MAX
    }

    fn rules(&self, how: Juggle) -> Rules {
        let orders = Sorting::all(how.seed.into());
        let now = self.oracle.now();
        Rules {
            sorting: orders[usize::from(how.order) % orders.len()],
            always: how.always,
            retry: how.retry,
            earliest: now.saturating_add(Span::new(how.earliest.into())),
            max_moves: how.moves.map_or(u32::MAX, u32::from),
        }
    }

    /// What juggling came to, with numbers instead of handles; the newcomer gets the number `next`.
    pub(super) fn shown(
        &self,
        juggled: &Juggled<S::Handle>,
        next: Number,
    ) -> Juggled<Option<Number>> {
        let newcomer = juggled.made.map(|(handle, _)| handle);
        let number = |handle: S::Handle| {
            if newcomer == Some(handle) {
                Some(next)
            } else {
                self.number(handle)
            }
        };
        let moves = juggled.moves.iter().map(|moved| Moved {
            whose: number(moved.whose),
            from: moved.from,
            to: moved.to,
        });
        Juggled {
            made: juggled.made.map(|(_, start)| (Some(next), start)),
            moves: sorted(moves),
        }
    }

    /// The provider of the paper in the present state, if the paper says anything about these rules.
    fn provider(&self, rules: &Rules, lent: Lent) -> Option<Provider> {
        let limited = rules.max_moves < u32::MAX || lent != Lent::ENOUGH;
        // The paper knows nothing of sets and overlays.
        if limited || self.oracle.kind() == Kind::Sets || self.oracle.has_overlays() {
            return None;
        }
        let (now, horizon) = (self.oracle.now().get(), self.oracle.horizon().get());
        let end = now + u64::from(horizon);
        let mut provider = Provider::new(self.oracle.pes().get().into(), now, end);
        provider.earliest = rules.earliest.get();
        for number in self.oracle.live() {
            let fixed = self.oracle.is_frozen(number).expect("it lives");
            provider.accept(self.job(number), !fixed);
        }
        Some(provider)
    }

    fn job(&self, number: Number) -> Job {
        let request = self.oracle.get(number).expect("it lives").request;
        let placed = self.oracle.placement(number).expect("it lives");
        Job {
            number,
            ready: request.ready.get(),
            deadline: request.deadline.get(),
            duration: placed.duration.get().into(),
            pes: placed.pes.get().into(),
            deadline_only: self.oracle.is_by_deadline(number),
            start: placed.start.get(),
        }
    }

    /// The newcomer as a job, and the sort key of each job.
    fn keys(
        &self,
        (request, terms): (&Request, Commitment),
        rules: &Rules,
    ) -> (Job, impl Fn(&Job) -> u64 + use<S>) {
        let number = self.oracle.accepted();
        let new = Job {
            number,
            ready: request.ready.get(),
            deadline: request.deadline.get(),
            duration: request.duration.get().into(),
            pes: request.pes.get().into(),
            deadline_only: is_by_deadline(terms),
            start: request.ready.get(),
        };
        let known = self.oracle.live().into_iter();
        let mut keys: BTreeMap<Number, u64> = known
            .map(|number| (number, self.oracle.key(number, rules.sorting)))
            .collect();
        keys.insert(
            number,
            self.oracle.key_of_newcomer(request, terms, rules.sorting),
        );
        let (now, sorting) = (self.oracle.now().get(), rules.sorting);
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
        self.oracle.check(request).ok()?;
        let mut provider = self.provider(rules, lent)?;
        let (new, key) = self.keys((request, terms), rules);
        let plain = self.oracle.plan(request, Policy::FirstFit);
        let mut starts: BTreeMap<Number, Slot> = self
            .oracle
            .live()
            .into_iter()
            .map(|number| {
                (
                    number,
                    self.oracle.placement(number).expect("it lives").start,
                )
            })
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

/// What juggling came to on the side that is right.
pub(super) fn told(juggled: &Juggled) -> Juggled<Option<Number>> {
    let moves = juggled.moves.iter().map(|moved| Moved {
        whose: Some(moved.whose),
        from: moved.from,
        to: moved.to,
    });
    Juggled {
        made: juggled.made.map(|(number, start)| (Some(number), start)),
        moves: sorted(moves),
    }
}

/// Moves in order of acceptance, as which reservation is lifted first is not promised.
fn sorted(moves: impl Iterator<Item = Moved<Option<Number>>>) -> Vec<Moved<Option<Number>>> {
    let mut moves: Vec<_> = moves.collect();
    moves.sort_unstable_by_key(|moved| moved.whose);
    moves
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

fn lent(how: Juggle) -> Lent {
    let or_enough = |length: u8, enough: usize| match length {
        u8::MAX => enough,
        length => length.into(),
    };
    Lent {
        log: or_enough(how.log, Lent::ENOUGH.log),
        list: or_enough(how.list, Lent::ENOUGH.list),
        work: how.work.map_or(Lent::ENOUGH.work, u64::from),
    }
}

pub(super) fn commitment(terms: Terms) -> Commitment {
    match terms {
        Terms::Strict => Commitment::Confirmed,
        Terms::Held(ttl) => Commitment::Held {
            ttl: Span::new(ttl.into()),
        },
        Terms::Flexible { deadline, thaw } => Commitment::Flexible {
            kind: if deadline {
                Flexibility::Deadline
            } else {
                Flexibility::Interval
            },
            freeze: match thaw {
                Thaw::Never => Freeze::Never,
                Thaw::Acceptance => Freeze::Acceptance,
                Thaw::Share(share) => Freeze::Share {
                    per_mille: u16::from(share) * 50,
                },
                Thaw::Lead(lead) => Freeze::Lead {
                    lead: Span::new(lead.into()),
                },
            },
        },
    }
}
