//! Quotas: how much of something may be used at once, and how much in each period.

use super::member::{Asker, Member, Resource};
use crate::{
    error::Error,
    event::Event,
    fit::Job,
    handle::Handle,
    ledger::{Phase, Row},
    request::Request,
    ring::Axis,
    time::{Slot, Span, Window},
};

/// How much may be used in a period: in PE-slots, which are processing elements times slots. In a list of them, each begins where the one before it ends, and the first
/// one at the beginning of time. 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Period {
    until: Slot,
    most: u64,
    used: u64,
}

impl Period {
    /// Creates a period that ends before the slot `until`, of which `most` PE-slots may be used. Nothing is used yet.
    #[must_use]
    pub const fn new(until: Slot, most: u64) -> Self {
        Self {
            until,
            most,
            used: 0,
        }
    }

    /// Returns the slot in which the next period begins.
    #[must_use]
    pub const fn until(&self) -> Slot {
        self.until
    }

    /// Returns how much may be used.
    #[must_use]
    pub const fn most(&self) -> u64 {
        self.most
    }

    /// Returns how much has been used and is booked.
    #[must_use]
    pub const fn used(&self) -> u64 {
        self.used
    }

    /// Returns how much is left. Nothing once `most` has been set to less than what is used.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.most.saturating_sub(self.used)
    }
}

/// The quota of a user, a project, a department: one of the books of a [`Several`](crate::Several). Nothing in it is a machine. The book inside has as many processing elements as
/// may be used at once, and knows when they are; the periods beside it say how many PE-slots may be used in each. A request that names it among its needs is placed at
/// the first start that the machine and all quotas allow, and the refusal names the one that never does.
///
/// Where quotas have parents, a request needs the same of each of them: of the user, of the project, of the department. The kernel has no calendar, so the caller
/// says where periods end, and [renews](Self::renew) those that are over. Behind the last one there is no limit but that of the book.
///
/// Each reservation is charged to every period that it overlaps, for the slots in it. What ends early or is cancelled is refunded from `now` on.
///
/// A view, to be made for each call or kept. The book and the periods belong together from the book's first slot on: never change the book without them, or the periods
/// do not follow. Where time passes in the machine's book by itself, it does in a quota by [`next`](crate::Several::next) of a [`Several`](crate::Several) of this
/// quota alone, which needs no ties; so does what else is done to it alone, such as `cancel`. It passes in the same steps as there, the present slot included: in a longer
/// one, a reservation would have missed its start and be refunded.
///
/// ```
/// use bookahead::{CountBook, JointRequest, Joined, Need, PeCount, Period, Quota, Refusal, Several, Slot, Span, Tie};
/// // A machine of 16 nodes. Ada may use 8 at once, and 100 node-slots in every 24 slots.
/// let mut machine = CountBook::<1, 16, 8>::new(PeCount::new(16), Span::new(64)).unwrap();
/// let mut ada = CountBook::<1, 8, 8>::new(PeCount::new(8), Span::new(64)).unwrap();
/// let mut periods = [24, 48, 72].map(|until| Period::new(Slot::new(until), 100));
///
/// let mut machine = machine.view();
/// let mut ada = Quota::new(ada.view(), &mut periods).unwrap();
/// let mut ties = [[Tie::NONE; 8]; 2];
/// let [of_machine, of_ada] = &mut ties;
/// let mut books = [
///     Joined { book: &mut machine, ties: of_machine },
///     Joined { book: &mut ada, ties: of_ada },
/// ];
/// let mut site = Several::new(&mut books)?;
/// let ask = |nodes: u32, deadline: u64| (
///     [Need::new(PeCount::new(nodes)); 2],
///     (Slot::new(0), Span::new(10), Slot::new(deadline)),
/// );
/// let mut reserve = |(needs, (ready, duration, deadline)): ([Need; 2], _)| {
///     site.reserve(&JointRequest { ready, duration, deadline, needs: &needs }, None, 1_000)
/// };
/// assert_eq!(reserve(ask(5, 40))?.start, Slot::new(0));
/// // No more than 8 at once.
/// assert_eq!(reserve(ask(4, 40))?.start, Slot::new(10));
/// // 90 of the first day's 100 are booked: of four nodes, only two slots more.
/// assert_eq!(reserve(ask(4, 40))?.start, Slot::new(22));
/// let refused = reserve(ask(4, 30)).unwrap_err();
/// assert_eq!((refused.book, refused.error), (Some(1), Refusal::NoRoom.into()));
/// assert_eq!(periods.map(|period| period.left()), [2, 68, 100]);
/// # Ok::<(), bookahead::JointError>(())
/// ```
pub struct Quota<'a, B> {
    book: B,
    periods: &'a mut [Period],
}

impl<'a, B: Resource> Quota<'a, B> {
    /// Creates a view of a quota: a book of what may be used at once, and what may be used in each period, which may be nothing to limit. `None` if a period does not end later than
    /// the one before it. O(periods).
    #[must_use]
    pub fn new(book: B, periods: &'a mut [Period]) -> Option<Self> {
        let apart = periods.is_sorted_by(|one, next| one.until < next.until);
        apart.then_some(Self { book, periods })
    }

    /// Returns the book of what is used at once, to look at. O(1).
    pub const fn book(&self) -> &B {
        &self.book
    }

    /// Returns the periods, the earliest first. O(1).
    #[must_use]
    pub const fn periods(&self) -> &[Period] {
        self.periods
    }

    /// Sets how much may be used in a period from now on, and returns how much it was; `None` if there is no such period. What is booked stays booked. O(1).
    pub fn set_most(&mut self, period: usize, most: u64) -> Option<u64> {
        let period = self.periods.get_mut(period)?;
        Some(core::mem::replace(&mut period.most, most))
    }

    /// Replaces the earliest period, which is over, by one behind the last. Returns the one that is over, for the bill; `None`, and nothing is changed, if it is not over yet, if the new one
    /// does not end later than the last, or if there are no periods. O(rows + periods).
    pub fn renew(&mut self, until: Slot, most: u64) -> Option<Period> {
        let (over, last) = (*self.periods.first()?, *self.periods.last()?);
        if over.until > self.book.axis().now() || until <= last.until {
            return None;
        }
        let mut new = Period::new(until, most);
        new.used = self.booked(last.until, until);
        self.periods.rotate_left(1);
        if let Some(last) = self.periods.last_mut() {
            *last = new;
        }
        Some(over)
    }

    /// Returns whether each period has at least what is booked in it from now on: the invariant of quotas. O(rows x periods).
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let mut from = Slot::default();
        self.periods.iter().all(|period| {
            let booked = self.booked(from, period.until);
            from = period.until;
            booked <= period.used
        })
    }

    /// Returns how much is booked of a period, without what has passed. O(rows).
    fn booked(&self, from: Slot, until: Slot) -> u64 {
        let rows = (0..self.book.rows()).filter_map(|row| self.book.row(row));
        let live = rows.filter(Row::is_live);
        let charges = live.map(|row| {
            let slots = overlap(self.yet(row.window()), from, until);
            charge(slots, row.pes.get())
        });
        charges.fold(0, u64::saturating_add)
    }

    /// Returns the part of a window that has not passed.
    fn yet(&self, window: Window) -> Window {
        Window {
            start: window.start.max(self.book.axis().now()),
            ..window
        }
    }

    /// Returns the index of the first period that is not over at `slot`, and when it begins. O(log periods).
    fn first_behind(&self, slot: Slot) -> (usize, Slot) {
        let first = self.periods.partition_point(|period| period.until <= slot);
        let before = first.checked_sub(1).and_then(|last| self.periods.get(last));
        (first, before.map_or(Slot::default(), Period::until))
    }

    /// Charges a window to the periods, or refunds it. O(log periods + those that it overlaps).
    fn charge(&mut self, window: Window, pes: u32, refund: bool) {
        let window = self.yet(window);
        let (first, mut from) = self.first_behind(window.start);
        for period in self.periods.get_mut(first..).unwrap_or_default() {
            if from >= window.end {
                break;
            }
            let slots = overlap(window, from, period.until);
            from = period.until;
            period.used = match refund {
                true => period.used.saturating_sub(charge(slots, pes)),
                false => period.used.saturating_add(charge(slots, pes)),
            };
        }
    }

    /// Returns the first start from `start` on at which a run is within what is left of each period; later ones may not be. O(log periods + those that it overlaps).
    fn within(&self, mut start: Slot, duration: Span, pes: u32) -> Slot {
        let (first, mut from) = self.first_behind(start);
        for period in self.periods.get(first..).unwrap_or_default() {
            let end = start.saturating_add(duration);
            if from >= end {
                break;
            }
            let slots = overlap(Window { start, end }, from, period.until);
            if charge(slots, pes) > period.left() {
                let left = period.left().checked_div(pes.into()).unwrap_or_default();
                // Only so many of the period's last slots. Later starts have fewer of them, so what was within earlier periods stays so.
                start = Slot::new(period.until.get().saturating_sub(left));
            }
            from = period.until;
        }
        start
    }

    /// Does something to the book, and charges or refunds what a row has more or less of slots to come.
    fn recharge<A>(&mut self, row: usize, action: impl FnOnce(&mut B) -> A) -> A {
        let before = self.booked_in(row);
        let answer = action(&mut self.book);
        let after = self.booked_in(row);
        self.charge(before.window(), before.pes.get(), true);
        self.charge(after.window(), after.pes.get(), false);
        answer
    }

    /// Returns a row that is live, else a vacant one, which covers nothing.
    fn booked_in(&self, row: usize) -> Row<u32> {
        let row = self.book.row(row).filter(Row::is_live);
        row.unwrap_or_default()
    }
}

/// Returns how many slots of a window lie in a period.
fn overlap(window: Window, from: Slot, until: Slot) -> u64 {
    let (start, end) = (window.start.max(from), window.end.min(until));
    end.get().saturating_sub(start.get())
}

/// Returns how much so many slots are of a quota.
fn charge(slots: u64, pes: u32) -> u64 {
    slots.saturating_mul(pes.into())
}

impl<B: Resource> Resource for Quota<'_, B> {}

impl<B: Resource> Member for Quota<'_, B> {
    fn axis(&self) -> &Axis {
        self.book.axis()
    }

    fn rows(&self) -> usize {
        self.book.rows()
    }

    fn row(&self, row: usize) -> Option<Row<u32>> {
        self.book.row(row)
    }

    fn find(&self, handle: Handle) -> Result<(usize, Row<u32>), Error> {
        self.book.find(handle)
    }

    fn admit(&self, asker: Asker, times: &Request) -> Result<Job, Error> {
        self.book.admit(asker, times)
    }

    /// Each round but the last moves the start to where another period is satisfied for good, so there is at most one for each of them.
    fn earliest(&mut self, asker: Asker, job: &Job) -> Option<usize> {
        let mut job = *job;
        for _ in 0..=self.periods.len() {
            let start = self.book.earliest(asker, &job)?;
            let axis = self.book.axis();
            let within = self.within(axis.slot(start), job.span(), job.pes);
            job.ready = axis.nearest(within);
            if job.ready == start {
                return Some(start);
            }
        }
        None
    }

    fn book_at(&mut self, asker: Asker, run: &Job, hold: Option<Span>) -> Result<Handle, Error> {
        let handle = self.book.book_at(asker, run, hold)?;
        let start = self.book.axis().slot(run.ready);
        let end = start.saturating_add(run.span());
        self.charge(Window { start, end }, run.pes, false);
        Ok(handle)
    }

    fn confirm_part(&mut self, handle: Handle) -> Result<(), Error> {
        self.book.confirm_part(handle)
    }

    fn cancel_part(&mut self, handle: Handle) -> Result<(), Error> {
        self.recharge(handle.index(), |book| book.cancel_part(handle))
    }

    fn complete_part(&mut self, handle: Handle, at: Slot) -> Result<(), Error> {
        self.recharge(handle.index(), |book| book.complete_part(handle, at))
    }

    fn due(&self) -> Option<(Slot, Phase, usize)> {
        self.book.due()
    }

    fn move_now(&mut self, to: Slot) {
        self.book.move_now(to);
    }

    fn happen(&mut self, row: usize, to: Slot) -> Event {
        self.recharge(row, |book| book.happen(row, to))
    }

    fn release(&mut self, row: usize, window: Window) {
        self.charge(window, self.booked_in(row).pes.get(), true);
        self.book.release(row, window);
    }

    fn claim(&mut self, row: usize, window: Window) -> bool {
        let (window, old) = (self.yet(window), self.booked_in(row));
        let pes = old.pes.get();
        // What gets shorter where it is stays, however little may be used by now.
        let shorter = old.start() <= window.start && window.end <= old.end();
        let within = || self.within(window.start, window.len().unwrap_or_default(), pes);
        let claimed = (shorter || within() == window.start) && self.book.claim(row, window);
        if claimed {
            self.charge(window, pes, false);
        }
        claimed
    }

    fn restore(&mut self, row: usize) {
        let old = self.booked_in(row);
        self.charge(old.window(), old.pes.get(), false);
        self.book.restore(row);
    }

    fn write_window(&mut self, row: usize, window: Window) {
        self.book.write_window(row, window);
    }
}
