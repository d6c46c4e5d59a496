//! Rules that come, change and go, and machines that shrink and grow.

use heapless::VecView;

use super::{Broken, Transaction, UndoEntry, Workspace};
use crate::{
    book::Book,
    error::{Error, Refusal, UsageError},
    ledger::{Row, RowOf},
    pe::RowPes,
    ring::{CountOf, Ring, SetPart},
    rule::{Absent, Rule, RuleEntry},
    time::{Slot, Span, Window},
};

impl<R: Ring> Book<'_, R> {
    /// Returns the numbers of the rules that take something in a slot of `window`, as far as the ring covers it. Those in the way of a request,
    /// [`Conflict::rules`](crate::Conflict::rules) names. O(rules x stretches).
    ///
    /// ```
    /// # use bookahead::{Absent, CountBook, CountWorkspace, PeCount, Rule, Rules, Slot, Span, Window};
    /// let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap();
    /// let mut rules = Rules::<(), 0>::new();
    /// let mut book = memory.view().with_rules(rules.view()).unwrap();
    /// let (mut workspace, mut broken) = (CountWorkspace::<1, 0>::new(), heapless::Vec::<_, 1>::new());
    /// let night = Rule { phase: Span::new(0), period: Span::new(24), length: Span::new(8) };
    /// let mut transaction = book.transaction(workspace.view(), 1_000);
    /// transaction.set_rule(3, Some((night, Absent::Number(PeCount::new(2)))), &mut broken)?;
    /// transaction.commit()?;
    /// let window = |start, end| Window { start: Slot::new(start), end: Slot::new(end) };
    /// assert!(book.rules_during(window(7, 10)).eq([3]));
    /// assert_eq!(book.rules_during(window(8, 24)).next(), None);
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    pub fn rules_during(&self, window: Window) -> impl Iterator<Item = usize> {
        Rule::numbers(
            self.ring
                .rules_during(self.ring.axis().covered(window), None),
        )
    }
}

impl<R: Ring> Transaction<'_, '_, R> {
    /// Sets, changes or, with `None`, drops the rule of a number less than [`Rule::MOST`], whoever is in the way. In a slot in which several rules apply, with late
    /// binding the greatest number counts, and with early binding all sets.
    ///
    /// With late binding, others are in the way as long as too few processing elements are left in a slot that they cover; with early binding, all that have
    /// one that the rule takes. Holds go first, then confirmed reservations, then running jobs of a queue, then running reservations, of each the latest accepted
    /// first. Those that run are broken, and appended to `broken` as far as there is room. The others are lifted, and when the rule has its place, they are
    /// placed again, the earliest accepted first: at the same start if possible, perhaps on other processing elements, else at the first start in their own
    /// window. [Open-ended](crate::Book::reserve_open) jobs stay, and the next advance says which of them the rule takes something of now. Whoever finds no place leaves, and is appended too; the [moves](Self::moves) name all of them. As a [plan](Self::plan) it says what it would cost, and
    /// changes nothing. A rule is not in the list of moves.
    ///
    /// From then on slots that enter the horizon begin with what the rule takes there. It raises no events, so a [queue](crate::Queue) beside the book, which looks
    /// at its jobs when bookings change, lets a job that has room only because a rule has ended wait for the next change.
    ///
    /// O((those in the way + 1) x reservations x (duration + rules x stretches) + horizon x columns + those in the way x a first fit), where a stretch is time in
    /// which the same rules apply. See [`Book::with_rules`](crate::Book::with_rules) for an example.
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::BadRule`] for a number that no rule has, for a rule of no slots, and in every book without rules;
    /// [`UsageError::BadPes`] for a set with late and a number with early binding, and for an empty set, one of another size, or one with a processing element that there is
    /// not; [`UsageError::ZeroPes`], [`Refusal::TooWide`](crate::Refusal::TooWide); [`Refusal::MoveLimit`](crate::Refusal::MoveLimit),
    /// [`Refusal::WorkLimit`](crate::Refusal::WorkLimit), [`Refusal::Pinned`](crate::Refusal::Pinned) where a part of an [outage](Self::take_out) is in the way: remove it first, and take its
    /// processing elements out again behind the rule, in the same transaction. In every case the transaction is as it was before, except for the work, and nothing is
    /// appended.
    pub fn set_rule(
        &mut self,
        number: usize,
        rule: Option<(Rule, Absent<'_>)>,
        broken: &mut VecView<Broken>,
    ) -> Result<(), Error> {
        if number >= Rule::MOST {
            return Err(UsageError::BadRule.into());
        }
        self.change_rule(number, rule, broken)
    }

    /// Says what of the machine is not there at all; with `None`, all of it is there. So a book that was made for the largest size of a machine shrinks and grows.
    /// Otherwise as [`set_rule`](Self::set_rule).
    ///
    /// With late binding, its number counts as that of one more rule: of those in a slot the greatest counts, not their sum, since what a rule takes may be what is not there. So
    /// a rule that is to take 10 of the 16 processing elements that are left of 32 is one of 26, to be set anew when the size changes.
    ///
    /// ```
    /// # use bookahead::{CountBook, CountWorkspace, PeCount, Request, Slot, Span, Window};
    /// use bookahead::{Absent, Rules};
    /// let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap();
    /// let mut rules = Rules::<(), 0>::new();
    /// let mut book = memory.view().with_rules(rules.view()).unwrap();
    /// let (mut workspace, mut broken) = (CountWorkspace::<4, 0>::new(), heapless::Vec::<_, 4>::new());
    /// let mut transaction = book.transaction(workspace.view(), 1_000);
    /// transaction.resize(Some(Absent::Number(PeCount::new(3))), &mut broken)?;
    /// transaction.commit()?;
    /// let window = Window { start: Slot::new(0), end: Slot::new(48) };
    /// assert_eq!(book.free_during(window), Some(PeCount::new(1)));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`set_rule`](Self::set_rule).
    pub fn resize(
        &mut self,
        absent: Option<Absent<'_>>,
        broken: &mut VecView<Broken>,
    ) -> Result<(), Error> {
        let absent = absent.map(|absent| (Rule::ALWAYS, absent));
        self.change_rule(RuleEntry::SIZE, absent, broken)
    }

    fn change_rule(
        &mut self,
        number: usize,
        rule: Option<(Rule, Absent<'_>)>,
        broken: &mut VecView<Broken>,
    ) -> Result<(), Error> {
        if !R::RULES {
            return Err(UsageError::BadRule.into());
        }
        if let Some((rule, absent)) = rule {
            self.book.ring.draft(&rule, absent)?;
        }
        let listed = broken.len();
        let changed = self.all_or_nothing(|transaction| {
            let slots = transaction.book.ring.axis().slots();
            transaction.check_log(&[index_of(number)])?;
            transaction.spend(slots as u64)?;
            transaction.log_rule(number);
            let first = transaction.len;
            while let Some((index, row)) = transaction.next_to_give_way(number) {
                if R::is_out(&row) {
                    return Err(Refusal::Pinned.into());
                }
                if row.is_running() {
                    transaction.break_promise(index, &row, broken)?;
                } else {
                    transaction.lift_row(index, &row)?;
                }
            }
            let lifted = first..transaction.len;
            transaction.book.ring.enact(number);
            transaction.find_places(lifted, broken)
        });
        if changed.is_err() {
            self.book.ring.clear_draft();
            broken.truncate(listed);
        }
        changed
    }

    /// Returns the next row that is in the way of the draft of rule `number`.
    fn next_to_give_way(&self, number: usize) -> Option<(usize, RowOf<R>)> {
        let axis = self.book.ring.axis();
        let all = Window {
            start: axis.now(),
            end: axis.end(),
        };
        let rows = self.book.covering_rows(all).filter(|(index, row)| {
            let offsets = axis.covered(row.window());
            !row.is_open() && self.book.ring.gives_way(number, *index, offsets)
        });
        // What is out of service is in the way only where nobody else can go.
        let next = rows.max_by_key(|(_, row)| (!R::is_out(row), row.gives_way()));
        next.map(|(index, row)| (index, *row))
    }

    /// Logs a rule before it is changed.
    fn log_rule(&mut self, number: usize) {
        let (entry, set) = self.book.ring.rule(number);
        if let Some(logged) = self.workspace.set_mut(self.len, set.len()) {
            for (to, part) in logged.iter_mut().zip(set) {
                *to = *part;
            }
        }
        if let Some(logged) = self.workspace.entries.get_mut(self.len) {
            let row = Row {
                ready: Slot::new(entry.phase.into()),
                room: Span::new(entry.period),
                duration: Span::new(entry.length),
                pes: RowPes::new(entry.pes.into()),
                ..Row::VACANT
            };
            *logged = UndoEntry {
                row,
                index: index_of(number) as u32,
                age: self.age,
            };
        }
        self.len = self.len.saturating_add(1);
    }

    /// Returns the rules that entries from number `from` on were the first to log, each with the number of its entry.
    pub(super) fn logged_rules(&self, from: usize) -> impl Iterator<Item = (usize, usize)> {
        let entries = self.workspace.entries.get(from..self.len);
        let entries = entries.unwrap_or_default();
        (0..RuleEntry::COUNT).filter_map(move |number| {
            let is_of = |entry: &UndoEntry<CountOf<R>>| entry.row() == index_of(number);
            let place = entries.iter().position(is_of)?;
            Some((number, place.saturating_add(from)))
        })
    }

    /// Puts the rules back that entries from number `from` on have logged. All reservations that entries from there on have logged are released.
    pub(super) fn undo_rules(&mut self, from: usize) {
        for number in 0..RuleEntry::COUNT {
            let logged = self.logged_rules(from).find(|(rule, _)| *rule == number);
            if let Some((_, place)) = logged {
                let ring = &mut self.book.ring;
                let (entry, set) = logged_rule(&self.workspace, place, ring.rule(0).1.len());
                ring.put_back(number, &entry, set);
            }
        }
    }

    /// Returns the rules that are not as they were logged first, a bit for each.
    pub(super) fn changed_rules(&self) -> u32 {
        let changed = self.logged_rules(0).filter(|(number, place)| {
            let rule = self.book.ring.rule(*number);
            logged_rule(&self.workspace, *place, rule.1.len()) != rule
        });
        changed.fold(0, |all, (number, _)| {
            all | 1_u32.wrapping_shl(number as u32)
        })
    }
}

/// Returns the rule that an entry of the log says, and its set, which has so many parts.
fn logged_rule<'w, P: SetPart>(
    workspace: &'w Workspace<'_, P>,
    place: usize,
    parts: usize,
) -> (RuleEntry, &'w [P]) {
    let row = workspace.entries.get(place).map(|entry| entry.row);
    let row = row.unwrap_or_default();
    let rule = Rule {
        phase: Span::new(row.ready.get() as u32),
        period: row.room,
        length: row.duration,
    };
    let entry = RuleEntry::new(&rule, row.pes.get() as u16);
    (entry, workspace.set(place, parts).unwrap_or_default())
}

/// Returns the index in the log of a rule; no row has it.
const fn index_of(number: usize) -> usize {
    (u32::MAX as usize).wrapping_sub(number)
}
