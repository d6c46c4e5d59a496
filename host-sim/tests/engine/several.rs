//! Quotas and resources beside the machine: a second implementation that looks at each slot by itself decides the same.

use std::sync::Arc;

use bookahead::Policy;
use bookahead_sim::{
    engine::{self, Binding, Strategy, System},
    operation::{Action, Operation, Script},
    outage::{Notice, OutageKind},
    request::{Demand, Hold, JobRequest},
    several::{Budget, Name, Principal, Refuser, Resource},
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::assert_sound;

const SLOT: u64 = 10;

fn name(text: &str) -> Name {
    serde_json::from_value(text.into()).unwrap()
}

/// A reservation of the second implementation: slots, PEs of the machine by number, and what else it needs.
struct Booked {
    job_id: u64,
    request: JobRequest,
    start: u64,
    /// As it is booked now.
    end: u64,
    set: Vec<u16>,
    /// When it expires unless it has been confirmed.
    held: Option<u64>,
    cancelled: bool,
}

/// Everything by slots, in loops.
struct Plain<'s> {
    system: &'s System,
    booked: Vec<Booked>,
}

/// Who refused: the machine, resource 0.., quota 0.., nobody; and whether for its size.
type Verdict = Result<(u64, u64), Option<(Refuser, bool)>>;

impl Plain<'_> {
    fn chain(&self, principal: Option<usize>) -> Vec<usize> {
        let quotas = &self.system.quotas;
        let mut chain = Vec::new();
        let mut at = principal;
        while let Some(one) = at {
            if quotas[one].pes.is_some() || quotas[one].budget.is_some() {
                chain.push(one);
            }
            let parent = quotas[one].parent;
            at = parent.and_then(|parent| quotas.iter().position(|one| one.name == parent));
        }
        chain
    }

    /// Time goes on to the slot `now`: what expires and what ends early is over.
    fn pass(&mut self, now: u64) {
        for one in &mut self.booked {
            // One that lasts until its start can be confirmed in that slot, and keeps it.
            if let Some(held) = one.held {
                let lasts = held >= one.start;
                let until = if lasts { one.start + 1 } else { held };
                if now >= until {
                    one.end = one.start + u64::from(lasts);
                    one.cancelled = true;
                    one.held = None;
                }
            }
            let over = one.start + one.request.run.div_ceil(SLOT).max(1);
            if !one.cancelled && over < one.end && over <= now {
                one.end = over;
            }
        }
    }

    fn charged(&self, one: &Booked, principal: usize) -> bool {
        self.chain(one.request.principal).contains(&principal)
    }

    /// How much of the quota is used in a slot.
    fn used_at(&self, principal: usize, slot: u64) -> u64 {
        let there = self
            .booked
            .iter()
            .filter(|one| (one.start..one.end).contains(&slot));
        let charged = there.filter(|one| self.charged(one, principal));
        charged.map(|one| one.request.pes).sum()
    }

    fn machine_allows(&self, request: &JobRequest, start: u64, end: u64) -> Option<Vec<u16>> {
        let mut free: Vec<u16> = (0..self.system.pes).collect();
        let mut least = u64::from(self.system.pes);
        for slot in start..end {
            let there = self
                .booked
                .iter()
                .filter(|one| (one.start..one.end).contains(&slot));
            let mut busy = 0;
            for one in there {
                busy += one.request.pes;
                free.retain(|pe| !one.set.contains(pe));
            }
            least = least.min(u64::from(self.system.pes) - busy);
        }
        let late = self.system.binding == Binding::Late;
        match late {
            true => (least >= request.pes).then(Vec::new),
            false => {
                free.truncate(request.pes as usize);
                (free.len() as u64 == request.pes).then_some(free)
            }
        }
    }

    fn resource_allows(&self, place: usize, need: u32, start: u64, end: u64) -> bool {
        let units = u64::from(self.system.resources[place].units);
        (start..end).all(|slot| {
            let there = self
                .booked
                .iter()
                .filter(|one| (one.start..one.end).contains(&slot));
            let busy: u64 = there
                .map(|one| u64::from(one.request.needed()[place]))
                .sum();
            busy + u64::from(need) <= units
        })
    }

    fn quota_allows(&self, place: usize, pes: u64, start: u64, end: u64) -> bool {
        let quota = &self.system.quotas[place];
        let at_once = u64::from(quota.pes.unwrap_or(self.system.pes));
        if (start..end).any(|slot| self.used_at(place, slot) + pes > at_once) {
            return false;
        }
        let Some(budget) = quota.budget else {
            return true;
        };
        let (length, most) = (budget.period / SLOT, budget.pe_seconds / SLOT);
        let last = end.max(self.booked.iter().map(|one| one.end).max().unwrap_or(0));
        (0..=last / length).all(|period| {
            let slots = period * length..(period + 1) * length;
            let own = slots
                .clone()
                .filter(|slot| (start..end).contains(slot))
                .count() as u64
                * pes;
            let used: u64 = slots.map(|slot| self.used_at(place, slot)).sum();
            own == 0 || used + own <= most
        })
    }

    fn decide(&mut self, request: &JobRequest, hold: Option<u64>) -> Verdict {
        let now = request.arrival / SLOT;
        self.pass(now);
        let (ready, deadline) = (request.ready.div_ceil(SLOT), request.deadline / SLOT);
        let length = request.duration.div_ceil(SLOT);
        if request.pes > u64::from(self.system.pes)
            || ready + length > deadline
            || deadline - now > u64::from(self.system.slots)
        {
            return Err(None);
        }
        let chain = self.chain(request.principal);
        let needs: Vec<(usize, u32)> = (0..self.system.resources.len())
            .map(|place| (place, request.needed()[place]))
            .filter(|(_, need)| *need > 0)
            .collect();
        for &(place, need) in &needs {
            if need > self.system.resources[place].units {
                return Err(Some((Refuser::Resource(place), true)));
            }
        }
        for &place in &chain {
            let most = self.system.quotas[place].pes;
            if most.is_some_and(|most| request.pes > u64::from(most)) {
                return Err(Some((Refuser::Quota(place), true)));
            }
        }
        let starts = || ready..=deadline - length;
        for start in starts() {
            let end = start + length;
            let resources = needs
                .iter()
                .all(|(place, need)| self.resource_allows(*place, *need, start, end));
            let quotas = chain
                .iter()
                .all(|place| self.quota_allows(*place, request.pes, start, end));
            if let Some(set) = self.machine_allows(request, start, end)
                && resources
                && quotas
            {
                self.booked.push(Booked {
                    job_id: request.job_id,
                    request: request.clone(),
                    start,
                    end,
                    set,
                    held: hold.map(|ttl| now + ttl.div_ceil(SLOT)),
                    cancelled: false,
                });
                return Ok((start * SLOT, end * SLOT));
            }
        }
        let none = |allows: &dyn Fn(u64, u64) -> bool| {
            !starts().any(|start| allows(start, start + length))
        };
        if none(&|start, end| self.machine_allows(request, start, end).is_some()) {
            return Err(Some((Refuser::Machine, false)));
        }
        for &(place, need) in &needs {
            if none(&|start, end| self.resource_allows(place, need, start, end)) {
                return Err(Some((Refuser::Resource(place), false)));
            }
        }
        for &place in &chain {
            if none(&|start, end| self.quota_allows(place, request.pes, start, end)) {
                return Err(Some((Refuser::Quota(place), false)));
            }
        }
        Err(Some((Refuser::Together, false)))
    }

    fn operate(&mut self, operation: &Operation) -> bool {
        let now = operation.arrival / SLOT;
        self.pass(now);
        let target = operation.target;
        let found = self.booked.iter_mut().find(|one| one.job_id == target);
        let Some(one) = found.filter(|one| !one.cancelled && one.end > now) else {
            return false;
        };
        match operation.action {
            Action::Confirm => one.held.take().is_some(),
            Action::Cancel => {
                one.end = now.max(one.start);
                one.cancelled = true;
                true
            }
            Action::Complete { .. } => {
                let at = operation.arrival.div_ceil(SLOT);
                let right = one.start <= now && one.held.is_none();
                if right {
                    one.end = one.end.min(at.max(one.start));
                    one.request.run = one
                        .request
                        .run
                        .min(one.end.saturating_sub(one.start) * SLOT);
                }
                right
            }
            _ => unreachable!(),
        }
    }
}

/// A small system and a small workload.
fn drawn(rng: &mut ChaCha8Rng, binding: Binding) -> (System, Script) {
    let pes = rng.random_range(2..=8);
    let resources = (0..rng.random_range(0..=2)).map(|number: u32| Resource {
        asked: None,
        name: name(&format!("r{number}")),
        units: rng.random_range(1..=6),
    });
    let resources: Vec<Resource> = resources.collect();
    let mut quotas: Vec<Principal> = Vec::new();
    for number in 0..rng.random_range(u32::from(resources.is_empty())..=5) {
        let parent = rng
            .random_bool(0.6)
            .then(|| quotas.last().map(|one| one.name))
            .flatten();
        // No more than four levels.
        let parent = parent.filter(|_| number % 4 != 0);
        quotas.push(Principal {
            name: name(&format!("p{number}")),
            parent,
            pes: rng.random_bool(0.6).then(|| rng.random_range(1..=pes)),
            budget: rng.random_bool(0.6).then(|| Budget {
                pe_seconds: rng.random_range(1..=400),
                period: SLOT * rng.random_range(1..=12),
            }),
        });
    }
    let system = System {
        quotas,
        resources,
        ..System::new(
            pes,
            48,
            SLOT as u32,
            Strategy::Fit(Policy::FirstFit),
            binding,
        )
    };
    let operates = rng.random_bool(0.5);
    let (mut arrival, mut script) = (0, Script::default());
    for job_id in 1..=rng.random_range(5..40) {
        arrival += [0, 3, 10, 25, 200][rng.random_range(0..5)];
        if operates && job_id > 3 && rng.random_bool(0.3) {
            script.operations.push(Operation {
                job_id,
                arrival,
                target: rng.random_range(1..job_id),
                action: [
                    Action::Confirm,
                    Action::Cancel,
                    Action::Complete { at: None },
                ][rng.random_range(0..3)],
                after: script.demands.len(),
            });
            continue;
        }
        let duration = rng.random_range(1..120);
        let ready = arrival + rng.random_range(0..100);
        let needs = system.resources.iter().map(|_| rng.random_range(0..=3));
        let needs: Arc<[u32]> = needs.collect();
        let request = JobRequest {
            job_id,
            arrival,
            ready,
            duration,
            deadline: ready + duration + rng.random_range(0..250),
            pes: rng.random_range(1..=u64::from(pes)),
            run: rng.random_range(1..=duration),
            principal: match system.quotas.len() {
                0 => None,
                count => Some(rng.random_range(0..count)).filter(|_| rng.random_bool(0.8)),
            },
            needs: Some(needs).filter(|needs| needs.iter().any(|need| *need > 0)),
            flexible: true,
            ..JobRequest::default()
        };
        script.demands.push(match operates && rng.random_bool(0.3) {
            true => Demand::Hold(Hold {
                request,
                ttl: Some(rng.random_range(1..150)),
            }),
            false => Demand::Reserve(request),
        });
    }
    (system, script)
}

#[test]
fn loops_over_slots_decide_the_same() {
    let mut verdicts = std::collections::BTreeMap::<String, usize>::new();
    for seed in 0..600 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let binding = [Binding::Early, Binding::Late][usize::from(rng.random_bool(0.5))];
        let (system, script) = drawn(&mut rng, binding);
        if script.demands.is_empty() || system.check().is_err() {
            continue;
        }
        let story = engine::replay(&system, &script, &|| {})
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{system:?}\n{script:#?}"));
        let mut plain = Plain {
            system: &system,
            booked: Vec::new(),
        };
        let mut operated = story.operated.iter().peekable();
        for (index, outcome) in story.outcomes.iter().enumerate() {
            while let Some(done) = operated.next_if(|done| done.operation.after <= index) {
                let expected = plain.operate(&done.operation);
                assert_eq!(done.decision.is_ok(), expected, "seed {seed}: {done:?}");
            }
            let (request, decision) = outcome.reservation().unwrap();
            let hold = match &outcome.demand {
                Demand::Hold(hold) => hold.ttl,
                _ => None,
            };
            let expected = plain.decide(request, hold);
            let found = match decision {
                Ok(placed) => Ok((placed.start, placed.end)),
                Err(reason) => Err(reason.refuser().map(|by| (by, reason.name() == "too-wide"))),
            };
            assert_eq!(found, expected, "seed {seed}: {request:?} {script:?}");
            let verdict = match expected {
                Ok(_) => "accepted".to_owned(),
                Err(None) => "by its row".to_owned(),
                Err(Some((Refuser::Machine | Refuser::Together, _))) => format!("{expected:?}"),
                Err(Some((Refuser::Resource(_), wide))) => format!("resource {wide}"),
                Err(Some((Refuser::Quota(_), wide))) => format!("quota {wide}"),
            };
            *verdicts.entry(verdict).or_default() += 1;
        }
        assert_sound(&system, &story, &seed);
    }
    println!("{verdicts:?}");
    assert!(
        verdicts.len() == 8 && verdicts.values().all(|count| *count > 20),
        "{verdicts:?}"
    );
}

/// What the machine loses is lost beside it, too: whoever comes later is decided as the files say it has to be.
#[test]
fn outages_give_back_what_reservations_had_beside_the_machine() {
    let (mut broken, mut moved, mut accepted) = (0, 0, 0);
    for seed in 0..300 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (system, mut script) = drawn(&mut rng, Binding::Early);
        let system = System {
            outages: true,
            ..system
        };
        if script.demands.is_empty() || system.check().is_err() {
            continue;
        }
        let mut announced = 0;
        for id in 1..=rng.random_range(1..6) {
            announced += rng.random_range(0..150);
            let kind = OutageKind::ALL[rng.random_range(0..2)];
            let start = match kind {
                OutageKind::Failure => announced,
                OutageKind::Maintenance => announced + rng.random_range(0..60),
            };
            let first = rng.random_range(0..system.pes);
            script.notices.push(Notice {
                id,
                announced,
                start,
                end: start + rng.random_range(1..200),
                pes: vec![(first, rng.random_range(first..system.pes))],
                kind,
            });
        }
        let story = engine::replay(&system, &script, &|| {})
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_sound(&system, &story, &seed);
        broken += story.gone.iter().map(|gone| gone.broken).sum::<usize>();
        moved += story.moves.len();
        accepted += story
            .outcomes
            .iter()
            .filter(|one| one.accepted().is_some())
            .count();
    }
    println!("{broken} broken, {moved} moved, {accepted} accepted");
    assert!(broken > 100 && accepted > 1_000, "{broken} {accepted}");
}
