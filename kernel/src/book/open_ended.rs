//! Jobs without a known end.

use heapless::VecView;

use super::{Advanced, Book, Conflict};
use crate::{
    error::{Error, Refusal, UsageError},
    event::{Event, EventKind},
    handle::Handle,
    ledger::{Phase, Row, RowOf},
    pe::{PeCount, RowPes},
    ring::Ring,
    rule::Meeting,
    time::{Slot, Span, Window},
};

impl<R: Ring> Book<'_, R> {
    /// Starts an open-ended job: it runs from `now` on, and has its processing elements until its end is told, however far ahead anybody looks. So a
    /// horizon of days suffices for a job of weeks. It gets the lowest-numbered processing elements that no reservation has up to the horizon, that are there, and that rules leave to it as
    /// `meeting` says, but never those that a rule takes in the present slot. Where too few are left, nothing has changed, and `conflict` names who is in the way; in all other cases it is empty.
    ///
    /// Its reservation says a duration of 2^32 - 1 slots, after which it would be stopped. [`complete`](Self::complete) or [`cancel`](Self::cancel) end it, and
    /// [`announce_end`](Self::announce_end) makes it a reservation like any other. Until then it is neither altered nor moved, and rules that are set later let it be: it stays
    /// when a turn of a rule begins that takes one of its processing elements, and is reported as [`RuleMet`](EventKind::RuleMet), as it is when a rule is set during such a turn.
    ///
    /// With late binding, it gets so many, beside the greatest number of a rule, in every slot in which somebody has a reservation and in the present one, with `Refuse` beside the greatest at any time; and it does not get those of jobs whose end the next advance tells. A rule that gets too few meets the jobs that were accepted last.
    ///
    /// Only in books [with rules](crate::Book::with_rules); they may be without any rule. O((horizon + stretches) x columns + rules), where a stretch is time
    /// in which the same rules apply; with late binding O(rows) more.
    ///
    /// ```
    /// use bookahead::{Absent, Conflict, Event, EventKind, Meeting, PeBook, PeCount, PeWorkspace, Rule, Rules, Slot, Span};
    /// let mut memory = PeBook::<u32, 1, 1, 8>::new(PeCount::new(4), Span::new(48)).unwrap();
    /// let mut rules = Rules::<u32, 1>::new();
    /// let mut book = memory.view().with_rules(rules.view()).unwrap();
    ///
    /// // PEs 0 and 1 are cleaned in the last 8 of every 100 slots.
    /// let (mut workspace, mut broken) = (PeWorkspace::<u32, 1, 4, 0>::new(), heapless::Vec::<_, 4>::new());
    /// let weekly = Rule { phase: Span::new(92), period: Span::new(100), length: Span::new(8) };
    /// let mut transaction = book.transaction(workspace.view(), 1_000);
    /// transaction.set_rule(0, Some((weekly, Absent::These(&[0b11]))), &mut broken)?;
    /// transaction.commit()?;
    ///
    /// // The rule lies behind the horizon, and is looked at all the same.
    /// let mut conflict = Conflict::NONE;
    /// assert!(book.reserve_open(PeCount::new(3), Meeting::Refuse, &mut conflict).is_err());
    /// assert!(conflict.rules().eq([0]));
    /// let job = book.reserve_open(PeCount::new(3), Meeting::Allow, &mut conflict)?;
    ///
    /// let mut events = heapless::Vec::<Event, 4>::new();
    /// let _ = book.advance(Slot::new(95), &mut events)?;
    /// assert_eq!((events[0].kind, events[0].at), (EventKind::RuleMet, Slot::new(92)));
    /// book.complete(job, Slot::new(95))?;
    /// assert!(book.is_empty());
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::BadRule`] in every book without rules; [`UsageError::ZeroPes`], [`Refusal::TooWide`], [`Refusal::TableFull`],
    /// [`Refusal::NoRoom`].
    pub fn reserve_open(
        &mut self,
        pes: PeCount,
        meeting: Meeting,
        conflict: &mut Conflict,
    ) -> Result<Handle, Error> {
        *conflict = Conflict::NONE;
        if !R::RULES {
            return Err(UsageError::BadRule.into());
        }
        if pes == PeCount::ZERO {
            return Err(UsageError::ZeroPes.into());
        }
        let axis = *self.ring.axis();
        if pes > axis.pes() {
            return Err(Refusal::TooWide.into());
        }
        let row = self.ledger.next_row().ok_or(Refusal::TableFull)?;
        let pes = RowPes::of(pes);
        let rules = self.ring.rules_against(meeting);
        if !self.ring.open(row, pes.get(), rules) {
            let all = Window {
                start: axis.now(),
                end: axis.end(),
            };
            for holder in self.covering(all) {
                conflict.add(holder);
            }
            conflict.add_rules(match R::COUNTS_DECIDE {
                true => rules | self.ring.rules_during(0..axis.slots(), None),
                false => rules,
            });
            return Err(Refusal::NoRoom.into());
        }
        let longest = Span::new(u32::MAX);
        let mut entry = Row {
            ready: axis.now(),
            accepted: u64::MAX,
            room: longest,
            requested: longest,
            duration: longest,
            pes,
            requested_pes: pes,
            phase: Phase::RUNNING,
            ..Row::VACANT
        };
        entry.ahead = self.next_turn(row, &entry);
        Ok(self.enter_running(row, &entry))
    }

    /// Gives an [open-ended](Self::reserve_open) job an end. It is a reservation like any other from then on, whose window begins where it started, and its processing
    /// elements are free behind `at`. O((horizon + stretches) x columns + log rows).
    ///
    /// A reservation does not share processing elements with a rule. So the end of a job that a rule meets can be announced up to the turn that meets it; one that goes on stays open-ended
    /// until it ends or the turn is over.
    ///
    /// ```
    /// # use bookahead::{Conflict, Meeting, PeBook, PeCount, Rules, Slot, Span};
    /// # let mut memory = PeBook::<u32, 1, 1, 8>::new(PeCount::new(4), Span::new(48)).unwrap();
    /// # let mut rules = Rules::<u32, 1>::new();
    /// # let mut book = memory.view().with_rules(rules.view()).unwrap();
    /// let job = book.reserve_open(PeCount::new(3), Meeting::Refuse, &mut Conflict::NONE)?;
    /// book.announce_end(job, Slot::new(20))?;
    /// assert_eq!(book.get(job)?.window.end, Slot::new(20));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`], [`UsageError::WrongState`] for a job that is not open-ended, [`Refusal::OutsideWindow`] for an end that is not ahead, or not before
    /// the longest duration is over, [`Refusal::BeyondHorizon`], [`Refusal::NoRoom`] where a rule meets the job before that end; with late binding, where it does not get its number beside open-ended jobs.
    pub fn announce_end(&mut self, handle: Handle, at: Slot) -> Result<(), Error> {
        if !self.is_open(handle)? {
            return Err(UsageError::WrongState.into());
        }
        if at <= self.now() {
            return Err(Refusal::OutsideWindow.into());
        }
        self.close_at(handle, at)?;
        self.ledger.changed();
        self.self_check();
        Ok(())
    }

    pub(super) fn is_open(&self, handle: Handle) -> Result<bool, Error> {
        self.ledger.find(handle).map(|(_, row)| row.is_open())
    }

    /// Gives an open-ended job an end ahead, as far as no rule is in the way.
    pub(super) fn close_at(&mut self, handle: Handle, at: Slot) -> Result<(), Error> {
        let (row, job) = self.ledger.find(handle)?;
        if at >= job.end() {
            return Err(Refusal::OutsideWindow.into());
        }
        let axis = self.ring.axis();
        let rest = axis.ahead(Window {
            start: axis.now(),
            end: at,
        })?;
        if self.ring.first_ruled(row, rest).is_some() {
            return Err(Refusal::NoRoom.into());
        }
        self.end_open(row, at);
        Ok(())
    }

    /// Gives the job in `row` an end if it is open-ended; no rule takes anything of it before.
    pub(crate) fn close(&mut self, row: usize, end: Slot) {
        let now = self.now();
        let open = self.ledger.rows.get(row).filter(|row| row.is_open());
        if let Some(pes) = open.map(|row| row.pes.get()) {
            let until = self.ring.axis().nearest(end);
            self.ring.close(row, pes, until);
            self.ledger.close(row, end, now);
        }
    }

    /// As [`close`](Self::close), and lets rules that take numbers meet the others when they do now.
    pub(crate) fn end_open(&mut self, row: usize, end: Slot) {
        let open = self.ledger.rows.get(row).is_some_and(Row::is_open);
        self.close(row, end);
        if open && R::COUNTS_DECIDE {
            self.arm_open(0);
        }
    }

    /// Returns how many processing elements the open-ended `job` and those have that were accepted before it: a rule that takes a number meets those that were
    /// accepted last.
    fn up_to(&self, job: &RowOf<R>) -> u32 {
        let before = |row: &&RowOf<R>| {
            R::COUNTS_DECIDE
                && row.is_open()
                && row.accepted < job.accepted
                && row.end() > self.now()
        };
        let rows = self.ledger.rows.iter().filter(before).chain([job]);
        rows.fold(0, |all: u32, row| all.saturating_add(row.pes.get()))
    }

    /// Returns how long after its start a rule meets the open-ended `job` in `row`, behind `now`; the longest span for never.
    pub(super) fn next_turn(&self, row: usize, job: &RowOf<R>) -> Span {
        let next = self.ring.next_turn(row, self.up_to(job), self.now());
        let ahead = next.and_then(|next| next.since(job.start()));
        ahead.unwrap_or(Span::new(u32::MAX))
    }

    /// Works out anew when rules meet open-ended jobs, but for those that are yet to be told of one in the present slot: these rules, which have changed, do so now if they apply.
    pub(crate) fn arm_open(&mut self, changed: u32) {
        let now = self.now();
        for row in 0..self.capacity() {
            let job = self.ledger.rows.get(row);
            if let Some(job) = job.filter(|job| job.is_open() && job.due() > now) {
                let ahead = match self.ring.is_met(row, self.up_to(job), changed) {
                    true => now.since(job.start()).unwrap_or_default(),
                    false => self.next_turn(row, job),
                };
                self.ledger.arm(row, ahead, now);
            }
        }
    }

    /// See [`advance`](Self::advance), in books with rules.
    pub(super) fn advance_meeting(&mut self, to: Slot, events: &mut VecView<Event>) -> Advanced {
        while let Some(row) = self.approach(to) {
            if events.is_full() {
                self.self_check();
                return Advanced::EventsWaiting;
            }
            // Cannot fail: the list is not full.
            let _ = events.push(self.step(row, to));
        }
        self.self_check();
        Advanced::Done
    }

    /// Processes the event that is due for the job in `row` if it is open-ended: a rule meets it, which is returned, or it has lasted as long as a span can say.
    pub(super) fn meet(&mut self, row: usize) -> Option<Event> {
        let job = self.ledger.rows.get(row).filter(|job| job.is_open())?;
        let (end, handle, pes) = (job.end(), job.handle(row), job.pes.get());
        let now = self.now();
        if now >= end {
            self.ring.close(row, pes, 0);
            if R::COUNTS_DECIDE {
                self.arm_open(0);
            }
            return None;
        }
        let ahead = self.next_turn(row, job);
        self.ledger.arm(row, ahead, now);
        self.self_check();
        Some(Event {
            at: now,
            handle,
            kind: EventKind::RuleMet,
            ticket: None,
        })
    }
}
