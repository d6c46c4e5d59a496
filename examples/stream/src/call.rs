//! Calls, and how a line of `calls.txt` is read.

use core::{fmt, iter::Enumerate, str::Lines};

use bookahead::{
    Alteration, BestEffortJob, Commitment, Discipline, ElasticRequest, Factor, Money, OfferOrder,
    OfferTerms, Part, PeCount, Policy, Request, Search, Shifting, Slot, Span, Tariff, Window,
};
use heapless::Vec;

use crate::{
    Fault, JOBS,
    deed::{self, ENTRIES, PARTS, Script, write_alteration, write_part},
    flexible::{self, Mould, Newcomer, Rules, ending, write_shifting, write_terms},
};

/// In the files: whatever there is, the whole of it, or no hold.
const OPEN: &str = "-";

/// One call on a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The job it is about.
    pub job: u16,
    /// What is to be done.
    pub action: Action,
}

/// What a call does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(
    clippy::large_enum_variant,
    reason = "there is no heap, and one call at a time is in memory"
)]
pub enum Action {
    /// [`Book::reserve`](bookahead::Book::reserve).
    Reserve(Request, Policy),
    /// [`Book::hold`](bookahead::Book::hold).
    Hold(Request, Policy, Span),
    /// [`Book::confirm`](bookahead::Book::confirm).
    Confirm,
    /// [`Book::cancel`](bookahead::Book::cancel).
    Cancel,
    /// [`Book::complete`](bookahead::Book::complete).
    Complete(Slot),
    /// [`Book::offers`](bookahead::Book::offers), by the tariff of that price.
    Offers(ElasticRequest, Manner),
    /// [`Book::accept`](bookahead::Book::accept).
    Accept(Choice),
    /// An empty queue of that discipline takes the place of the old one.
    Queue(Discipline),
    /// [`Queue::submit`](bookahead::Queue::submit).
    Submit(BestEffortJob),
    /// [`Queue::withdraw`](bookahead::Queue::withdraw).
    Withdraw,
    /// [`Queue::shadow`](bookahead::Queue::shadow).
    Shadow,
    /// [`Book::plan`](bookahead::Book::plan); the plan is remembered.
    Plan(Request, Policy),
    /// [`Book::commit`](bookahead::Book::commit) of the plan that was made last, firm or held for so long.
    Commit(Option<Span>),
    /// [`Book::alter`](bookahead::Book::alter).
    Alter(Alteration),
    /// [`Book::split`](bookahead::Book::split): the job is the rest of the one given.
    Split(u16, Slot),
    /// [`Book::reserve_series`](bookahead::Book::reserve_series), for this job and the ones behind it.
    Series(Recurrence),
    /// [`Book::reserve_together`](bookahead::Book::reserve_together), for this job and the ones behind it.
    Together(Group),
    /// [`Book::cancel_all`](bookahead::Book::cancel_all), of so many jobs from this one on.
    CancelAll(u16),
    /// [`Book::explain`](bookahead::Book::explain).
    Explain(Request),
    /// [`Book::covering`](bookahead::Book::covering).
    Covering(Window),
    /// [`Book::transaction`](bookahead::Book::transaction).
    Transaction(Script),
    /// [`Transaction::apply`](bookahead::Transaction::apply) of what was planned last, with so much work and so many entries.
    Apply(u64, usize),
    /// [`Book::set_incarnation`](bookahead::Book::set_incarnation), and of the queue.
    Incarnation(u32, u32),
    /// [`Book::commit`](bookahead::Book::commit) of the plan that was made last, strict or flexible.
    CommitAs(Commitment),
    /// [`Book::freeze`](bookahead::Book::freeze).
    Freeze,
    /// [`Book::plan_mouldable`](bookahead::Book::plan_mouldable); the plan is remembered.
    Mould(Mould),
    /// [`Book::juggle`](bookahead::Book::juggle), or only planned.
    Juggle(Newcomer, Rules, bool),
    /// [`Book::replan`](bookahead::Book::replan), or only planned.
    Replan(Rules, bool),
    /// [`Book::shift_in`](bookahead::Book::shift_in), or only planned.
    ShiftIn(Newcomer, Shifting, bool),
}

/// A series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrence {
    /// Its first instance.
    pub first: Request,
    /// Where each goes.
    pub policy: Policy,
    /// For how long they are held, if they are not confirmed at once.
    pub ttl: Option<Span>,
    /// From one to the next.
    pub period: Span,
    /// How many, with the exceptions.
    pub count: u32,
    /// The numbers of those that are left out.
    pub exceptions: Vec<u32, PARTS>,
}

/// What is reserved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The earliest common start.
    pub ready: Slot,
    /// When all are over.
    pub deadline: Slot,
    /// For how long they are held, if they are not confirmed at once.
    pub ttl: Option<Span>,
    /// The parts.
    pub parts: Vec<Part, PARTS>,
}

/// What a booking is worth that is held for so long, or not at all.
#[must_use]
pub(crate) const fn terms(ttl: Option<Span>) -> Commitment {
    match ttl {
        Some(ttl) => Commitment::Held { ttl },
        None => Commitment::Confirmed,
    }
}

/// How offers are to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// How they are looked for.
    pub search: Search,
    /// In which order they are listed.
    pub order: OfferOrder,
    /// How long they are good for.
    pub ttl: Span,
    /// The price of a slot without a reservation; with one it is half as much more.
    pub base: Money,
}

impl Manner {
    /// As the kernel wants it.
    #[must_use]
    pub fn terms(&self) -> OfferTerms {
        OfferTerms {
            search: self.search,
            order: self.order,
            ttl: self.ttl,
            tariff: Self::tariff(self.base),
        }
    }

    /// The tariff with that price of a slot without a reservation; nothing is to be paid by one that is out of range.
    pub(crate) fn tariff(base: Money) -> Tariff {
        let factor = Factor::from_bits(3 << 31);
        Tariff::new(base, factor, 1).unwrap_or(Tariff::FREE)
    }
}

/// What is taken of the offers that were made last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Which of them, counted from 0. Where there is none, one that no book makes.
    pub nth: usize,
    /// For how long; the whole if it is not given.
    pub duration: Option<Span>,
    /// How many processing elements; all if it is not given.
    pub pes: Option<PeCount>,
    /// For how long it is held, if it is not confirmed at once.
    pub ttl: Option<Span>,
}

impl Choice {
    /// What the booking is worth.
    #[must_use]
    pub const fn terms(&self) -> Commitment {
        terms(self.ttl)
    }
}

impl Action {
    /// Its word in the files.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Reserve(..) => "reserve",
            Self::Hold(..) => "hold",
            Self::Confirm => "confirm",
            Self::Cancel => "cancel",
            Self::Complete(_) => "complete",
            Self::Offers(..) => "offers",
            Self::Accept(_) => "accept",
            Self::Queue(_) => "queue",
            Self::Submit(_) => "submit",
            Self::Withdraw => "withdraw",
            Self::Shadow => "shadow",
            Self::Plan(..) => "plan",
            Self::Commit(_) => "commit",
            Self::Alter(_) => "alter",
            Self::Split(..) => "split",
            Self::Series(_) => "series",
            Self::Together(_) => "together",
            Self::CancelAll(_) => "cancel-all",
            Self::Explain(_) => "explain",
            Self::Covering(_) => "covering",
            Self::Transaction(_) => "transaction",
            Self::Apply(..) => "apply",
            Self::Incarnation(..) => "incarnation",
            Self::CommitAs(_) => "commit-as",
            Self::Freeze => "freeze",
            Self::Mould(_) => "mould",
            Self::Juggle(..) => "juggle",
            Self::Replan(..) => "replan",
            Self::ShiftIn(..) => "shift-in",
        }
    }
}

/// Written as in the file, without the slot.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { job, action } = self;
        write!(f, "{} {job}", action.name())?;
        match action {
            Action::Reserve(request, policy) | Action::Plan(request, policy) => {
                write_request(f, request, *policy)
            }
            Action::Hold(request, policy, ttl) => {
                write_request(f, request, *policy)?;
                write!(f, " {}", ttl.get())
            }
            Action::Confirm
            | Action::Cancel
            | Action::Withdraw
            | Action::Shadow
            | Action::Freeze => Ok(()),
            Action::Complete(at) => write!(f, " {}", at.get()),
            Action::Offers(query, manner) => {
                write!(f, " {} {}", manner.search.name(), manner.order.name())?;
                write!(f, " {}", query.ready.get())?;
                write_optional(f, ' ', query.duration.map(Span::get))?;
                write!(f, " {}", query.deadline.get())?;
                write_optional(f, ' ', query.pes.map(PeCount::get))?;
                write!(f, " {} {}", manner.ttl.get(), manner.base.get())
            }
            Action::Accept(choice) => {
                write!(f, " {}", choice.nth)?;
                write_optional(f, ' ', choice.duration.map(Span::get))?;
                write_optional(f, ' ', choice.pes.map(PeCount::get))?;
                write_optional(f, ' ', choice.ttl.map(Span::get))
            }
            Action::Queue(discipline) => write!(f, " {}", discipline.name()),
            Action::Submit(job) => write!(f, " {} {}", job.estimate.get(), job.pes.get()),
            Action::Commit(ttl) => write_optional(f, ' ', ttl.map(Span::get)),
            Action::Alter(alteration) => {
                f.write_str(" ")?;
                write_alteration(f, *alteration)
            }
            Action::Split(of, at) => write!(f, " {of} {}", at.get()),
            Action::Series(series) => {
                write_request(f, &series.first, series.policy)?;
                write_optional(f, ' ', series.ttl.map(Span::get))?;
                write!(f, " {} {}", series.period.get(), series.count)?;
                let exceptions = &series.exceptions;
                write_optional(f, ' ', exceptions.first())?;
                let others = exceptions.iter().skip(1);
                others.copied().try_for_each(|other| write!(f, ":{other}"))
            }
            Action::Together(group) => {
                write!(f, " {} {}", group.ready.get(), group.deadline.get())?;
                write_optional(f, ' ', group.ttl.map(Span::get))?;
                group.parts.iter().try_for_each(|part| write_part(f, part))
            }
            Action::CancelAll(count) => write!(f, " {count}"),
            Action::Explain(request) => write_numbers(f, request),
            Action::Covering(window) => {
                write!(f, " {} {}", window.start.get(), window.end.get())
            }
            Action::Transaction(script) => write!(f, " {script}"),
            Action::Apply(work, entries) => write!(f, " {work} {entries}"),
            Action::Incarnation(book, queue) => write!(f, " {book} {queue}"),
            Action::CommitAs(terms) => {
                f.write_str(" ")?;
                write_terms(f, *terms)
            }
            Action::Mould(mould) => write!(f, " {mould}"),
            Action::Juggle(newcomer, rules, plan) => {
                write!(f, " {newcomer} {rules} {}", ending(*plan))
            }
            Action::Replan(rules, plan) => write!(f, " {rules} {}", ending(*plan)),
            Action::ShiftIn(newcomer, rules, plan) => {
                write!(f, " {newcomer} ")?;
                write_shifting(f, rules)?;
                write!(f, " {}", ending(*plan))
            }
        }
    }
}

pub(crate) fn write_optional(
    f: &mut fmt::Formatter<'_>,
    before: char,
    number: Option<impl fmt::Display>,
) -> fmt::Result {
    match number {
        Some(number) => write!(f, "{before}{number}"),
        None => write!(f, "{before}{OPEN}"),
    }
}

fn write_request(f: &mut fmt::Formatter<'_>, request: &Request, policy: Policy) -> fmt::Result {
    write!(f, " {}", policy.name())?;
    write_numbers(f, request)
}

pub(crate) fn write_numbers(f: &mut fmt::Formatter<'_>, request: &Request) -> fmt::Result {
    let Request {
        ready,
        duration,
        deadline,
        pes,
    } = request;
    let (ready, deadline) = (ready.get(), deadline.get());
    write!(f, " {ready} {} {deadline} {}", duration.get(), pes.get())
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "as for a call")]
pub enum Entry {
    /// A call, made while `now` is this slot.
    Call(Slot, Call),
    /// The stream ends when this slot has been reached.
    End(Slot),
}

impl Entry {
    /// When it is due.
    #[must_use]
    pub const fn slot(&self) -> Slot {
        match self {
            Self::Call(slot, _) | Self::End(slot) => *slot,
        }
    }

    /// Reads a line; `None` when it is not one.
    fn read(line: &str) -> Option<Self> {
        let mut fields = line.split(' ');
        let slot = slot(&mut fields)?;
        let word = fields.next()?;
        let entry = if word == "end" {
            Self::End(slot)
        } else {
            let job = number(&mut fields)?;
            let action = match word {
                "reserve" => {
                    let (request, policy) = request(&mut fields)?;
                    Action::Reserve(request, policy)
                }
                "hold" => {
                    let (request, policy) = request(&mut fields)?;
                    Action::Hold(request, policy, Span::new(number(&mut fields)?))
                }
                "confirm" => Action::Confirm,
                "cancel" => Action::Cancel,
                "complete" => Action::Complete(self::slot(&mut fields)?),
                "offers" => {
                    let (query, manner) = query(&mut fields)?;
                    Action::Offers(query, manner)
                }
                "accept" => Action::Accept(Choice {
                    nth: number(&mut fields)?,
                    duration: optional(&mut fields)?.map(Span::new),
                    pes: optional(&mut fields)?.map(PeCount::new),
                    ttl: optional(&mut fields)?.map(Span::new),
                }),
                "queue" => Action::Queue(Discipline::from_name(fields.next()?)?),
                "submit" => Action::Submit(BestEffortJob {
                    estimate: Span::new(number(&mut fields)?),
                    pes: PeCount::new(number(&mut fields)?),
                }),
                "withdraw" => Action::Withdraw,
                "shadow" => Action::Shadow,
                _ => moving(word, &mut fields)?,
            };
            Self::Call(slot, Call { job, action })
        };
        (fields.next().is_none() && entry.is_in_range()).then_some(entry)
    }

    fn is_in_range(&self) -> bool {
        match self {
            Self::Call(_, call) => {
                let last = match call.action {
                    Action::CancelAll(count) => usize::from(count),
                    Action::Series(_) | Action::Together(_) => PARTS,
                    _ => 1,
                };
                usize::from(call.job).saturating_add(last) <= JOBS
            }
            Self::End(_) => true,
        }
    }
}

/// Reads a call that plans, moves or asks what is in the way.
fn moving(word: &str, fields: &mut Fields<'_>) -> Option<Action> {
    Some(match word {
        "plan" => {
            let (request, policy) = request(fields)?;
            Action::Plan(request, policy)
        }
        "commit" => Action::Commit(optional(fields)?.map(Span::new)),
        "alter" => Action::Alter(deed::last_alteration(fields)?),
        "split" => Action::Split(deed::job(fields)?, slot(fields)?),
        "series" => {
            let (first, policy) = request(fields)?;
            Action::Series(Recurrence {
                first,
                policy,
                ttl: optional(fields)?.map(Span::new),
                period: Span::new(number(fields)?),
                count: number(fields)?,
                exceptions: exceptions(fields.next()?)?,
            })
        }
        "together" => Action::Together(Group {
            ready: slot(fields)?,
            deadline: slot(fields)?,
            ttl: optional(fields)?.map(Span::new),
            parts: deed::parts(fields)?,
        }),
        "cancel-all" => Action::CancelAll(number(fields)?),
        "explain" => Action::Explain(numbers(fields)?),
        "covering" => Action::Covering(Window {
            start: slot(fields)?,
            end: slot(fields)?,
        }),
        "transaction" => Action::Transaction(deed::script(fields)?),
        "apply" => {
            let work = number(fields)?;
            Action::Apply(work, number(fields).filter(|entries| *entries <= ENTRIES)?)
        }
        "incarnation" => Action::Incarnation(number(fields)?, number(fields)?),
        _ => return flexible::read(word, fields),
    })
}

pub(crate) type Fields<'t> = core::str::Split<'t, char>;

/// Numbers with colons in between, or that there are none.
fn exceptions(field: &str) -> Option<Vec<u32, PARTS>> {
    let mut exceptions = Vec::new();
    if field != OPEN {
        for number in field.split(':') {
            exceptions.push(number.parse().ok()?).ok()?;
        }
    }
    Some(exceptions)
}

pub(crate) fn number<T: core::str::FromStr>(fields: &mut Fields<'_>) -> Option<T> {
    fields.next()?.parse().ok()
}

pub(crate) fn slot(fields: &mut Fields<'_>) -> Option<Slot> {
    number(fields).map(Slot::new)
}

fn request(fields: &mut Fields<'_>) -> Option<(Request, Policy)> {
    let policy = Policy::from_name(fields.next()?)?;
    Some((numbers(fields)?, policy))
}

pub(crate) fn numbers(fields: &mut Fields<'_>) -> Option<Request> {
    Some(Request {
        ready: slot(fields)?,
        duration: Span::new(number(fields)?),
        deadline: slot(fields)?,
        pes: PeCount::new(number(fields)?),
    })
}

fn query(fields: &mut Fields<'_>) -> Option<(ElasticRequest, Manner)> {
    let search = Search::from_name(fields.next()?)?;
    let order = OfferOrder::from_name(fields.next()?)?;
    let query = ElasticRequest {
        ready: slot(fields)?,
        duration: optional(fields)?.map(Span::new),
        deadline: slot(fields)?,
        pes: optional(fields)?.map(PeCount::new),
    };
    let manner = Manner {
        search,
        order,
        ttl: Span::new(number(fields)?),
        base: Money::new(number(fields)?),
    };
    Some((query, manner))
}

/// A number, or that there is none.
pub(crate) fn optional<T: core::str::FromStr>(fields: &mut Fields<'_>) -> Option<Option<T>> {
    let field = fields.next()?;
    if field == OPEN {
        return Some(None);
    }
    field.parse().ok().map(Some)
}

/// The entries of a text, in its order; a line that cannot be read, or lies before the one above it, is a [`Fault::BadLine`].
#[derive(Clone, Debug)]
pub struct Entries<'t> {
    lines: Enumerate<Lines<'t>>,
    last: Slot,
}

impl<'t> Entries<'t> {
    /// Reads `text`.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Self {
            lines: text.lines().enumerate(),
            last: Slot::new(0),
        }
    }
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let (above, line) = self.lines.find(|(_, line)| !line.starts_with('#'))?;
        let bad = Fault::BadLine { line: above + 1 };
        let entry = Entry::read(line).filter(|entry| entry.slot() >= self.last);
        if let Some(entry) = &entry {
            self.last = entry.slot();
        }
        Some(entry.ok_or(bad))
    }
}
