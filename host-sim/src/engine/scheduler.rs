//! The scheduler that is simulated, and what seconds and slots mean to it.

use std::{collections::HashSet, result::Result as Answer};

use bookahead::{
    Advanced, Book, Booking, Commitment, Conflict, Error as Denied, Flexibility, Freeze, Handle,
    Move, Policy, Refusal, Slot, SlotClock, Span, Tariff, UsageError, Window, heapless, raw::Ring,
};

use bookahead_heap::BoxedWorkspace;

use super::{
    defect::broken,
    life::{Booked, PeRanges as Ranges, seconds},
    priority::Priority,
    story::Cause,
    strategy::{Admission, Ask, Strategy, rigid},
    waiting::Waiting,
};
use crate::{error::Result, files::PeRanges, request::JobRequest, rule::Rule};

/// The scheduler that is simulated: the book, the queue and what decides about requests.
pub(super) struct Scheduler<'a, R: Ring> {
    pub(super) book: Book<'a, R>,
    /// What the book needs while it changes reservations.
    pub(super) workspace: BoxedWorkspace<R::Part>,
    /// Nothing where there is no queue and no request waits.
    pub(super) waiting: Option<Waiting<'a, R>>,
    /// In which order requests wait; nothing where none does.
    pub(super) priority: Option<Priority>,
    /// In which order jobs of the queue have their turns; nothing where that is the order in which they came.
    pub(super) queue_order: Option<Priority>,
    pub(super) admission: Box<dyn Admission<R> + 'a>,
    pub(super) strategy: Strategy,
    /// When the starts of flexible reservations become fixed; nothing where none may move.
    pub(super) freeze: Option<Freeze>,
    /// Whether they start earlier where something has been given back.
    pub(super) pulls: bool,
    /// Whether jobs may run longer than was booked.
    pub(super) overruns: bool,
    /// What is not there again and again.
    pub(super) rules: Vec<Rule>,
    /// How long jobs of the queue that do not say run at least (s), before they may be ended for reservations; nothing where none may.
    pub(super) preempt: Option<u64>,
    pub(super) clock: SlotClock,
    pub(super) tariff: Tariff,
    /// How many slots after the last arrival everything is over.
    pub(super) reach: u64,
}

impl<R: Ring> Scheduler<'_, R> {
    /// The kernel's time ends, and so do seconds; what arrives so late that the rest could not be run out is refused.
    pub(super) fn too_late(&self, now: Slot) -> bool {
        let last = Slot::new(now.get().saturating_add(self.reach));
        last > Slot::LAST_NOW || self.clock.seconds(last).is_none()
    }

    /// Whether somebody is ordered by what users have been given.
    pub(super) fn orders_by_user(&self) -> bool {
        let orders = [&self.priority, &self.queue_order];
        orders.contains(&&Some(Priority::User))
    }

    /// How a request that is asked for from `earliest` on is committed to, where it is not held: firmly, and where reservations may move and it is flexible, so that it
    /// may start elsewhere in its window.
    pub(super) fn commitment(
        &self,
        request: &JobRequest,
        ready: Slot,
        earliest: Slot,
    ) -> Commitment {
        let exact = request.asks.as_ref().is_some_and(|asks| asks.is_exact());
        match self.freeze {
            Some(freeze) if request.flexible && !exact => Commitment::Flexible {
                // What is ready as it arrives has a deadline only.
                kind: match ready <= earliest {
                    true => Flexibility::Deadline,
                    false => Flexibility::Interval,
                },
                freeze,
            },
            _ => Commitment::Confirmed,
        }
    }

    /// Lets flexible reservations start earlier, where they do, none of them before `earliest`, and returns whom.
    pub(super) fn pull_forward(&mut self, earliest: Slot) -> Result<Vec<(Handle, Cause)>> {
        let (mut pulled, mut moves) = (Vec::new(), heapless::Vec::<Move, 64>::new());
        while self.pulls {
            let workspace = &mut self.workspace.view();
            let done = self.book.pull_forward(earliest, workspace, &mut moves);
            let whom = moves
                .iter()
                .map(|change| (change.handle, Cause::PullForward));
            pulled.extend(whom);
            moves.clear();
            if done.map_err(broken)? == Advanced::Done {
                break;
            }
        }
        // One that was pulled twice has moved once.
        let mut seen = HashSet::new();
        pulled.retain(|(handle, _)| seen.insert(*handle));
        Ok(pulled)
    }

    /// What is booked for a live reservation.
    pub(super) fn booked(&self, handle: Handle) -> Result<Booked> {
        let reservation = self.book.get(handle).map_err(broken)?;
        Ok(Booked {
            window: reservation.window,
            pes: reservation.request.pes,
        })
    }

    /// Books exactly these processing elements at the ready time, or says why not: as a request that starts then or never and takes any, and
    /// because they are not free.
    pub(super) fn reserve_exactly(&mut self, ask: &Ask, pes: &PeRanges) -> Answer<Booking, Denied> {
        if ask.commitment == (Commitment::Held { ttl: Span::ZERO }) {
            return Err(UsageError::ZeroHold.into());
        }
        let request = rigid(&ask.request);
        match self.book.plan(&request, Policy::FirstFit) {
            Err(Denied::Refused(Refusal::NoRoom)) | Ok(_) => {}
            Err(reason) => return Err(reason),
        }
        let set = self.bits(pes.numbers());
        let start = request.ready;
        let window = Window {
            start,
            end: start.saturating_add(request.duration),
        };
        let there = &mut Conflict::default();
        let handle = self
            .book
            .reserve_exactly(window, &set, ask.commitment, there)?;
        Ok(Booking { handle, start })
    }

    /// A set as the kernel takes it, with a bit for each number.
    pub(super) fn bits(&self, pes: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut set = vec![0_u32; usize::from(self.book.numbers()).div_ceil(32)];
        for pe in pes {
            if let Some(word) = set.get_mut(pe as usize / 32) {
                *word |= 1 << (pe % 32);
            }
        }
        set
    }

    /// The processing elements of a running job, in increasing order.
    pub(super) fn pes_of(&self, handle: Handle) -> Result<Ranges> {
        let ranges = self.book.pe_ranges_of(handle).map_err(broken)?;
        let numbers = ranges.map(|range| (range.start().get(), range.end().get()));
        Ok(numbers.collect())
    }

    /// The length of a window in seconds.
    pub(super) fn length(&self, window: Window) -> Result<u64> {
        Ok(self.seconds(window.end)? - self.seconds(window.start)?)
    }

    /// The second at which `slot` begins.
    pub(super) fn seconds(&self, slot: Slot) -> Result<u64> {
        seconds(self.clock, slot)
    }
}
