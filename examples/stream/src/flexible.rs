//! Flexible reservations and requests with several forms: what is asked for, how it is written, and the calls.

use core::fmt;

use bookahead::{
    Admission, AfterFailure, Booking, Commitment, Direction, Discount, Error, Flexibility, Form,
    FormChoice, Freeze, Insertion, Juggling, Money, MouldableRequest, Movable, Move, Order,
    PeCount, Placement, Policy, PriceTerms, Request, Shifting, Slot, Span, Transaction, UsageError,
    raw::Ring,
};
use heapless::Vec;

use crate::{
    Action, Detail, ENTRIES, JOBS, Manner, Notes, ROWS,
    call::{Fields, number, numbers, slot, write_numbers},
    moving::{Undo, note_moves},
    replay::{Details, Side},
};

/// How many forms a request of the stream has at most.
pub const FORMS: usize = 4;

/// A quarter off for a slack as long as the duration, and half at most.
const DISCOUNT: Discount = Discount {
    per_duration: 1 << 30,
    most: 1 << 31,
};

/// A request with several forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mould {
    /// Where each form would go.
    pub policy: Policy,
    /// Which form is taken.
    pub choice: FormChoice,
    /// The earliest start.
    pub ready: Slot,
    /// When it is over.
    pub deadline: Slot,
    /// The price of a slot without a reservation, as of [`Manner`].
    pub base: Money,
    /// The most that is paid.
    pub budget: Money,
    /// The forms.
    pub forms: Vec<Form, FORMS>,
}

/// Who comes, and as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newcomer {
    /// What it asks for.
    pub request: Request,
    /// What it is promised.
    pub terms: Commitment,
}

/// How waiting reservations are arranged anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The number of the order, of those of [`Rules::orders`].
    pub order: usize,
    /// For a shuffle.
    pub seed: u64,
    /// Whether a newcomer that fits as things are moves others.
    pub admission: Admission,
    /// What follows when another one finds no room.
    pub after_failure: AfterFailure,
    /// No waiting one is placed before this slot.
    pub earliest: Slot,
    /// The most that move.
    pub max_moves: u32,
    /// The work that is granted.
    pub work: u64,
}

impl Rules {
    /// All orders but that by revenue, which is the caller's.
    #[must_use]
    pub const fn orders(seed: u64) -> [Order<'static>; 5] {
        [
            Order::EarliestDeadline,
            Order::LeastFlexible,
            Order::BiggestFirst,
            Order::Fifo,
            Order::Shuffle { seed },
        ]
    }

    fn order(&self) -> Order<'static> {
        let orders = Self::orders(self.seed);
        orders.get(self.order).copied().unwrap_or(Order::Fifo)
    }

    fn juggling(&self) -> Juggling<'static> {
        Juggling {
            order: self.order(),
            admission: self.admission,
            after_failure: self.after_failure,
            earliest: self.earliest,
            max_moves: self.max_moves,
            work: self.work,
        }
    }
}

/// Written as in the file.
impl fmt::Display for Mould {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.policy.name(), self.choice.name())?;
        write!(f, " {} {}", self.ready.get(), self.deadline.get())?;
        write!(f, " {} {}", self.base.get(), self.budget.get())?;
        let write = |form: &Form| write!(f, " {}:{}", form.pes.get(), form.duration.get());
        self.forms.iter().try_for_each(write)
    }
}

/// Written as in the file.
impl fmt::Display for Newcomer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_terms(f, self.terms)?;
        write_numbers(f, &self.request)
    }
}

/// Written as in the file.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.order().name())?;
        if let Order::Shuffle { seed } = self.order() {
            write!(f, ":{seed}")?;
        }
        let (admission, after) = (self.admission.name(), self.after_failure.name());
        let (earliest, most) = (self.earliest.get(), self.max_moves);
        write!(f, " {admission} {after} {earliest} {most} {}", self.work)
    }
}

/// `strict`, or the kind and when the start is fixed.
pub(crate) fn write_terms(f: &mut fmt::Formatter<'_>, terms: Commitment) -> fmt::Result {
    let Commitment::Flexible { kind, freeze } = terms else {
        return f.write_str("strict");
    };
    write!(f, "{}:{}", kind.name(), freeze.name())?;
    match freeze {
        Freeze::Never | Freeze::Acceptance => Ok(()),
        Freeze::Share { per_mille } => write!(f, ":{per_mille}"),
        Freeze::Lead { lead } => write!(f, ":{}", lead.get()),
    }
}

pub(crate) fn write_shifting(f: &mut fmt::Formatter<'_>, rules: &Shifting) -> fmt::Result {
    write!(f, "{} {}", rules.direction.name(), rules.insertion.name())?;
    if let Insertion::Slides { depth } = rules.insertion {
        write!(f, ":{depth}")?;
    }
    let (earliest, most) = (rules.earliest.get(), rules.max_moves);
    write!(f, " {earliest} {most} {}", rules.work)
}

/// In the files: what becomes of a search.
pub(crate) const fn ending(plan: bool) -> &'static str {
    if plan { "plan" } else { "commit" }
}

/// Whether it is only planned.
pub(crate) fn read_ending(word: &str) -> Option<bool> {
    [false, true].into_iter().find(|plan| ending(*plan) == word)
}

/// Reads a call about flexible reservations or several forms.
pub(crate) fn read(word: &str, fields: &mut Fields<'_>) -> Option<Action> {
    Some(match word {
        "commit-as" => Action::CommitAs(terms(fields.next()?)?),
        "freeze" => Action::Freeze,
        "mould" => Action::Mould(Mould {
            policy: Policy::from_name(fields.next()?)?,
            choice: FormChoice::from_name(fields.next()?)?,
            ready: slot(fields)?,
            deadline: slot(fields)?,
            base: Money::new(number(fields)?),
            budget: Money::new(number(fields)?),
            forms: forms(fields)?,
        }),
        "juggle" => {
            let (newcomer, rules) = (newcomer(fields)?, rules(fields)?);
            Action::Juggle(newcomer, rules, read_ending(fields.next()?)?)
        }
        "replan" => Action::Replan(rules(fields)?, read_ending(fields.next()?)?),
        "shift-in" => {
            let (newcomer, rules) = (newcomer(fields)?, shifting(fields)?);
            Action::ShiftIn(newcomer, rules, read_ending(fields.next()?)?)
        }
        _ => return None,
    })
}

fn newcomer(fields: &mut Fields<'_>) -> Option<Newcomer> {
    Some(Newcomer {
        terms: terms(fields.next()?)?,
        request: numbers(fields)?,
    })
}

fn terms(field: &str) -> Option<Commitment> {
    if field == "strict" {
        return Some(Commitment::Confirmed);
    }
    let mut fields = field.split(':');
    let kind = Flexibility::from_name(fields.next()?)?;
    let freeze = match fields.next()? {
        "never" => Freeze::Never,
        "acceptance" => Freeze::Acceptance,
        "share" => Freeze::Share {
            per_mille: number(&mut fields)?,
        },
        "lead" => Freeze::Lead {
            lead: Span::new(number(&mut fields)?),
        },
        _ => return None,
    };
    let terms = Commitment::Flexible { kind, freeze };
    fields.next().is_none().then_some(terms)
}

fn rules(fields: &mut Fields<'_>) -> Option<Rules> {
    let mut order = fields.next()?.split(':');
    let (name, seed) = (order.next()?, order.next());
    let known = Rules::orders(0).map(Order::name);
    let rules = Rules {
        order: known.iter().position(|known| *known == name)?,
        seed: seed.map_or(Some(0), |seed| seed.parse().ok())?,
        admission: Admission::from_name(fields.next()?)?,
        after_failure: AfterFailure::from_name(fields.next()?)?,
        earliest: slot(fields)?,
        max_moves: number(fields)?,
        work: number(fields)?,
    };
    let shuffles = matches!(rules.order(), Order::Shuffle { .. });
    (shuffles == seed.is_some() && order.next().is_none()).then_some(rules)
}

fn shifting(fields: &mut Fields<'_>) -> Option<Shifting> {
    let direction = Direction::from_name(fields.next()?)?;
    let mut how = fields.next()?.split(':');
    let insertion = match how.next()? {
        "slides" => Insertion::Slides {
            depth: number(&mut how)?,
        },
        "fewest-moves" => Insertion::FewestMoves,
        "least-shift" => Insertion::LeastShift,
        _ => return None,
    };
    how.next().is_none().then_some(())?;
    Some(Shifting {
        direction,
        insertion,
        earliest: slot(fields)?,
        max_moves: number(fields)?,
        work: number(fields)?,
    })
}

/// What is left of a line, as forms.
fn forms(fields: &mut Fields<'_>) -> Option<Vec<Form, FORMS>> {
    let mut forms = Vec::new();
    for field in fields.by_ref() {
        let mut inner = field.split(':');
        let form = Form {
            pes: PeCount::new(number(&mut inner)?),
            duration: Span::new(number(&mut inner)?),
        };
        forms.push(form).ok()?;
        inner.next().is_none().then_some(())?;
    }
    Some(forms)
}

impl<R: Ring> Side<'_, R> {
    /// Books what was planned last.
    pub(crate) fn commit_as(&mut self, terms: Commitment) -> Result<Booking, Error> {
        let plan = self.notes.plan.ok_or(UsageError::StalePlan)?;
        let handle = self.book.commit(&plan, terms)?;
        let start = plan.window().start;
        Ok(Booking { handle, start })
    }

    /// Plans one of the forms, and says which and at what price.
    pub(crate) fn mould(
        &mut self,
        mould: &Mould,
        details: &mut Details,
    ) -> Result<Option<Slot>, Error> {
        self.notes.plan = None;
        let request = MouldableRequest {
            ready: mould.ready,
            deadline: mould.deadline,
            forms: &mould.forms,
        };
        let terms = PriceTerms {
            tariff: Manner::tariff(mould.base),
            discount: DISCOUNT,
            budget: mould.budget,
        };
        let (policy, choice) = (mould.policy, mould.choice);
        let moulded = self.book.plan_mouldable(&request, policy, choice, &terms)?;
        self.notes.plan = Some(moulded.plan);
        let chosen = moulded.plan.request();
        let _ = details.push(Detail::Form(chosen.duration, chosen.pes, moulded.price));
        Ok(Some(moulded.plan.window().start))
    }

    /// Juggles for a newcomer; only planned, it lists the moves instead.
    pub(crate) fn juggle(
        &mut self,
        job: u16,
        newcomer: &Newcomer,
        rules: &Rules,
        plan: bool,
        details: &mut Details,
    ) -> Result<Option<Slot>, Error> {
        let (mut undo, mut waiting) = (Undo::new(), [Movable::NONE; ROWS]);
        let (log, rules) = (undo.log(ENTRIES), rules.juggling());
        let Newcomer { request, terms } = newcomer;
        if !plan {
            let juggled = self.book.juggle(request, *terms, &rules, log, &mut waiting);
            return self.moved_for(job, juggled?, details);
        }
        let mut transaction = self.book.transaction(log, rules.work);
        let booking = transaction.juggle(request, *terms, &rules, &mut waiting)?;
        list(transaction, self.notes, details)?;
        Ok(Some(booking.start))
    }

    /// Arranges all anew; only planned, it lists the moves instead.
    pub(crate) fn replan(
        &mut self,
        rules: &Rules,
        plan: bool,
        details: &mut Details,
    ) -> Result<Option<Slot>, Error> {
        let (mut undo, mut waiting) = (Undo::new(), [Movable::NONE; ROWS]);
        let (log, rules) = (undo.log(ENTRIES), rules.juggling());
        if plan {
            let mut transaction = self.book.transaction(log, rules.work);
            transaction.replan(&rules, &mut waiting)?;
            list(transaction, self.notes, details)?;
        } else {
            self.book.replan(&rules, log, &mut waiting)?;
            self.follow_moves(details);
        }
        Ok(None)
    }

    /// Shifts others aside for a newcomer; only planned, it lists the moves instead.
    pub(crate) fn shift_in(
        &mut self,
        job: u16,
        newcomer: &Newcomer,
        rules: &Shifting,
        plan: bool,
        details: &mut Details,
    ) -> Result<Option<Slot>, Error> {
        let mut undo = Undo::new();
        let log = undo.log(ENTRIES);
        let Newcomer { request, terms } = newcomer;
        if !plan {
            let shifted = self.book.shift_in(request, *terms, rules, log);
            return self.moved_for(job, shifted?, details);
        }
        let mut transaction = self.book.transaction(log, rules.work);
        let booking = transaction.shift_in(request, *terms, rules)?;
        list(transaction, self.notes, details)?;
        Ok(Some(booking.start))
    }

    fn moved_for(
        &mut self,
        job: u16,
        booking: Booking,
        details: &mut Details,
    ) -> Result<Option<Slot>, Error> {
        self.follow_moves(details);
        self.notes.book(job, booking);
        Ok(None)
    }

    /// Lists the jobs that are booked elsewhere than is remembered, by number, and remembers where.
    fn follow_moves(&mut self, details: &mut Details) {
        for job in (0..).take(JOBS) {
            let Booking { handle, start } = self.notes.booking(job);
            let Ok(known) = self.book.get(handle) else {
                continue;
            };
            let now = known.window.start;
            if now == start {
                continue;
            }
            let at = |start| Placement {
                start,
                duration: known.window.len().unwrap_or_default(),
                pes: known.request.pes,
            };
            let _ = details.push(Detail::Move(Some(job), Some(at(start)), Some(at(now))));
            self.notes.book(job, Booking { handle, start: now });
        }
    }
}

/// Lists what a transaction has moved, and puts it back.
fn list<R: Ring>(
    transaction: Transaction<'_, '_, R>,
    notes: &Notes,
    details: &mut Details,
) -> Result<(), Error> {
    let mut moves = Vec::<Move, ENTRIES>::new();
    transaction.plan(&mut moves)?;
    note_moves(notes, &moves, &[], details);
    Ok(())
}
