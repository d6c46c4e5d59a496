//! The probability that an overlay is kept: a reservation that is accepted on top of others which will probably end early.

use crate::{
    pe::PeCount,
    risk::{law::Run, probability::Probability},
    time::{Slot, Window},
};

/// What counts as keeping the promise made to an overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guarantee {
    /// It has its processing elements from its start until it finishes or its time is over. It is violated by a late
    /// start, and by being stopped for somebody else.
    Access,
    /// In addition it finishes by its booked end, as in equation 4 of `xiao`.
    Completion,
}

/// What is booked from a slot on, until the next load. There is one wherever that changes, and also where a predecessor's
/// booked end comes and as much remains as before: somebody else has followed him.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// The first slot.
    pub at: Slot,
    /// The processing elements that remain when all that is booked and overlaid there is subtracted from the machine;
    /// negative where overlays share slots.
    pub free: i32,
}

/// A newcomer, and the reservations it would have to wait for.
///
/// Probabilities take a table that the caller lends, with an entry for each processing element that has to become free.
/// As many as the machine has always suffice.
///
/// ```
/// use bookahead::{
///     Exponential, Guarantee, Load, Overlap, PeCount, Probability, Run, RunTimeLaw, Slot, Span, Window,
/// };
/// let run = |pes, start, end| {
///     let window = Window { start: Slot::new(start), end: Slot::new(end) };
///     let law = RunTimeLaw::Exponential(Exponential::new(1, 10).unwrap());
///     Run { pes: PeCount::new(pes), window, ran: Span::ZERO, law }
/// };
/// // Four processing elements, all booked from slot 0 to slot 40 by two jobs; the newcomer wants two of them at slot 10.
/// let overlap = Overlap { newcomer: run(2, 10, 30), free: 0, predecessors: &[run(2, 0, 40), run(2, 0, 40)] };
/// let mut table = [Probability::ZERO; 4];
/// let likely = |share: Probability, expected: f64| (share.get().to_num::<f64>() - expected).abs() < 1e-8;
/// // It can start unless both still run: 1 - 1/e^2.
/// assert!(likely(overlap.free_start(&mut table).unwrap(), 0.864_664_717));
/// // Nobody else comes, so it keeps what it has got.
/// let kept = overlap.kept(Guarantee::Access, [].into_iter(), &mut table).unwrap();
/// assert!(likely(kept, 0.864_664_717));
/// // From slot 20 on all are booked for others: it has to be finished by then.
/// let others = [Load { at: Slot::new(20), free: -4 }];
/// let kept = overlap.kept(Guarantee::Access, others.into_iter(), &mut table).unwrap();
/// assert!(likely(kept, 0.864_664_717 * 0.632_120_559));
/// ```
///
/// Source: `xiao`, section 4.1 and theorems 1 and 2 of section 4.2, corrected.
#[derive(Clone, Copy, Debug)]
pub struct Overlap<'a> {
    /// The newcomer. It has not run yet.
    pub newcomer: Run<'a>,
    /// The processing elements that remain at its start when all that is booked and overlaid there is subtracted from the
    /// machine; negative where overlays share slots.
    pub free: i32,
    /// Who may finish early: the jobs booked at its start that do not themselves depend on others. Those that do not
    /// cover its start are ignored.
    pub predecessors: &'a [Run<'a>],
}

impl Overlap<'_> {
    /// Returns the probability, rounded down, that the newcomer can start on time: the predecessors that have finished by
    /// then leave it enough. Exact but for rounding, whatever the predecessors; `xiao` takes one set of them that
    /// suffices, and ignores all others. `None` when the table is too short.
    /// O(predecessors x (processing elements that have to become free + cost of the law)).
    ///
    /// Source: `xiao`, theorem 1.
    #[must_use]
    pub fn free_start(&self, table: &mut [Probability]) -> Option<Probability> {
        let demand = self.demand();
        let table = table.get_mut(..demand.min(self.most_freed()))?;
        self.tabulate_freed(table);
        Some(freed(table, demand))
    }

    /// Returns the probability, rounded down, that the newcomer cannot start on time: with
    /// [`free_start`](Self::free_start), it adds up to at most 1. `None` when the table is too short. The same cost.
    #[must_use]
    pub fn late_start(&self, table: &mut [Probability]) -> Option<Probability> {
        let demand = self.demand();
        if demand > self.most_freed() {
            return Some(Probability::ONE);
        }
        let table = table.get_mut(..demand)?;
        // Entry k: at most k become free.
        table.fill(Probability::ONE);
        for run in self.in_the_way() {
            let unfinished = run.unfinished_at(self.newcomer.window.start);
            convolve(table, run.pes, Probability::ZERO, |finished, still| {
                unfinished.mix(still, finished)
            });
        }
        Some(table.last().copied().unwrap_or(Probability::ZERO))
    }

    /// Returns the probability, rounded down, that the newcomer starts on time and the guarantee is kept until its booked
    /// end. `later` are the loads inside its window and after its start, in order of time.
    ///
    /// Who has finished by the start leaves room later as well; nobody is counted upon to finish in the meantime. So where
    /// the load of others grows, more predecessors must have finished at the start, or the newcomer must be
    /// finished itself. The result is the sum over the number of processing elements that became free. Where the first
    /// greater load leaves no room at all it is the product of the free start and [`Run::finished_by`] that load.
    ///
    /// `None` when the table is too short. O(predecessors x (processing elements that have to become free + loads + cost of
    /// the law)).
    ///
    /// Source: `xiao`, theorems 1 and 2 and equation 4. As printed, theorem 2 forgets the predecessors that have not
    /// finished.
    #[must_use]
    pub fn kept(
        &self,
        guarantee: Guarantee,
        later: impl Iterator<Item = Load> + Clone,
        table: &mut [Probability],
    ) -> Option<Probability> {
        let most = self.most_freed();
        let demands = later.filter_map(|load| self.later_demand(load));
        let reachable = demands.clone().map(|(_, demand)| demand.min(most));
        let table = table.get_mut(..reachable.fold(self.demand().min(most), usize::max))?;
        self.tabulate_freed(table);

        let mut kept = 0_u64;
        let mut finished = Probability::ZERO;
        // Adds the case that it does not finish until now, but does by then, and has room until then.
        let mut until = |demand, then: Probability| {
            let share = u64::from(then.minus(finished).bits());
            // The shares add up to at most 1, and the sum to at most 2^62.
            kept = kept.saturating_add(share.wrapping_mul(freed(table, demand).bits().into()));
            finished = finished.max(then);
        };
        let mut demand = self.demand();
        for (at, greater) in demands {
            if greater > demand {
                until(demand, self.newcomer.finished_by(at));
                demand = greater;
            }
        }
        let end = match guarantee {
            Guarantee::Access => Probability::ONE,
            Guarantee::Completion => self.newcomer.finished_by(self.newcomer.window.end),
        };
        until(demand, end);
        Some(Probability::clamped(kept >> 31))
    }

    /// Returns how many processing elements have to become free for the newcomer to start.
    fn demand(&self) -> usize {
        let wanted = i64::from(self.newcomer.pes.get());
        wanted.saturating_sub(self.free.into()).max(0) as usize
    }

    /// Returns how many processing elements must have become free at the start, so that the newcomer has room under a
    /// later load even if nobody else finishes; `None` if it has room in any case, or the load is not a later one.
    fn later_demand(&self, load: Load) -> Option<(Slot, usize)> {
        let Window { start, end } = self.newcomer.window;
        let lacking = i64::from(self.newcomer.pes.get()).saturating_sub(load.free.into());
        if load.at <= start || load.at >= end || lacking <= 0 {
            return None;
        }
        // Those whose booked end comes first are gone by then, and what they held is among the free.
        let gone = self.in_the_way().filter(|run| !run.covers(load.at));
        Some((load.at, total(gone).saturating_add(lacking as usize)))
    }

    /// Returns how many processing elements become free when all predecessors finish early.
    fn most_freed(&self) -> usize {
        total(self.in_the_way())
    }

    /// Returns the predecessors booked at the start of the newcomer.
    fn in_the_way(&self) -> impl Iterator<Item = &Run<'_>> {
        let start = self.newcomer.window.start;
        self.predecessors
            .iter()
            .filter(move |run| run.covers(start))
    }

    /// Fills entry k with the probability that more than k processing elements become free.
    fn tabulate_freed(&self, table: &mut [Probability]) {
        table.fill(Probability::ZERO);
        for run in self.in_the_way() {
            let finished = run.finished_by(self.newcomer.window.start);
            convolve(table, run.pes, Probability::ONE, |gone, still| {
                finished.mix(gone, still)
            });
        }
    }
}

/// Returns the entry for `demand` processing elements.
fn freed(table: &[Probability], demand: usize) -> Probability {
    match demand.checked_sub(1) {
        Some(index) => table.get(index).copied().unwrap_or(Probability::ZERO),
        None => Probability::ONE,
    }
}

/// Adds one more run to a table: each entry becomes `mix` of the entry `pes` before it, for the case that the run has
/// finished, and of itself. What comes before the table is `beyond`.
fn convolve(
    table: &mut [Probability],
    pes: PeCount,
    beyond: Probability,
    mix: impl Fn(Probability, Probability) -> Probability,
) {
    for index in (0..table.len()).rev() {
        let before = index.checked_sub(pes.get() as usize);
        let finished = before.and_then(|before| table.get(before)).copied();
        if let Some(entry) = table.get_mut(index) {
            *entry = mix(finished.unwrap_or(beyond), *entry);
        }
    }
}

/// Returns the processing elements of all together.
fn total<'a>(runs: impl Iterator<Item = &'a Run<'a>>) -> usize {
    runs.fold(0, |sum, run| sum.saturating_add(run.pes.get() as usize))
}
