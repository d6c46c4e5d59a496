//! The first start at which the machine, further resources and quotas all have room.

use std::collections::HashMap;

use bookahead::{
    Book, BookPart, Booking, Commitment, Error as Denied, Handle, Joined, JointError, JointRequest,
    Need, PeCount, Period, Policy, Quota, Refusal, Resource, Several, Slot, Tie, UsageError,
    raw::Ring,
};
use bookahead_heap::{BoxedUnitBook, SizeError, Sizes, Survives};

use super::admission::{Admission, Ask, EndedJob};
use crate::{
    arrivals::{Alive, Lifetime},
    engine::System,
    error::Result as Read,
    request::Demand,
    saved::{Saving, put, take},
    several::{Refuser, chain},
};

/// How many reservations each resource and each principal can have at a time at most, where any has one.
pub(in crate::engine) struct Load {
    resources: Vec<Alive>,
    quotas: Vec<Alive>,
}

impl Load {
    /// Of what demands need of the resources and principals of a system.
    pub(in crate::engine) fn of(
        system: &System,
        demands: impl Iterator<Item = Read<Demand>>,
    ) -> Read<Self> {
        let none = |count: usize| vec![Alive::new(); count];
        let mut load = Self {
            resources: none(system.resources.len()),
            quotas: none(system.quotas.len()),
        };
        for demand in demands {
            let demand = demand?;
            let Some(request) = demand.request() else {
                continue;
            };
            let life = Lifetime::of(request, None);
            let needs = request.needs.iter().flat_map(|needs| needs.iter());
            for (alive, _) in load
                .resources
                .iter_mut()
                .zip(needs)
                .filter(|(_, need)| **need > 0)
            {
                alive.add(&life);
            }
            for principal in request
                .principal
                .iter()
                .flat_map(|one| chain(&system.quotas, *one))
            {
                load.quotas[principal].add(&life);
            }
        }
        Ok(load)
    }

    /// The books beside the machine: its size, and the periods with the PE-slots of each; those of resources first.
    fn books<'l>(&'l self, system: &'l System) -> impl Iterator<Item = Option<Plan>> + 'l {
        let sizes = |pes, alive: &Alive| Sizes {
            pes,
            slots: system.slots,
            reservations: alive.most,
        };
        let resources = system.resources.iter().zip(&self.resources);
        let resources = resources.map(move |(resource, alive)| {
            Some(Plan {
                sizes: sizes(resource.units, alive),
                length: 0,
                most: 0,
            })
        });
        let quotas = system.quotas.iter().zip(&self.quotas);
        let quotas = quotas.map(move |(principal, alive)| {
            let budget = principal
                .budget
                .and_then(|budget| budget.in_slots(system.slot_seconds));
            let (most, length) = budget.unwrap_or_default();
            (principal.is_limited() && !alive.is_empty()).then(|| Plan {
                sizes: sizes(principal.pes.unwrap_or(system.pes).into(), alive),
                length,
                most,
            })
        });
        resources.chain(quotas)
    }

    /// The memory of all that is beside a book of so many rows.
    pub(in crate::engine) fn bytes(&self, system: &System, rows: usize) -> usize {
        let books = self.books(system).flatten().map(|plan| plan.bytes());
        let ties = rows.saturating_mul(size_of::<Tie>());
        books.fold(ties, usize::saturating_add)
    }
}

/// A book beside the machine before it is made.
#[derive(Clone, Copy)]
struct Plan {
    sizes: Sizes,
    /// How many slots a period has; 0 where there is none.
    length: u64,
    /// How many PE-slots may be used in each.
    most: u64,
}

impl Plan {
    /// Enough to cover whatever can be booked ahead, wherever the first one stands.
    fn periods(&self) -> usize {
        let slots = u64::from(self.sizes.slots);
        let periods = slots.checked_div(self.length).map_or(0, |whole| whole + 2);
        usize::try_from(periods).unwrap_or(usize::MAX)
    }

    fn bytes(&self) -> usize {
        let periods = self.periods().saturating_mul(size_of::<Period>());
        let ties = self.sizes.reservations.saturating_mul(size_of::<Tie>());
        let book = BoxedUnitBook::bytes(self.sizes);
        book.saturating_add(periods).saturating_add(ties)
    }
}

/// A book beside the machine, and what lies beside it.
struct Pool {
    plan: Plan,
    memory: BoxedUnitBook,
    ties: Vec<Tie>,
    periods: Vec<Period>,
}

impl Pool {
    fn new(plan: Plan) -> Result<Self, SizeError> {
        let mut pool = Self {
            plan,
            memory: BoxedUnitBook::new(plan.sizes)?,
            ties: vec![Tie::NONE; plan.sizes.reservations],
            periods: Vec::new(),
        };
        pool.begin_periods(Slot::new(0));
        Ok(pool)
    }

    /// Periods in which nothing is used yet, the first of which is running at `now`.
    fn begin_periods(&mut self, now: Slot) {
        let Plan { length, most, .. } = self.plan;
        let first = now.get().checked_div(length).unwrap_or_default();
        let ends = (first + 1..).map(|end| end.saturating_mul(length));
        let ends = ends.take(self.plan.periods());
        self.periods = ends.map(|end| Period::new(Slot::new(end), most)).collect();
    }

    /// A part whose reservation the machine has lost.
    fn lose(&mut self, handle: Handle, now: Slot) -> Result<(), JointError> {
        self.pass(now)?;
        let Some(mut book) = Quota::new(self.memory.view(), &mut self.periods) else {
            return Ok(());
        };
        let mut books = [Joined {
            book: &mut book,
            ties: &mut [],
        }];
        Several::new(&mut books)?.cancel(BookPart { book: 0, handle })
    }

    /// Lets time pass. It passes in each book by itself, with the same events at the same slots, also with those of a slot in which it stands already.
    fn pass(&mut self, now: Slot) -> Result<(), JointError> {
        let Some(mut book) = Quota::new(self.memory.view(), &mut self.periods) else {
            return Ok(());
        };
        let mut books = [Joined {
            book: &mut book,
            ties: &mut [],
        }];
        let mut several = Several::new(&mut books)?;
        while several.next(now)?.is_some() {}
        let Plan { length, most, .. } = self.plan;
        match book.periods().last() {
            // No reservation reaches so far.
            Some(last) if last.until() <= now => self.begin_periods(now),
            Some(last) => {
                let mut until = Slot::new(last.until().get().saturating_add(length));
                while book.renew(until, most).is_some() {
                    until = Slot::new(until.get().saturating_add(length));
                }
            }
            None => {}
        }
        Ok(())
    }
}

/// Decides what is asked of several books as one, by first fit, and keeps the parts of each reservation together.
pub(in crate::engine) struct Joint {
    /// Those of resources, then those of principals; nothing where nobody is limited.
    pools: Vec<Option<Box<Pool>>>,
    resources: usize,
    /// The pools of each principal and its parents, the nearest first.
    chains: Vec<Vec<usize>>,
    ties: Vec<Tie>,
    /// Whose reservations there are.
    owners: HashMap<Handle, Owned>,
    refuser: Option<Refuser>,
}

/// What is known of a reservation.
#[derive(serde::Serialize, serde::Deserialize)]
struct Owned {
    principal: Option<usize>,
    /// The pools in which it has parts, and which parts these are.
    parts: Vec<(usize, Handle)>,
}

impl Joint {
    /// Beside a book of so many rows.
    pub(in crate::engine) fn new(
        system: &System,
        load: &Load,
        rows: usize,
    ) -> Result<Self, SizeError> {
        let pools = load.books(system).map(|plan| {
            let pool = plan.map(Pool::new).transpose()?;
            Ok(pool.map(Box::new))
        });
        let pools: Vec<Option<Box<Pool>>> = pools.collect::<Result<_, SizeError>>()?;
        let resources = system.resources.len();
        let limited = |one: &usize| pools.get(*one).is_some_and(Option::is_some);
        let chains = (0..system.quotas.len()).map(|principal| {
            let chain = chain(&system.quotas, principal).map(|one| resources + one);
            chain.filter(limited).collect()
        });
        Ok(Self {
            resources,
            chains: chains.collect(),
            ties: vec![Tie::NONE; rows],
            owners: HashMap::new(),
            refuser: None,
            pools,
        })
    }

    /// The pools of a reservation beside the machine, in the order of its books.
    fn pools_of(&self, principal: Option<usize>) -> Vec<usize> {
        let chain = principal.and_then(|principal| self.chains.get(principal));
        (0..self.resources)
            .chain(chain.into_iter().flatten().copied())
            .collect()
    }

    /// Does something with the machine and with what concerns a principal, all of which are at the same slot. Which books these are is the same each time, so that
    /// ties lead to where they did.
    fn together<R: Ring, A>(
        &mut self,
        book: &mut Book<'_, R>,
        pools: &[usize],
        action: impl FnOnce(&mut Several<'_, '_>) -> Result<A, JointError>,
    ) -> Result<A, JointError>
    where
        for<'b> Book<'b, R>: Resource,
    {
        let now = book.now();
        let mut taken: Vec<Box<Pool>> = Vec::with_capacity(pools.len());
        taken.extend(
            pools
                .iter()
                .filter_map(|place| self.pools.get_mut(*place)?.take()),
        );
        let mut passed = taken.iter_mut().map(|pool| pool.pass(now));
        let passed: Result<(), JointError> = passed.by_ref().collect();
        let answer = passed.and_then(|()| {
            let views = taken.iter_mut().filter_map(|pool| {
                let Pool {
                    memory,
                    ties,
                    periods,
                    ..
                } = &mut **pool;
                Some((Quota::new(memory.view(), periods)?, ties))
            });
            let mut views: Vec<_> = views.collect();
            let machine = Joined {
                book,
                ties: &mut self.ties,
            };
            let others = views.iter_mut().map(|(book, ties)| Joined { book, ties });
            let mut books: Vec<Joined<'_>> = [machine].into_iter().chain(others).collect();
            action(&mut Several::new(&mut books)?)
        });
        for (place, pool) in pools.iter().zip(taken) {
            self.pools[*place] = Some(pool);
        }
        answer
    }

    /// Does something to a reservation, which is the part of the machine.
    fn each<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        handle: Handle,
        action: impl FnOnce(&mut Several<'_, '_>, BookPart) -> Result<(), JointError>,
    ) -> Result<(), Denied>
    where
        for<'b> Book<'b, R>: Resource,
    {
        let owned = self.owners.get(&handle).ok_or(UsageError::UnknownHandle)?;
        let pools = self.pools_of(owned.principal);
        let part = BookPart { book: 0, handle };
        let done = self.together(book, &pools, |several| action(several, part));
        done.map_err(|refused| refused.error)
    }

    /// Who it was that refused, where that is one of the books.
    fn refuser(refused: JointError, pools: &[usize], resources: usize) -> Option<Refuser> {
        let room = refused.error == Refusal::NoRoom.into();
        let Some(book) = refused.book else {
            return room.then_some(Refuser::Together);
        };
        let Some(pool) = (book as usize).checked_sub(1) else {
            return room.then_some(Refuser::Machine);
        };
        let pool = *pools.get(pool)?;
        Some(match pool.checked_sub(resources) {
            Some(principal) => Refuser::Quota(principal),
            None => Refuser::Resource(pool),
        })
    }
}

impl<R: Ring> Admission<R> for Joint
where
    for<'b> Book<'b, R>: Resource,
{
    fn admit(&mut self, book: &mut Book<'_, R>, ask: &Ask) -> Result<Booking, Denied> {
        self.refuser = None;
        let asked = &ask.request;
        if asked.pes == PeCount::ZERO {
            // Nothing is asked of the machine then, which has to say what is wrong with the request.
            book.plan(ask.asked(), Policy::FirstFit)?;
        }
        let pools = self.pools_of(ask.principal);
        let of_machine = Need::of_class(ask.class, asked.pes);
        let needs = ask.needs.iter().take(self.resources);
        let needs = needs.map(|need| Need::new(PeCount::new(*need)));
        let quotas = pools.len() - self.resources;
        let quotas = std::iter::repeat_n(Need::new(asked.pes), quotas);
        let needs: Vec<Need> = [of_machine]
            .into_iter()
            .chain(needs)
            .chain(quotas)
            .collect();
        let request = JointRequest {
            ready: asked.ready,
            duration: asked.duration,
            deadline: asked.deadline,
            needs: &needs,
        };
        let hold = match ask.commitment {
            Commitment::Held { ttl } => Some(ttl),
            _ => None,
        };
        let reserved = self.together(book, &pools, |several| {
            let booking = several.reserve(&request, hold, u64::MAX)?;
            Ok((booking, several.parts(booking.part)?))
        });
        match reserved {
            Ok((booking, parts)) => {
                let handle = booking.part.handle;
                let beside = parts.iter().skip(1);
                let parts = beside.map(|part| (pools[part.book as usize - 1], part.handle));
                let owned = Owned {
                    principal: ask.principal,
                    parts: parts.collect(),
                };
                self.owners.insert(handle, owned);
                Ok(Booking {
                    handle,
                    start: booking.start,
                })
            }
            Err(refused) => {
                self.refuser = Self::refuser(refused, &pools, self.resources);
                Err(refused.error)
            }
        }
    }

    fn refuser(&mut self) -> Option<Refuser> {
        self.refuser.take()
    }

    fn confirm(&mut self, book: &mut Book<'_, R>, handle: Handle) -> Result<(), Denied> {
        self.each(book, handle, |several, part| several.confirm(part))
    }

    fn cancel(&mut self, book: &mut Book<'_, R>, handle: Handle) -> Result<(), Denied> {
        self.each(book, handle, |several, part| several.cancel(part))
    }

    fn complete(&mut self, book: &mut Book<'_, R>, handle: Handle, at: Slot) -> Result<(), Denied> {
        self.each(book, handle, |several, part| several.complete(part, at))
    }

    fn lost(&mut self, book: &Book<'_, R>, handle: Handle) -> Result<(), Denied> {
        let owned = self.owners.get(&handle).ok_or(UsageError::UnknownHandle)?;
        for &(place, handle) in &owned.parts {
            if let Some(pool) = self.pools.get_mut(place).and_then(Option::as_mut) {
                let lost = pool.lose(handle, book.now());
                lost.map_err(|refused| refused.error)?;
            }
        }
        Ok(())
    }

    fn learn(&mut self, job: &EndedJob) {
        self.owners.remove(&job.handle);
    }

    fn save(&mut self, to: &mut Vec<u8>) -> Saving {
        self.pools
            .iter_mut()
            .flatten()
            .try_for_each(|pool| put(&(pool.memory.snapshot(), &pool.ties, &pool.periods), to))?;
        put(&(&self.ties, &self.owners), to)
    }

    fn restore(&mut self, from: &mut &[u8]) -> Saving {
        for pool in self.pools.iter_mut().flatten() {
            let snapshot: Vec<u8>;
            (snapshot, pool.ties, pool.periods) = take(from)?;
            pool.memory.read_snapshot(&snapshot)?;
        }
        (self.ties, self.owners) = take(from)?;
        Ok(())
    }
}
