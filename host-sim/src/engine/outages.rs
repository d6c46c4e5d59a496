//! Processing elements leave and come back: what the kernel is asked to do, and what becomes of those in the way.

use std::collections::HashMap;

use bookahead::{Event, EventKind, Handle, Move, Outage, Slot, Window, heapless, raw::Ring};

use super::{
    defect::{broken, internal, nobody},
    drive::Run,
    life::{PeRanges, seconds},
    overruns::Displaced,
    story::Gone,
};
use crate::{
    error::{Error, Result},
    outage::{Breaker, Notice, OutageKind},
    saved::{Saved, saves},
};

/// The outages of a run.
#[derive(Default)]
pub(super) struct Outages {
    /// How many notices are known.
    pub(super) heard: usize,
    /// The parts that are in the book, and which row of the table each is.
    parts: HashMap<Handle, usize>,
    /// What has been announced, with what became of it.
    pub(super) gone: Vec<Gone>,
    /// The latest notice of each that is not over.
    current: Vec<(Notice, Window)>,
    /// When outages go on because something was given back inside a slot.
    pub(super) resume: Option<Slot>,
}

impl Saved for Outages {
    saves!(heard parts gone current resume);
}

impl<R: Ring> Run<'_, R> {
    /// Something becomes known of an outage. Nothing happens inside a slot, so that this counts from the next slot edge on.
    pub(super) fn hear(&mut self, notice: &Notice) -> Result<()> {
        let edge = self.edge(notice.announced)?;
        let second = self.scheduler.seconds(edge)?;
        if !self.arrive(second)? {
            return Ok(());
        }
        let mut frees = self.withdraw(notice.id, edge)?;
        let start = self.scheduler.clock.slot_rounding_down(notice.start);
        let window = Window {
            start: start.unwrap_or(edge).max(edge),
            end: self.edge(notice.end)?,
        };
        if !notice.takes_back() && !window.is_empty() {
            let outage = match notice.kind {
                OutageKind::Failure => Outage::Failure { until: window.end },
                OutageKind::Maintenance => Outage::Maintenance { window },
            };
            // A job that is broken frees its other processing elements.
            frees |= self.take(notice, outage)? > 0;
            self.outages.current.push((notice.clone(), window));
        }
        let gone = &mut self.outages.gone;
        let nothing = Gone::nothing(notice, second);
        let said = |gone: &Gone| {
            let what = |gone: &Gone| (gone.id, gone.announced, gone.window);
            what(gone) == what(&nothing)
        };
        if !gone.last().is_some_and(said) {
            gone.push(nothing);
        }
        match frees {
            true => self.resume_outages(),
            false => Ok(()),
        }
    }

    /// Something may have been given back at `second`: outages that wait for it go on at the next slot edge.
    pub(super) fn resume_after(&mut self, second: u64) -> Result<()> {
        let edge = self.edge(second)?;
        self.outages.resume = Some(edge).filter(|_| !self.outages.current.is_empty());
        match edge == self.scheduler.book.now() {
            true => self.resume_outages(),
            false => Ok(()),
        }
    }

    /// Outages that wait for processing elements of jobs, or of other outages, which have ended early go on.
    pub(super) fn resume_outages(&mut self) -> Result<()> {
        let now = self.scheduler.book.now();
        let outages = &mut self.outages;
        outages.resume = None;
        outages.current.retain(|(_, window)| window.end > now);
        for (notice, window) in outages.current.clone() {
            let window = Window {
                start: window.start.max(now),
                ..window
            };
            self.take(&notice, Outage::Maintenance { window })?;
        }
        Ok(())
    }

    /// When a notice counts (s).
    pub(super) fn second_of(&self, notice: &Notice) -> Result<u64> {
        self.scheduler.seconds(self.edge(notice.announced)?)
    }

    fn edge(&self, second: u64) -> Result<Slot> {
        let edge = self.scheduler.clock.slot_rounding_up(second);
        edge.ok_or_else(|| internal("an outage beyond the end of time"))
    }

    /// Nothing of an outage is left from `now` on; returns whether there was anything.
    fn withdraw(&mut self, id: u64, now: Slot) -> Result<bool> {
        let Outages {
            parts,
            gone,
            current,
            ..
        } = &mut self.outages;
        current.retain(|(notice, _)| notice.id != id);
        let second = seconds(self.scheduler.clock, now)?;
        let mut of_it: Vec<(usize, Handle)> = parts
            .iter()
            .filter(|(_, row)| gone.get(**row).is_some_and(|gone| gone.id == id))
            .map(|(handle, row)| (*row, *handle))
            .collect();
        of_it.sort_unstable_by_key(|(row, _)| *row);
        for &(row, handle) in &of_it {
            self.scheduler.book.cancel(handle).map_err(broken)?;
            parts.remove(&handle);
            let gone = gone.get_mut(row).ok_or_else(nobody)?;
            gone.effect = gone.effect.filter(|[from, _]| *from < second);
            if let Some([_, until]) = &mut gone.effect {
                *until = second;
            } else {
                gone.pes.clear();
            }
        }
        Ok(!of_it.is_empty())
    }

    /// Takes what is there, and returns how many promises that breaks.
    fn take(&mut self, notice: &Notice, outage: Outage) -> Result<usize> {
        let (parts, done) = self.take_out(notice, outage)?;
        let time = self.scheduler.seconds(self.scheduler.book.now())?;
        let late = self.displaced(Breaker::Outage(notice.id), time, &done)?;
        let counts = [done.broken.len(), done.moved.len(), late];
        let outages = &mut self.outages;
        let first = outages.gone.len();
        // What took nothing when it became known, and does now without harm to anybody, has the row of then.
        let waits = |gone: &Gone| gone.took_nothing(notice);
        let known = outages.current.iter().any(|(known, _)| known == notice);
        let waiting = outages.gone.iter().rposition(waits);
        let mut waiting = waiting.filter(|_| known && counts == [0; 3]);
        for (handle, window) in parts {
            let effect = Some([
                self.scheduler.seconds(window.start)?,
                self.scheduler.seconds(window.end)?,
            ]);
            let row = waiting.take().unwrap_or_else(|| {
                outages.gone.push(Gone::nothing(notice, time));
                outages.gone.len() - 1
            });
            let gone = outages.gone.get_mut(row).ok_or_else(nobody)?;
            (gone.pes, gone.effect) = (self.scheduler.pes_of(handle)?, effect);
            outages.parts.insert(handle, row);
        }
        if outages.gone.len() == first && counts != [0; 3] {
            outages.gone.push(Gone::nothing(notice, time));
        }
        if let Some(gone) = outages.gone.get_mut(first) {
            [gone.broken, gone.moved, gone.late] = counts;
        }
        Ok(done.broken.len())
    }

    fn take_out(
        &mut self,
        notice: &Notice,
        outage: Outage,
    ) -> Result<(Vec<(Handle, Window)>, Displaced)> {
        let scheduler = &mut self.scheduler;
        let pes = notice.pes.iter();
        let pes = pes.flat_map(|&(first, last)| u32::from(first)..=u32::from(last));
        let set = scheduler.bits(pes);
        let workspace = scheduler.workspace.view();
        let mut transaction = scheduler.book.transaction(workspace, u64::MAX);
        // The moves name all of them.
        let (mut parts, mut gone) = (heapless::Vec::<_, 0>::new(), heapless::Vec::<_, 0>::new());
        let absent = bookahead::Absent::These(&set);
        let taken = transaction.take_out(outage, absent, &mut parts, &mut gone);
        taken.map_err(|reason| {
            Error::Usage(format!(
                "outage {} cannot be taken into the book: {reason}",
                notice.id
            ))
        })?;
        let is_part = |change: &Move| change.from.is_none();
        let parts = transaction.moves().filter(is_part);
        let parts = parts.filter_map(|change| Some((change.handle, change.to?.window())));
        let parts = parts.collect();
        let done = Displaced::by(transaction.moves().filter(|change| !is_part(change)));
        transaction.commit().map_err(broken)?;
        Ok((parts, done))
    }

    /// Whether the event is about an outage.
    pub(super) fn is_about_outage(&mut self, event: &Event) -> bool {
        let parts = &mut self.outages.parts;
        match event.kind {
            EventKind::Completed | EventKind::EndReached => parts.remove(&event.handle).is_some(),
            _ => parts.contains_key(&event.handle),
        }
    }
}

impl Gone {
    /// Whether this is the row of the notice, and has taken nothing.
    fn took_nothing(&self, notice: &Notice) -> bool {
        let of_it = (self.id, self.window) == (notice.id, [notice.start, notice.end]);
        let counts = [self.broken, self.moved, self.late];
        of_it && self.effect.is_none() && counts == [0; 3]
    }

    /// The row of a notice that has taken nothing, so far.
    fn nothing(notice: &Notice, time: u64) -> Self {
        Self {
            id: notice.id,
            kind: notice.kind,
            announced: time,
            window: [notice.start, notice.end],
            asked: notice.pes.clone(),
            pes: PeRanges::new(),
            effect: None,
            broken: 0,
            moved: 0,
            late: 0,
        }
    }
}
