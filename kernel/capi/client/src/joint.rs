//! Several books behind the C interface, decided as one.

use std::cell::RefCell;

use bookahead::{
    BookPart, Commitment, Event, Handle, JointBooking, JointError, Policy, Request, Slot, Span,
};
use bookahead_capi::{self as c, Binding};
use bookahead_commands::{Machine, Wish};

use crate::{
    Careless,
    argument::{Argument, At, List, Place, bad, first, input, optional, output, told},
    caller::{Caller, functions},
    convert::{self, InC, commitment, error},
    standby::Standby,
};

/// One of the books, with what lies beside it.
#[derive(Clone, Debug)]
pub struct Shelf {
    book: Caller,
    /// A second book, which follows by the records of the first.
    standby: Standby,
    ties: List<c::Tie>,
    periods: List<c::Period>,
}

impl PartialEq for Shelf {
    fn eq(&self, other: &Self) -> bool {
        (&self.book.memory, &self.ties, &self.periods)
            == (&other.book.memory, &other.ties, &other.periods)
    }
}

impl Shelf {
    /// An empty book for so many PEs, slots and reservations; with periods, until when and how much may be used in each, a quota.
    #[must_use]
    pub fn new(binding: Binding, sizes: [u32; 3], periods: &[(u64, u64)]) -> Self {
        let book = Caller::new(binding, sizes, 1, Careless::default());
        let standby = Standby::of(&book).expect("it has no overlays");
        Self::with((book, standby), sizes[2], periods)
    }

    /// The same on a machine with a layout, of which the book asks for such a class; for so many slots and reservations.
    ///
    /// # Panics
    ///
    /// When there is no such book or class.
    #[must_use]
    pub fn on(machine: &Machine, [slots, rows]: [u32; 2], wish: &Wish) -> Self {
        let missing = convert::missing(machine);
        let (layout, sizes) = (convert::layout(machine, &missing), [slots, rows, 1, 0]);
        let mut book = Caller::on(Binding::Placed, &layout, sizes, 1, Careless::default());
        let standby = Standby::of(&book).expect("it has no overlays");
        let groups = convert::groups(wish);
        let number = book.class_add(&convert::class(wish, &groups), &Place::new());
        let asked = number.and_then(|number| book.class_ask(number));
        assert_eq!(asked, Ok(()));
        Self::with((book, standby), rows, &[])
    }

    fn with((book, standby): (Caller, Standby), rows: u32, periods: &[(u64, u64)]) -> Self {
        let period = |(until, most): &(u64, u64)| c::Period {
            until: *until,
            most: *most,
            used: 0,
        };
        let periods: Vec<_> = periods.iter().map(period).collect();
        let alone = c::Tie { bits: [0; 2] };
        Self {
            book,
            standby,
            ties: List::of(&vec![alone; rows as usize]),
            periods: List::of(&periods),
        }
    }

    fn joined(&self) -> c::Joined {
        c::Joined {
            book: self.book.memory.book.pointer().cast(),
            ties: self.ties.pointer(),
            tie_count: self.ties.room(),
            periods: self.periods.pointer(),
            period_count: self.periods.room(),
        }
    }
}

/// The list of the books.
struct Books {
    all: Vec<c::Joined>,
    last: At<c::Book>,
    spoilt: RefCell<Vec<c::Joined>>,
}

impl Argument for Books {
    type Passed = *const c::Joined;

    fn ways(&self) -> u32 {
        8 + self.last.ways()
    }

    fn pass(&self, wrong: Option<u32>) -> Self::Passed {
        let Some(way) = wrong.and_then(|way| way.checked_sub(2)) else {
            return bad(self.all.as_ptr().cast_mut(), wrong);
        };
        let mut all = self.all.clone();
        let is_alone = all.len() == 1;
        let last = all.last_mut().expect("there are books");
        match way {
            0 => last.ties = bad(last.ties, Some(1)),
            // One that is alone needs none.
            1 if !is_alone => last.tie_count -= 1,
            1 | 2 => last.ties = last.book.cast(),
            3 => (last.periods, last.period_count) = (last.ties.cast(), 1),
            4 => (last.periods, last.period_count) = (std::ptr::null_mut(), 1),
            5 => last.period_count = usize::MAX,
            way => last.book = self.last.pass(Some(way - 6)),
        }
        *self.spoilt.borrow_mut() = all;
        self.spoilt.borrow().as_ptr()
    }
}

/// A program with several books.
#[derive(Clone, Debug)]
struct Joint {
    memory: Vec<Shelf>,
    careless: Careless,
}

impl Joint {
    fn books(&self) -> Books {
        let last = self.memory.last().expect("there are books");
        Books {
            all: self.memory.iter().map(Shelf::joined).collect(),
            last: At::new(&last.book.memory.book),
            spoilt: RefCell::default(),
        }
    }
}

functions! { Joint, self:
    reserve(request: &c::JointRequest, terms: &c::Commitment, work: u64, reason: &Place<u32>) -> booking: c::JointBooking
        = bookahead_several_reserve(self.books(), self.memory.len(), input(request), optional(terms), work; told(reason));
    earliest(request: &c::JointRequest, work: u64, reason: &Place<u32>) -> start: u64
        = bookahead_several_earliest(self.books(), self.memory.len(), input(request), work; told(reason));
    parts(part: c::BookPart, list: &List<c::BookPart>, reason: &Place<u32>) -> count: usize
        = bookahead_several_parts(self.books(), self.memory.len(), part, first(list), list.room(); told(reason));
    confirm(part: c::BookPart, reason: &Place<u32>)
        = bookahead_several_confirm(self.books(), self.memory.len(), part; told(reason));
    cancel(part: c::BookPart, reason: &Place<u32>)
        = bookahead_several_cancel(self.books(), self.memory.len(), part; told(reason));
    complete(part: c::BookPart, at: u64, reason: &Place<u32>)
        = bookahead_several_complete(self.books(), self.memory.len(), part, at; told(reason));
    alter(part: c::BookPart, times: &Request, work: u64, reason: &Place<u32>) -> start: u64
        = bookahead_several_alter(self.books(), self.memory.len(), part, times.ready.c(), times.duration.c(), times.deadline.c(), work; told(reason));
    next(to: u64, reason: &Place<u32>) -> part: c::BookPart, event: c::Event, happened: bool
        = bookahead_several_next(self.books(), self.memory.len(), to; told(reason));
    torn(reason: &Place<u32>) -> part: c::BookPart, is_torn: bool
        = bookahead_several_torn(self.books(), self.memory.len(); told(reason));
    end_torn(reason: &Place<u32>) -> part: c::BookPart, was_torn: bool
        = bookahead_several_end_torn(self.books(), self.memory.len(); told(reason));
    renew(quota: &c::Joined, until: u64, most: u64) -> over: c::Period
        = bookahead_quota_renew(input(quota), until, most);
    is_sound(quota: &c::Joined) -> sound: bool = bookahead_quota_is_sound(input(quota));
}

/// Several books in memory that a C program owns.
#[derive(Clone, Debug)]
pub struct JointSide {
    c: Joint,
}

impl PartialEq for JointSide {
    fn eq(&self, other: &Self) -> bool {
        self.c.memory == other.c.memory
    }
}

impl JointSide {
    /// These books, used by somebody so careless.
    #[must_use]
    pub const fn new(memory: Vec<Shelf>, careless: Careless) -> Self {
        let c = Joint { memory, careless };
        Self { c }
    }

    /// How many calls were made with a mistake.
    #[must_use]
    pub const fn mistakes(&self) -> u64 {
        self.c.careless.mistakes
    }

    /// Calls a function, and makes of its code and of what it says beside that why it is refused.
    fn call<T>(
        &mut self,
        function: impl FnOnce(&mut Joint, &Place<u32>) -> Result<T, u32>,
    ) -> Result<T, JointError> {
        let reason = Place::new();
        let done = function(&mut self.c, &reason);
        let book = Some(reason.get()).filter(|book| *book != c::BOOKAHEAD_NO_BOOK);
        assert!(done.is_err() || book.is_none(), "nothing is refused");
        done.map_err(|code| JointError {
            book,
            error: error(code),
        })
    }

    /// Reserves so much of each book.
    ///
    /// # Errors
    ///
    /// What the kernel says.
    pub fn reserve(
        &mut self,
        times: &Request,
        needs: &[u32],
        hold: Option<Span>,
        work: u64,
    ) -> Result<JointBooking, JointError> {
        let terms = hold.map_or(Commitment::Confirmed, |ttl| Commitment::Held { ttl });
        let (request, terms) = (request(times, needs), commitment(terms));
        let booking = self.call(|c, reason| c.reserve(&request, &terms, work, reason))?;
        Ok(InC::of(booking))
    }

    /// When that would start.
    ///
    /// # Errors
    ///
    /// What the kernel says.
    pub fn earliest(
        &mut self,
        times: &Request,
        needs: &[u32],
        work: u64,
    ) -> Result<Slot, JointError> {
        let request = request(times, needs);
        let start = self.call(|c, reason| c.earliest(&request, work, reason))?;
        Ok(InC::of(start))
    }

    /// The parts of a reservation.
    ///
    /// # Errors
    ///
    /// What the kernel says.
    pub fn parts(&mut self, part: BookPart) -> Result<Vec<BookPart>, JointError> {
        let list = List::new(c::BOOKAHEAD_MOST_BOOKS);
        let count = self.call(|c, reason| c.parts(part.c(), &list, reason))?;
        Ok(list.taken(count).into_iter().map(InC::of).collect())
    }

    /// Confirms all parts.
    ///
    /// # Errors
    ///
    /// What the kernel says.
    pub fn confirm(&mut self, part: BookPart) -> Result<(), JointError> {
        self.call(|c, reason| c.confirm(part.c(), reason))
    }

    /// Cancels all parts.
    ///
    /// # Errors
    ///
    /// What the kernel says.
    pub fn cancel(&mut self, part: BookPart) -> Result<(), JointError> {
        self.call(|c, reason| c.cancel(part.c(), reason))
    }

    /// Completes all parts.
    ///
    /// # Errors
    ///
    /// What the kernel says.
    pub fn complete(&mut self, part: BookPart, at: Slot) -> Result<(), JointError> {
        self.call(|c, reason| c.complete(part.c(), at.c(), reason))
    }

    /// Gives all parts other times.
    ///
    /// # Errors
    ///
    /// What the kernel says.
    pub fn alter(
        &mut self,
        part: BookPart,
        times: &Request,
        work: u64,
    ) -> Result<Slot, JointError> {
        let start = self.call(|c, reason| c.alter(part.c(), times, work, reason))?;
        Ok(InC::of(start))
    }

    /// The next event on the way to a slot.
    ///
    /// # Errors
    ///
    /// What the kernel says.
    pub fn next(&mut self, to: Slot) -> Result<Option<(BookPart, Event)>, JointError> {
        let (part, event, happened) = self.call(|c, reason| c.next(to.c(), reason))?;
        Ok(happened.then(|| (InC::of(part), convert::event(event))))
    }

    /// A part without the others.
    ///
    /// # Panics
    ///
    /// When the books are no such books.
    #[must_use]
    pub fn torn(&mut self) -> Option<BookPart> {
        let (part, is_torn) = self.call(|c, reason| c.torn(reason)).expect("they are");
        is_torn.then(|| InC::of(part))
    }

    /// Cancels such a part.
    ///
    /// # Panics
    ///
    /// When the books are no such books.
    pub fn end_torn(&mut self) -> Option<BookPart> {
        let (part, was_torn) = self.call(|c, reason| c.end_torn(reason)).expect("they are");
        was_torn.then(|| InC::of(part))
    }

    /// Sets how much of a quota may be used in a period.
    pub fn set_most(&mut self, book: usize, period: usize, most: u64) {
        let periods = &mut self.c.memory[book].periods;
        let mut all = periods.all();
        if let Some(period) = all.get_mut(period) {
            period.most = most;
        }
        *periods = List::of(&all);
    }

    /// Renews the first period of a quota; what was used in it, if it is over.
    ///
    /// # Panics
    ///
    /// When the book is none that could be a quota.
    pub fn renew(&mut self, book: usize, until: Slot, most: u64) -> Option<[u64; 3]> {
        let quota = self.c.memory[book].joined();
        let over = self.c.renew(&quota, until.c(), most);
        let refused = Err(c::Code::BadPeriods as u32);
        assert!(over.is_ok() || over == refused, "{over:?}");
        over.ok().map(numbers)
    }

    /// The records of what has changed in each book make another one the same.
    pub fn follow(&mut self) {
        for shelf in &mut self.c.memory {
            shelf.standby.follow(&mut shelf.book);
        }
    }

    /// What is known of a book: a hash of its state, its periods, and whether it is sound.
    ///
    /// # Panics
    ///
    /// When it has overlays.
    pub fn look(&mut self, book: usize) -> (u64, Vec<[u64; 3]>, bool) {
        let quota = self.c.memory[book].joined();
        let is_sound = self.c.is_sound(&quota).expect("its periods are in order");
        let shelf = &mut self.c.memory[book];
        let hash = shelf.book.state_hash().expect("it has no overlays");
        let periods = shelf.periods.all().into_iter().map(numbers).collect();
        (hash, periods, is_sound && shelf.book.check() == Ok(()))
    }

    /// Reserves in one book alone.
    ///
    /// # Errors
    ///
    /// The code.
    pub fn reserve_alone(&mut self, book: usize, request: &Request) -> Result<Handle, u32> {
        let (policy, terms) = (Policy::FirstFit.code(), commitment(Commitment::Confirmed));
        let caller = &mut self.c.memory[book].book;
        let booking = caller.reserve(&request.c(), policy, &terms)?;
        Ok(InC::of(booking.handle))
    }

    /// Cancels a part in its book alone.
    ///
    /// # Errors
    ///
    /// The code.
    pub fn cancel_alone(&mut self, part: BookPart) -> Result<(), u32> {
        let caller = &mut self.c.memory[part.book as usize].book;
        caller.cancel(part.handle.c())
    }

    /// Confirms a part in its book alone.
    ///
    /// # Errors
    ///
    /// The code.
    pub fn confirm_alone(&mut self, part: BookPart) -> Result<(), u32> {
        let caller = &mut self.c.memory[part.book as usize].book;
        caller.confirm(part.handle.c())
    }
}

fn numbers(period: c::Period) -> [u64; 3] {
    [period.until, period.most, period.used]
}

fn request(times: &Request, needs: &[u32]) -> c::JointRequest {
    c::JointRequest {
        ready: times.ready.c(),
        deadline: times.deadline.c(),
        duration: times.duration.c(),
        needs: needs.as_ptr(),
        need_count: needs.len(),
    }
}
