//! Juggling, shifting, alternatives, and reservations on top of others.

use std::{collections::BTreeMap, ffi::c_void, ptr};

use bookahead::{Booking, Commitment, Handle, Probability, Refusal, Request, Shifting, Slot};
use bookahead_capi as c;
use bookahead_commands::{
    Found, JuggleEnd, LONG_HANDLES, Law, Lent, Reply, Risk, Rules, Scope, Sorting, Wanted, revenue,
};

use crate::{
    CapiSide,
    argument::{List, Plain},
    convert::{self, InC, commitment, move_of},
};

/// What each reservation is worth, by the bits of its handle.
type Revenues = BTreeMap<u64, u64>;

/// Looks a reservation up in what is behind `context`.
unsafe extern "C" fn revenue_of(context: *mut c_void, handle: c::Handle) -> u64 {
    // SAFETY: the context is a table that lives until the call is over.
    let revenues = unsafe { &*context.cast::<Revenues>() };
    revenues[&handle.bits]
}

/// How far an end goes, and how many moves are listed.
fn ending(end: JuggleEnd) -> (u8, List<c::Move>) {
    match end {
        JuggleEnd::AtOnce => (c::Ending::Commit as u8, List::new(0)),
        JuggleEnd::Commit => (c::Ending::Commit as u8, List::new(LONG_HANDLES)),
        JuggleEnd::Plan => (c::Ending::Plan as u8, List::new(LONG_HANDLES)),
    }
}

/// The rules as C has them.
fn juggling(
    rules: &Rules,
    work: u64,
    newcomer: Option<&Request>,
    worth: &mut Revenues,
) -> c::Juggling {
    let order = match rules.sorting {
        Sorting::Deadline => c::Order::EarliestDeadline,
        Sorting::Flexibility => c::Order::LeastFlexible,
        Sorting::Size => c::Order::BiggestFirst,
        Sorting::Acceptance => c::Order::Fifo,
        Sorting::Shuffle(_) => c::Order::Shuffle,
        Sorting::Revenue => c::Order::Revenue,
    };
    c::Juggling {
        order: order as u32,
        admission: rules.always.into(),
        after_failure: (!rules.retry).into(),
        max_moves: rules.max_moves,
        earliest: rules.earliest.c(),
        work,
        seed: match rules.sorting {
            Sorting::Shuffle(seed) => seed,
            _ => u64::MAX,
        },
        newcomer_revenue: newcomer.map_or(u64::MAX, revenue),
        revenue: Some(revenue_of),
        context: ptr::from_mut(worth).cast(),
    }
}

impl CapiSide {
    /// What each reservation is worth in the tests.
    fn revenues(&mut self) -> Revenues {
        let handles = self.covering(convert::window(0, u64::MAX)).into_iter();
        let worth = |handle| {
            let known = self.get(handle).expect("it covers something");
            (handle.bits, revenue(&known.request))
        };
        handles.map(worth).collect()
    }

    pub(crate) fn juggle(
        &mut self,
        newcomer: Option<&(Request, Commitment)>,
        rules: &Rules,
        lent: Lent,
        end: JuggleEnd,
    ) -> Result<Reply, u32> {
        let (mut worth, asked) = (self.revenues(), newcomer.map(|(request, _)| request));
        let rules = juggling(rules, lent.work, asked, &mut worth);
        let ((ending, moves), lent) = (ending(end), self.c.lend(lent.log, lent.list));
        let juggled = match newcomer {
            Some((request, terms)) => {
                let (request, terms) = (request.c(), commitment(*terms));
                self.c
                    .juggle(&request, &terms, &rules, &lent, ending, &moves)?
            }
            None => self.c.replan(&rules, &lent, ending, &moves)?,
        };
        Ok(self.moved(newcomer.is_some(), &moves, juggled, end))
    }

    /// What has moved, and the newcomer, if there is one.
    fn moved(
        &mut self,
        has_newcomer: bool,
        moves: &List<c::Move>,
        told: c::Juggled,
        end: JuggleEnd,
    ) -> Reply {
        let listed: Vec<_> = moves.all()[..told.moves as usize]
            .iter()
            .map(move_of)
            .collect();
        assert!(end == JuggleEnd::AtOnce || told.more_moves == 0, "{told:?}");
        let (planned, given) = (end == JuggleEnd::Plan, Handle::of(told.booking.handle));
        assert_eq!(given.to_bits() == 0, planned || !has_newcomer, "{told:?}");
        // What is planned is given out to nobody, and listed as it would be named.
        let newcomer = listed
            .iter()
            .find(|change| planned && change.from.is_none());
        let made = has_newcomer.then(|| Booking {
            handle: newcomer.map_or(given, |change| change.handle),
            start: InC::of(told.booking.start),
        });
        Reply::Juggled(self.names.juggled((made, listed), end))
    }

    pub(crate) fn relocate(
        &mut self,
        (request, terms): (&Request, Commitment),
        targets: u16,
        log: usize,
        end: JuggleEnd,
    ) -> Result<Reply, u32> {
        let ((ending, moves), lent) = (ending(end), self.c.lend(log, 0));
        let (request, terms) = (request.c(), commitment(terms));
        let relocated =
            self.c
                .relocate(&request, &terms, (targets, u64::MAX), &lent, ending, &moves)?;
        Ok(self.moved(true, &moves, relocated, end))
    }

    pub(crate) fn shift_in(
        &mut self,
        (request, terms): (&Request, Commitment),
        rules: &Shifting,
        log: usize,
        end: JuggleEnd,
    ) -> Result<Reply, u32> {
        let ((ending, moves), lent) = (ending(end), self.c.lend(log, 0));
        let (request, terms, rules) = (request.c(), commitment(terms), convert::shifting(rules));
        let shifted = self
            .c
            .shift_in(&request, &terms, &rules, &lent, ending, &moves)?;
        Ok(self.moved(true, &moves, shifted, end))
    }

    pub(crate) fn alternatives(
        &mut self,
        (request, terms): (&Request, Commitment),
        rules: &Rules,
        lent: Lent,
        wanted: &Wanted,
    ) -> Result<Reply, u32> {
        let mut worth = self.revenues();
        let rules = juggling(rules, lent.work, Some(request), &mut worth);
        let wanted_room = wanted.room;
        let (asked, terms, list) = (request.c(), commitment(terms), List::new(wanted_room));
        let wanted = c::Suggesting {
            sides: wanted.sides.code().into(),
            behind: wanted.behind.code().into(),
            max_percent: wanted.max_percent,
        };
        let lent = self.c.lend(lent.log, lent.list);
        let found = self
            .c
            .alternatives(&asked, &terms, &rules, &wanted, &lent, &list);
        let (count, suggested) = found?;
        if wanted_room == Scope::SHORT_LIST_OF_C {
            let few = List::new(wanted_room - 1);
            let again = self
                .c
                .alternatives(&asked, &terms, &rules, &wanted, &lent, &few);
            assert_eq!(again, Ok((count.min(few.room()), suggested)));
            assert!(list.all().starts_with(&few.taken(count.min(few.room()))));
        }
        let told = |found: c::Alternative| {
            let later = |slot: u64| slot.saturating_add_signed(found.shift);
            let shifted = c::Request {
                ready: later(asked.ready),
                deadline: later(asked.deadline),
                ..asked
            };
            assert_eq!(found.request, shifted);
            (found.shift, Slot::of(found.start))
        };
        let mut limits = Refusal::ALL.iter();
        let limit = limits.find(|limit| u32::from(limit.code()) == suggested.limit);
        assert!(limit.is_some() || suggested.limit == 0, "{suggested:?}");
        Ok(Reply::Found(Found {
            tried: suggested.tried,
            limit: limit.copied(),
            alternatives: list.taken(count).into_iter().map(told).collect(),
        }))
    }

    pub(crate) fn overlay(&mut self, request: &Request, risk: &Risk) -> Result<Reply, u32> {
        let mut counters = risk.law.counters();
        let law = law(&risk.law, &mut counters);
        let overlaying = c::Overlaying {
            own: law,
            others: law,
            guarantee: risk.guarantee as u32,
            threshold: risk.threshold.get().to_bits(),
        };
        let pes = self.c.status()?.pes as usize;
        let table = List::new(pes.saturating_sub(risk.lacking));
        let plan = self.c.plan_overlay(&request.c(), &overlaying, &table)?;
        let made = self
            .c
            .commit_overlay(&plan, &commitment(risk.commitment()))?;
        let (start, overlaid) = (InC::of(plan.plan.start), InC::of(plan.overlaid));
        let kept = Probability::rounding_down(plan.probability, 1 << 31);
        let kept = kept.expect("it is at most 1");
        Ok(Reply::Overlaid((self.begin(made), start, overlaid, kept)))
    }
}

/// The law as C has it, with its counters.
pub fn law(law: &Law, counters: &mut Vec<u32>) -> c::Law {
    let (slots, bin) = match law {
        Law::Part(_) => panic!("no law of C depends on the reservation"),
        Law::Mean(mean) => (*mean, 0),
        Law::ServiceTimes(bin, _) => (u32::dirt(), bin.c()),
        Law::UsedShares(_) => (u32::dirt(), 0),
    };
    c::Law {
        counters: match law {
            Law::Mean(_) => ptr::null_mut(),
            _ => counters.as_mut_ptr(),
        },
        length: counters.len(),
        slots: slots.into(),
        jobs: 1,
        bin,
    }
}
