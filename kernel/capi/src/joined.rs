//! The books that are decided as one, opened for a call.

use core::ops::Range;

use bookahead as kernel;
use heapless::Vec;
#[cfg(feature = "quota")]
use kernel::Quota;
use kernel::{JointError, Need, PeCount, Resource, Several};

use crate::{
    Book, Code,
    arrays::Arrays,
    code::{Failure, answer},
    kind::{Parts, call_firm},
    memory::{self, Sizes},
    pointer::{Out, elements, elements_mut},
    with::{lend, needed},
};

/// The most books that are decided as one.
pub const BOOKAHEAD_MOST_BOOKS: usize = 8;

/// No single book is the reason.
pub const BOOKAHEAD_NO_BOOK: u32 = 4_294_967_295;

const _: () = assert!(BOOKAHEAD_MOST_BOOKS == Several::MOST);
const _: () = assert!(size_of::<Tie>() == size_of::<kernel::Tie>());
const _: () = assert!(align_of::<Tie>() >= align_of::<kernel::Tie>());

/// Memory for one reservation of one of several books, in which is noted which reservation of another book belongs to it. Zeros, with which it begins, say that it is alone. Ties have no
/// pointers inside, so all of them may be copied together with all of the books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Tie {
    /// To be left alone.
    pub bits: [u64; 2],
}

/// How much of a quota may be used in a period, in PE-slots, which are PEs times slots. In a list, each begins where the one before it ends, and the first one at slot 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Period {
    /// The slot in which the next period begins.
    pub until: u64,
    /// How many PE-slots may be used. It may be changed between calls; what is booked stays booked, though it may be more than that.
    pub most: u64,
    /// How many have been used and are booked: 0 to begin with, and only read by the caller.
    pub used: u64,
}

/// One of several books that are decided as one, each for another resource: nodes, licences, what a user may have. A list of them is made for each call or kept.
///
/// The books may be of any binding but OVERLAID, cover the same number of slots, and are at the same slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Joined {
    /// The book.
    pub book: *mut Book,
    /// A tie for each reservation that the book has room for, zeroed before the first call. The same ones in each list of the same books in the same order, by which ties name them. A list of other books, such as that with the
    /// quota of another user, has ties of its own for each of its books, or each takes what the other has made for torn. A book that is alone in its list needs none: so time passes
    /// (`bookahead_several_next`) in a quota whose other books advance by themselves.
    pub ties: *mut Tie,
    /// How many ties.
    pub tie_count: usize,
    /// The periods of a quota, the earliest first, in libraries built with quota: see `bookahead_quota_renew`. May be null when there are none.
    pub periods: *mut Period,
    /// How many periods. With one or more, the book is a quota.
    pub period_count: usize,
}

#[cfg(feature = "quota")]
type KnownPeriod = kernel::Period;
/// Without the feature there are none.
#[cfg(not(feature = "quota"))]
type KnownPeriod = Period;

impl Joined {
    /// Looks at all pointers and numbers, and says where the memory of it lies.
    ///
    /// # Safety
    ///
    /// By the contract of the crate.
    unsafe fn check(&self) -> Result<[Range<usize>; 3], Failure> {
        // SAFETY: passed on; of each list only its place is kept, so that no two are there at a time, wherever they lie.
        let (sizes, ties, periods) = unsafe {
            (
                memory::sizes(self.book)?,
                place_of(self.ties()?),
                place_of(self.periods()?),
            )
        };
        if sizes.is_overlaid() {
            return Err(Code::UnknownBinding.into());
        }
        let bytes = sizes.all_bytes().ok_or(Code::NotABook)?;
        let from = self.book.addr();
        let of_book = from..from.saturating_add(bytes);
        Ok([of_book, ties, periods])
    }

    /// The book, which is of these sizes and this kind, with its journal.
    ///
    /// # Safety
    ///
    /// By the contract of the crate, and nobody else uses it meanwhile.
    pub(crate) unsafe fn open<'a, P: Parts<'a>>(
        &self,
        sizes: Sizes,
    ) -> Result<kernel::Book<'a, P::Ring>, Failure> {
        let pointer = self.book;
        // SAFETY: passed on; the sizes are under the seal of the book.
        unsafe {
            #[allow(unused_mut)]
            let mut book = P::of(sizes, Arrays::behind(pointer)).book()?;
            lend!(book, pointer, sizes);
            Ok(book)
        }
    }

    /// # Safety
    ///
    /// By the contract of the crate, and nobody else uses them meanwhile.
    unsafe fn ties<'a>(&self) -> Result<&'a mut [kernel::Tie], Failure> {
        // SAFETY: passed on; the kernel's are as long, and aligned where these are, and any bytes are one.
        unsafe { elements_mut(self.ties.cast(), self.tie_count) }
    }

    /// # Safety
    ///
    /// By the contract of the crate, and nobody else uses them meanwhile.
    pub(crate) unsafe fn periods<'a>(&self) -> Result<&'a mut [KnownPeriod], Failure> {
        if cfg!(not(feature = "quota")) && self.period_count > 0 {
            return Err(Code::BadPeriods.into());
        }
        // SAFETY: passed on; the kernel's are laid out as these, and any bytes are one.
        unsafe { elements_mut(self.periods.cast(), self.period_count) }
    }
}

fn place_of<T>(list: &[T]) -> Range<usize> {
    let Range { start, end } = list.as_ptr_range();
    start.addr()..end.addr()
}

/// What several books could not do, and the number of the book that is the reason, if it is a single one.
pub(crate) struct JointFailure {
    book: Option<u32>,
    failure: Failure,
}

impl JointFailure {
    fn of(book: u32) -> impl Fn(Failure) -> Self {
        move |failure| Self {
            book: Some(book),
            failure,
        }
    }
}

impl From<JointError> for JointFailure {
    fn from(JointError { book, error }: JointError) -> Self {
        let failure = error.into();
        Self { book, failure }
    }
}

impl From<Failure> for JointFailure {
    fn from(failure: Failure) -> Self {
        Self {
            book: None,
            failure,
        }
    }
}

impl From<Code> for JointFailure {
    fn from(code: Code) -> Self {
        Failure::from(code).into()
    }
}

/// The number that a function answers, which says beside it which book is the reason.
///
/// # Safety
///
/// By the contract of the crate.
pub(crate) unsafe fn answer_of_several(
    reason: *mut u32,
    call: impl FnOnce() -> Result<(), JointFailure>,
) -> u32 {
    answer(|| {
        let reason = Out::new(reason)?;
        let done = call();
        let book = done.as_ref().err().and_then(|failure| failure.book);
        // SAFETY: passed on.
        unsafe { reason.set(book.unwrap_or(BOOKAHEAD_NO_BOOK)) };
        done.map_err(|failure| failure.failure)
    })
}

/// The books of a call, of which each pointer has been looked at, and no two lie in the same memory.
#[derive(Clone, Copy)]
pub(crate) struct Books<'l>(&'l [Joined]);

/// What is done with all of them.
type Action<'a> = dyn FnMut(&mut Several<'_, '_>) -> Result<(), JointFailure> + 'a;

impl<'l> Books<'l> {
    /// The books of a caller's list.
    ///
    /// # Safety
    ///
    /// By the contract of the crate.
    pub(crate) unsafe fn new(first: *const Joined, length: usize) -> Result<Self, JointFailure> {
        // SAFETY: passed on.
        let all = unsafe { elements::<Joined>(first, length) }?;
        if all.is_empty() || length > BOOKAHEAD_MOST_BOOKS {
            return Err(Code::TooManyParts.into());
        }
        let mut taken = Vec::<Range<usize>, { 3 * BOOKAHEAD_MOST_BOOKS }>::new();
        for (number, joined) in (0..).zip(all) {
            // SAFETY: passed on.
            let ranges = unsafe { joined.check() }.map_err(JointFailure::of(number))?;
            for range in ranges {
                let overlaps =
                    |other: &Range<usize>| range.start < other.end && other.start < range.end;
                if taken.iter().any(overlaps) {
                    return Err(JointFailure::of(number)(Code::Overlapping.into()));
                }
                // Cannot fail: there is room for those of all books.
                let _ = taken.push(range);
            }
        }
        Ok(Self(all))
    }

    /// What is needed of each book, of the class that it asks for. None where the numbers are not as many as the books, which the kernel refuses.
    ///
    /// # Safety
    ///
    /// By the contract of the crate.
    pub(crate) unsafe fn needs(
        self,
        pes: &[u32],
    ) -> Result<Vec<Need, BOOKAHEAD_MOST_BOOKS>, Failure> {
        let mut needs = Vec::new();
        if pes.len() != self.0.len() {
            return Ok(needs);
        }
        for (joined, pes) in self.0.iter().zip(pes) {
            // SAFETY: passed on.
            let need = unsafe { needed(joined.book, PeCount::new(*pes)) }?;
            // Cannot fail: there is room for those of all books.
            let _ = needs.push(need);
        }
        Ok(needs)
    }

    /// Opens all of them, and does something to them as one.
    ///
    /// # Safety
    ///
    /// By the contract of the crate.
    pub(crate) unsafe fn together<T>(
        self,
        action: impl FnOnce(&mut Several<'_, '_>) -> Result<T, JointError>,
    ) -> Result<T, JointFailure> {
        let (mut action, mut answer) = (Some(action), None);
        let mut once = |several: &mut Several<'_, '_>| {
            if let Some(action) = action.take() {
                answer = Some(action(several)?);
            }
            Ok(())
        };
        // SAFETY: passed on; none of them is open.
        unsafe { open_rest(&mut [], self.0, &mut once) }?;
        // There is an answer: it has been called.
        answer.ok_or(Code::TooManyParts.into())
    }
}

/// Opens one book after the other, whatever kinds they are of, each in a frame of its own on the stack, and does something to all of them: those that are open and the rest.
///
/// # Safety
///
/// By the contract of the crate; `rest` has been checked, and shares no memory with what is open.
unsafe fn open_rest(
    open: &mut [kernel::Joined<'_>],
    rest: &[Joined],
    action: &mut Action<'_>,
) -> Result<(), JointFailure> {
    let Some((next, rest)) = rest.split_first() else {
        return action(&mut Several::new(open)?);
    };
    let of_this = JointFailure::of(open.len() as u32);
    // SAFETY: passed on; the sizes are under the seal of the book.
    unsafe {
        let sizes = memory::sizes(next.book).map_err(of_this)?;
        call_firm!(sizes, open_next(open, next, rest, action))
    }
}

/// Opens the next book, which is of this kind, and the rest behind it.
///
/// # Safety
///
/// As [`open_rest`]; the sizes are those of the next book, which is of this kind.
// Not inlined, so that no frame has room for books of all kinds.
#[inline(never)]
unsafe fn open_next<'a, P: Parts<'a>>(
    sizes: Sizes,
    open: &mut [kernel::Joined<'_>],
    next: &Joined,
    rest: &[Joined],
    action: &mut Action<'_>,
) -> Result<(), JointFailure>
where
    kernel::Book<'a, P::Ring>: Resource,
{
    // SAFETY: passed on.
    unsafe {
        let mut book = next.open::<P>(sizes)?;
        #[cfg(feature = "quota")]
        if next.period_count > 0 {
            let number = open.len() as u32;
            let quota = Quota::new(book, next.periods()?);
            let mut quota = quota.ok_or(JointFailure::of(number)(Code::BadPeriods.into()))?;
            return open_behind(open, (&mut quota, next.ties()?), rest, action);
        }
        open_behind(open, (&mut book, next.ties()?), rest, action)
    }
}

/// Opens the rest behind this book and its ties.
///
/// # Safety
///
/// As [`open_rest`].
unsafe fn open_behind(
    open: &mut [kernel::Joined<'_>],
    (book, ties): (&mut dyn Resource, &mut [kernel::Tie]),
    rest: &[Joined],
    action: &mut Action<'_>,
) -> Result<(), JointFailure> {
    // Borrowed anew, for no longer than this book.
    let before = open.iter_mut().map(|joined| kernel::Joined {
        book: &mut *joined.book,
        ties: &mut *joined.ties,
    });
    let mut all = Vec::<_, BOOKAHEAD_MOST_BOOKS>::new();
    for joined in before.chain([kernel::Joined { book, ties }]) {
        // Cannot fail: there is room for all books.
        let _ = all.push(joined);
    }
    // SAFETY: passed on.
    unsafe { open_rest(&mut all, rest, action) }
}
