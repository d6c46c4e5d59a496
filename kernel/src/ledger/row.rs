//! A row of the ledger, and the reservation that it describes.

use super::terms;
#[cfg(feature = "plan")]
use crate::best_effort::Preemption;
use crate::{
    event::EventKind,
    handle::Handle,
    pe::{PeCount, RowPes},
    request::Request,
    ring::Width,
    ticket::Ticket,
    time::{Slot, Span, Window},
};

/// A row of the ledger: memory for one reservation.
///
/// A row has a promise, which only the owner changes, and a placement inside it, which may be moved. All its times are
/// relative to `ready`, so a move rewrites only the placement.
///
/// The layout is that of C, as for all memory of a book, so it does not depend on the compiler that built the program.
/// A row takes 64 bytes, whatever the features, and 72 where counts are of 32 bits. No bit pattern is invalid, so memory from elsewhere may be read as
/// rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Row<N = u16> {
    /// The promised earliest start.
    pub(crate) ready: Slot,
    /// Its number in the order of acceptance.
    pub(crate) accepted: u64,
    /// The time from ready to deadline.
    pub(crate) room: Span,
    /// The duration that was asked for.
    pub(crate) requested: Span,
    /// The time from ready to start.
    pub(crate) lead: Span,
    /// The booked duration; shorter than the requested one once an early end is announced.
    pub(crate) duration: Span,
    /// The time from the slot in which it was booked to ready. For a running job of the queue, on which [terms](Preemption) it may be preempted. For one without a known end,
    /// the time from its start to when a rule meets it next; the longest span for never.
    pub(crate) ahead: Span,
    /// For a hold, its time to live. For a running job of the queue, its ticket. For a flexible reservation, the number
    /// in the rule by which its start becomes fixed. Otherwise 0.
    pub(crate) note: u32,
    /// How often the row has been given out.
    pub(crate) generation: u32,
    /// The neighbours in the list that the row is in, each 1 + a row, 0 for none. In the first row of a list,
    /// `previous` is the last row.
    pub(crate) next: u32,
    pub(crate) previous: u32,
    /// The row's index in the timer heap; while a transaction has logged the row, the index of its newest entry in the
    /// log.
    pub(crate) timer: u32,
    /// The booked number of processing elements.
    pub(crate) pes: RowPes<N>,
    /// The requested number of processing elements.
    pub(crate) requested_pes: RowPes<N>,
    /// In a placed book, the entry of its class; 0 for any processing elements. With late binding, whether it takes what it has out of service. In other books always 0.
    pub(crate) spare: u16,
    pub(crate) phase: Phase,
    pub(crate) marks: u8,
}

/// The phase of a row's reservation. The numbers are in the order in which events of one slot happen.
///
/// A number rather than an enum, so that damaged memory holds an unknown phase instead of an invalid value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct Phase(pub(super) u8);

impl Phase {
    pub(crate) const VACANT: Self = Self(0);
    /// Held until its start, and while that is the present slot: it expires before any event of the next slot.
    pub(crate) const HELD_TO_START: Self = Self(1);
    pub(crate) const RUNNING: Self = Self(2);
    /// Held until some slot before its start.
    pub(crate) const HELD: Self = Self(3);
    /// Confirmed, and its start becomes fixed in some slot before it.
    pub(crate) const FREEZING: Self = Self(4);
    pub(crate) const CONFIRMED: Self = Self(5);
    /// Confirmed, and in part overlaid: it starts after all others of its slot.
    #[cfg(feature = "risk")]
    pub(crate) const OVERLAID: Self = Self(6);

    #[cfg(test)]
    pub(crate) const fn from_number(number: u8) -> Self {
        Self(number)
    }
}

/// Marks of a row; those from 16 on are the [terms](super::terms) of a flexible reservation.
pub(crate) mod mark {
    /// The end of the running job is announced.
    pub(crate) const ENDING: u8 = 1;
    /// The row has an entry in the log of the transaction under way.
    pub(crate) const LOGGED: u8 = 2;
    /// The reservation is lifted by the transaction under way: its processing elements are free temporarily.
    pub(crate) const LIFTED: u8 = 4;
    /// In a rollback under way, the row's contents are restored, but its processing elements are not yet claimed.
    pub(crate) const UNDONE: u8 = 8;
}

/// In the terms of a running job of the queue: it is cut.
#[cfg(feature = "plan")]
const CUT: u32 = 1;
/// In these terms: the job keeps what it has done.
#[cfg(feature = "plan")]
const KEEPS: u32 = 2;
/// Behind these bits of the terms stands the least run time, which is not 0; 0 for a job that may not be preempted.
#[cfg(feature = "plan")]
const BITS: u32 = 2;
/// Stands for the end of time.
#[cfg(feature = "plan")]
const LONGEST: u32 = u32::MAX >> BITS;

impl<N: Width> Row<N> {
    /// A row that has never been used.
    pub const VACANT: Self = Self {
        ready: Slot::new(0),
        accepted: 0,
        room: Span::ZERO,
        requested: Span::ZERO,
        lead: Span::ZERO,
        duration: Span::ZERO,
        ahead: Span::ZERO,
        note: 0,
        generation: 0,
        next: 0,
        previous: 0,
        timer: 0,
        pes: RowPes::ZERO,
        requested_pes: RowPes::ZERO,
        spare: 0,
        phase: Phase::VACANT,
        marks: 0,
    };

    pub(crate) const fn is_live(&self) -> bool {
        self.phase.0 != Phase::VACANT.0
    }

    pub(crate) const fn is_running(&self) -> bool {
        self.phase.0 == Phase::RUNNING.0
    }

    pub(crate) const fn is_held(&self) -> bool {
        self.phase.0 == Phase::HELD.0 || self.phase.0 == Phase::HELD_TO_START.0
    }

    pub(crate) const fn is_marked(&self, mark: u8) -> bool {
        self.marks & mark != 0
    }

    pub(crate) const fn start(&self) -> Slot {
        later(self.ready, self.lead)
    }

    pub(crate) const fn end(&self) -> Slot {
        later(self.start(), self.duration)
    }

    pub(crate) const fn deadline(&self) -> Slot {
        later(self.ready, self.room)
    }

    pub(crate) const fn window(&self) -> Window {
        Window {
            start: self.start(),
            end: self.end(),
        }
    }

    pub(crate) fn placement(&self) -> Placement {
        Placement {
            start: self.start(),
            duration: self.duration,
            pes: self.pes.count(),
        }
    }

    /// Moves the reservation. Its start must not lie before its ready time.
    pub(crate) fn set_placement(&mut self, to: &Placement) {
        self.lead = to.start.since(self.ready).unwrap_or_default();
        self.duration = to.duration;
        self.pes = RowPes::of(to.pes);
        if self.is_held() {
            self.phase = self.phase_of_hold();
        } else if !self.is_running() {
            self.phase = self.phase_of_start();
        }
    }

    /// Returns the entry of the class, in a placed book.
    #[cfg(feature = "placement")]
    pub(crate) const fn class(&self) -> u16 {
        self.spare
    }

    #[cfg(feature = "placement")]
    pub(crate) const fn set_class(&mut self, entry: u16) {
        self.spare = entry;
    }

    /// Returns whether it is a job of the queue that was cut for a reservation, and is not grown back yet.
    pub(crate) const fn is_cut(&self) -> bool {
        #[cfg(feature = "plan")]
        return self.is_of_queue() && self.ahead.get() & CUT != 0;
        #[cfg(not(feature = "plan"))]
        false
    }

    /// Returns whether it is a running job without a known end: it lasts as long as a span can say.
    pub(crate) const fn is_open(&self) -> bool {
        #[cfg(feature = "outages")]
        return self.is_running() && self.duration.get() == u32::MAX;
        #[cfg(not(feature = "outages"))]
        false
    }

    /// Returns how far behind its start it has to be looked for in the lists by start.
    pub(super) const fn reach(&self) -> Span {
        if self.is_open() {
            return Span::ZERO;
        }
        self.duration
    }

    /// Returns whether it is a running job of the queue.
    #[cfg(feature = "plan")]
    pub(crate) const fn is_of_queue(&self) -> bool {
        self.is_running() && self.note != 0
    }

    /// Returns on which terms the job may be preempted.
    #[cfg(feature = "plan")]
    pub(crate) fn preemption(&self) -> Option<Preemption> {
        let min_run = self.ahead.get() >> BITS;
        let known = self.is_of_queue() && min_run > 0;
        known.then_some(Preemption {
            min_run: Span::new(if min_run < LONGEST { min_run } else { u32::MAX }),
            keeps: self.ahead.get() & KEEPS != 0,
        })
    }

    /// Returns how much of its estimate a preempted job need not do again; the row may be vacant by now.
    #[cfg(feature = "plan")]
    pub(crate) const fn done_for_good(&self) -> Span {
        match self.ahead.get() & KEEPS {
            0 => Span::ZERO,
            _ => self.duration,
        }
    }

    #[cfg(feature = "plan")]
    pub(super) fn set_preemption(&mut self, terms: &Preemption) {
        let min_run = terms.min_run.get().clamp(1, LONGEST);
        let keeps = if terms.keeps { KEEPS } else { 0 };
        self.ahead = Span::new(min_run << BITS | keeps | self.ahead.get() & CUT);
    }

    /// Ends a job of the queue at `end`, which is earlier than it was booked for or, for one that is grown back, later.
    #[cfg(feature = "plan")]
    pub(super) fn cut(&mut self, end: Slot) {
        let cut = self.is_cut_by(end);
        self.duration = end.since(self.start()).unwrap_or_default();
        let (ending, cut) = if cut { (mark::ENDING, CUT) } else { (0, 0) };
        self.marks = self.marks & !mark::ENDING | ending;
        self.ahead = Span::new(self.ahead.get() & !CUT | cut);
    }

    /// Returns whether an end at `end` leaves a job of the queue something to do again: a transaction may have given it more than it requested.
    #[cfg(feature = "plan")]
    pub(crate) fn is_cut_by(&self, end: Slot) -> bool {
        end.since(self.start()).unwrap_or_default() < self.requested
    }

    /// Makes the end that a cut gave the job of the queue one like any other.
    #[cfg(feature = "plan")]
    pub(super) const fn forget_cut(&mut self) {
        if self.is_cut() {
            self.ahead = Span::new(self.ahead.get() & !CUT);
        }
    }

    /// Returns the slot in which it was booked.
    pub(super) const fn booked_at(&self) -> Slot {
        Slot::new(self.ready.get().wrapping_sub(self.ahead.get() as u64))
    }

    /// Returns the phase of a hold: whether it lasts until its start.
    pub(crate) fn phase_of_hold(&self) -> Phase {
        if self.note >= self.ahead.get().saturating_add(self.lead.get()) {
            Phase::HELD_TO_START
        } else {
            Phase::HELD
        }
    }

    /// Returns when a hold that does not last until its start expires.
    const fn expires(&self) -> Slot {
        later(self.booked_at(), Span::new(self.note))
    }

    /// Returns the slot that `now` has to reach for the reservation's next event.
    pub(crate) fn due(&self) -> Slot {
        if self.phase == Phase::FREEZING {
            self.fixed_at()
        } else {
            self.due_when_fixed()
        }
    }

    /// As [`due`](Self::due), for a reservation whose start is fixed. A program without flexible reservations needs no
    /// more, and so has none of the code for the others.
    pub(crate) fn due_when_fixed(&self) -> Slot {
        let behind_start = match self.phase {
            Phase::HELD => return self.expires(),
            Phase::RUNNING if self.is_open() => self.ahead,
            Phase::RUNNING => self.duration,
            Phase::HELD_TO_START => Span::new(1),
            _ => Span::ZERO,
        };
        later(self.start(), behind_start)
    }

    /// Returns the same row of a book with the widest counts.
    pub(crate) fn widest(&self) -> Row<u32> {
        Row {
            ready: self.ready,
            accepted: self.accepted,
            room: self.room,
            requested: self.requested,
            lead: self.lead,
            duration: self.duration,
            ahead: self.ahead,
            note: self.note,
            generation: self.generation,
            next: self.next,
            previous: self.previous,
            timer: self.timer,
            pes: RowPes::new(self.pes.get()),
            requested_pes: RowPes::new(self.requested_pes.get()),
            spare: self.spare,
            phase: self.phase,
            marks: self.marks,
        }
    }

    /// Returns whether both are parts of one reservation, which differ in nothing but what and how much they have.
    pub(crate) fn stands_as(&self, other: &Self) -> bool {
        let common = |row: &Self| Self {
            accepted: 0,
            generation: 0,
            next: 0,
            previous: 0,
            timer: 0,
            pes: RowPes::ZERO,
            requested_pes: RowPes::ZERO,
            spare: 0,
            ..*row
        };
        common(self) == common(other)
    }

    /// Returns whether both are contents of one row that waits for the same event.
    pub(crate) fn waits_as(&self, other: &Self) -> bool {
        let waits = self.is_live() && !self.is_running();
        waits && self.phase == other.phase && self.due() == other.due()
    }

    /// Returns the kind of the event that is reported when the reservation is due and time advances to `to`.
    pub(crate) fn happens(&self, to: Slot) -> EventKind {
        match self.phase {
            Phase::RUNNING if self.is_cut() => EventKind::Preempted,
            Phase::RUNNING if self.is_marked(mark::ENDING) => EventKind::Completed,
            Phase::RUNNING => EventKind::EndReached,
            Phase::HELD | Phase::HELD_TO_START => EventKind::Expired,
            Phase::FREEZING => EventKind::StartFixed,
            _ if self.end() <= to => EventKind::Missed,
            _ => EventKind::Started,
        }
    }

    /// Returns the slot of the event that is due at `due`: that slot or, for a hold that lasts until its start, that
    /// start.
    pub(crate) fn happens_at(&self, due: Slot) -> Slot {
        if self.phase == Phase::HELD_TO_START {
            self.start()
        } else {
            due
        }
    }

    /// Returns whether a live row is consistent in itself.
    pub(crate) fn is_sound(&self, now: Slot) -> bool {
        let lead_and_run = self.lead.get().checked_add(self.duration.get());
        let in_window = lead_and_run.is_some_and(|end| end <= self.room.get());
        let on_time = if self.is_running() {
            self.start() <= now
        } else {
            self.start() >= now
        };
        // Only a hold has a time to live; only a running reservation has a ticket or an announced end.
        let phased = match self.phase {
            Phase::CONFIRMED => self.note == 0 || self.is_marked(terms::FLEXIBLE),
            Phase::RUNNING => true,
            Phase::FREEZING => self.is_marked(terms::FLEXIBLE),
            #[cfg(feature = "risk")]
            Phase::OVERLAID => self.note == 0,
            _ => self.is_held() && self.phase == self.phase_of_hold(),
        };
        let ending = if self.is_running() { mark::ENDING } else { 0 };
        #[cfg(feature = "plan")]
        let phased = phased
            && (!self.is_cut()
                || self.is_marked(mark::ENDING)
                    && self.duration < self.requested
                    && self.preemption().is_some());
        let marked = self.marks & !ending & !terms::ALL == 0;
        in_window && on_time && phased && marked && self.has_sound_terms()
    }

    pub(crate) fn describe(&self) -> Reservation {
        Reservation {
            request: Request {
                ready: self.ready,
                duration: self.requested,
                deadline: self.deadline(),
                pes: self.requested_pes.count(),
            },
            window: self.window(),
            state: match self.phase {
                Phase::RUNNING => State::Running,
                Phase::HELD => State::Held {
                    expires: self.expires(),
                },
                Phase::HELD_TO_START => State::Held {
                    expires: self.start(),
                },
                _ => State::Confirmed,
            },
            ticket: self.ticket(),
        }
    }

    /// Returns a key of which the greatest gives way first: holds, then confirmed ones, then jobs of the queue, then those that run, of each the latest accepted first.
    #[cfg(feature = "outages")]
    pub(crate) fn gives_way(&self) -> (bool, bool, bool, u64) {
        let from_queue = self.ticket().is_some();
        (
            self.is_held(),
            !self.is_running(),
            from_queue,
            self.accepted,
        )
    }

    pub(crate) fn ticket(&self) -> Option<Ticket> {
        let ticket = if self.is_running() { self.note } else { 0 };
        Ticket::from_number(ticket)
    }

    pub(crate) const fn handle(&self, row: usize) -> Handle {
        Handle {
            row: row as u32,
            generation: self.generation,
        }
    }
}

/// Returns the slot `span` later. All times of a row lie within a horizon of some present slot, so nothing overflows;
/// wrapping gives the shortest code.
pub(super) const fn later(slot: Slot, span: Span) -> Slot {
    Slot::new(slot.get().wrapping_add(span.get() as u64))
}

impl<N: Width> Default for Row<N> {
    fn default() -> Self {
        Self::VACANT
    }
}

/// The placement of a reservation: its start, duration and number of processing elements.
///
/// ```
/// use bookahead::{PeCount, Placement, Slot, Span};
/// let placement = Placement { start: Slot::new(3), duration: Span::new(5), pes: PeCount::new(2) };
/// assert_eq!(placement.window().end, Slot::new(8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Placement {
    /// The first slot of the run.
    pub start: Slot,
    /// The length of the run.
    pub duration: Span,
    /// The number of processing elements.
    pub pes: PeCount,
}

impl Placement {
    /// Returns the slots in which it runs.
    #[must_use]
    pub const fn window(&self) -> Window {
        Window {
            start: self.start,
            end: self.start.saturating_add(self.duration),
        }
    }
}

/// A live reservation, as the ledger describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Reservation {
    /// The request, as altered since by its owner.
    pub request: Request,
    /// The booked slots; fewer than requested once an early end is announced.
    pub window: Window,
    /// Its state.
    pub state: State,
    /// For a started job of the [`Queue`](crate::Queue), the ticket that it had while it was queued.
    pub ticket: Option<Ticket>,
}
/// The state of a live reservation: held, then confirmed, then running. A reservation that has ended is not in the
/// ledger any more. Codes are permanent.
///
/// ```
/// use bookahead::State;
/// assert_eq!((State::Running.code(), State::Running.name()), (3, "running"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum State {
    /// Reserves capacity, and expires unless it is confirmed.
    Held {
        /// When it expires: the end of the hold or the start, whichever is first.
        expires: Slot,
    },
    /// Accepted firmly, not yet started.
    Confirmed,
    /// Started.
    Running,
}

impl State {
    /// Returns the permanent number, from 1.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Held { .. } => 1,
            Self::Confirmed => 2,
            Self::Running => 3,
        }
    }

    /// Returns the permanent name, as files and logs show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Held { .. } => "held",
            Self::Confirmed => "confirmed",
            Self::Running => "running",
        }
    }
}
