//! A book in one piece of memory: how much, what lies where, and opening it for a call.

use core::ffi::c_void;

use bookahead::raw::{
    BookState, BulkScan, NativeScan, PlainScan, Row, Scan, Timer, blocks, columns,
    count_book_bytes, pe_book_bytes, unit_book_bytes,
};

#[cfg(feature = "journal")]
use bookahead::raw::journal_bytes;
#[cfg(feature = "placement")]
use bookahead::{
    Layout,
    raw::{ClassEntry, Column, Geometry},
};

#[cfg(feature = "placement")]
use crate::kind::with_placed_parts;
use crate::{
    BOOKAHEAD_ABI_VERSION, Binding, Code,
    arrays::Arrays,
    code::{Failure, answer},
    kind::{Parts, with_parts, with_plain_parts},
    pointer::Out,
};

/// A book; what it consists of is the library's business.
pub struct Book {
    _head: Head,
}

/// What the memory of a book has to be aligned to, in bytes.
pub const BOOKAHEAD_ALIGNMENT: usize = 8;

/// Machines up to this many PEs have columns of 32 PEs in a book with early binding, wider ones columns of 512.
pub const BOOKAHEAD_NARROW_PES: u32 = 128;

const _: () = assert!(align_of::<BookState>() <= BOOKAHEAD_ALIGNMENT);
const _: () = assert!(align_of::<Row>() <= BOOKAHEAD_ALIGNMENT);
// The header's formulas have these numbers in them.
const _: () = assert!(size_of::<Book>() == 24);
const _: () = assert!(size_of::<BookState>() == 72 && size_of::<Row>() == 64);
const _: () = assert!(size_of::<Timer>() == 8 && size_of::<Row<u32>>() == 72);

/// Columns of narrow machines.
pub(crate) type Narrow = u32;
/// Columns of wide machines.
pub(crate) type Wide = [u64; 8];

/// How many summaries of each block libraries for other processors keep.
const OTHER_SUMMARIES: usize = match NativeScan::SUMMARIES {
    PlainScan::SUMMARIES => BulkScan::SUMMARIES,
    _ => PlainScan::SUMMARIES,
};

/// The beginning of a book's memory.
#[derive(Clone, Copy)]
#[repr(C)]
struct Head {
    seal: u64,
    sizes: Sizes,
}

/// The most units of a book.
const MOST_UNITS: u32 = i32::MAX as u32;

/// The bits of `binding` that say which one it is.
const BINDING: u32 = 0xFF;
/// On a machine with a layout, `pes` has the columns of a set and, from bit 16 on, the classes; `binding`, from bit 16 on, how many groups one may list, and this
/// bit where columns are narrow.
#[cfg(feature = "placement")]
const NARROW: u32 = 1 << 8;
/// The bit of `binding` of a book that keeps a journal, which lies behind its arrays.
#[cfg(feature = "journal")]
const KEEPS: u32 = 1 << 9;

/// What decides where things lie. The arrays follow in the order in which [`Parts::of`] of a kind takes them: first
/// those with an element per slot, whose bytes are a multiple of 32, so that the ones that are searched begin at a multiple of 16
/// if the memory does, then by the size of their elements. So each is aligned and nothing is lost between them.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Sizes {
    blocks: u32,
    rows: u32,
    pes: u32,
    binding: u32,
}

/// The bindings of books on machines without a layout that this library knows.
const PLAIN: &[u32] = &[
    Binding::Late as u32,
    Binding::Early as u32,
    #[cfg(feature = "risk")]
    {
        Binding::Overlaid as u32
    },
    #[cfg(feature = "outages")]
    {
        Binding::LateRuled as u32
    },
    #[cfg(feature = "outages")]
    {
        Binding::EarlyRuled as u32
    },
    #[cfg(feature = "units")]
    {
        Binding::Units as u32
    },
];

/// Those of books on machines with one.
const ON_LAYOUTS: &[u32] = &[
    #[cfg(feature = "placement")]
    {
        Binding::Placed as u32
    },
    #[cfg(all(feature = "placement", feature = "outages"))]
    {
        Binding::PlacedRuled as u32
    },
];

impl Sizes {
    /// The sizes of a book for so much, and its bytes.
    fn checked(binding: u32, pes: u32, slots: u32, rows: u32) -> Result<(Self, usize), Failure> {
        if !PLAIN.contains(&binding) {
            return Err(Code::UnknownBinding.into());
        }
        let sizes = Self {
            blocks: blocks(slots) as u32,
            rows,
            pes,
            binding,
        };
        let most = match sizes.is_units() {
            true => MOST_UNITS,
            false => u16::MAX.into(),
        };
        if pes == 0 || pes > most || slots == 0 || rows == u32::MAX {
            return Err(Code::SizeOutOfRange.into());
        }
        let bytes = sizes.bytes().ok_or(Code::SizeOutOfRange)?;
        Ok((sizes, bytes))
    }

    /// The bytes of such a book, head included; `None` when that is more than a pointer can reach.
    fn bytes(self) -> Option<usize> {
        // The last slots of the last block count as much as the others.
        let slots = self.blocks.saturating_mul(64);
        let (pes, rows) = (self.pes as u16, self.rows as usize);
        #[cfg(feature = "placement")]
        if self.is_placed() {
            return self.placed_bytes(slots, rows);
        }
        let book = if self.is_units() {
            unit_book_bytes::<NativeScan>(slots, rows)
        } else if self.is_overlaid() {
            overlay_bytes(slots, pes, rows)
        } else if self.is_late() {
            count_book_bytes::<NativeScan>(slots, pes, rows)
        } else if self.is_narrow() {
            pe_book_bytes::<Narrow, NativeScan>(slots, pes, rows)
        } else {
            pe_book_bytes::<Wide, NativeScan>(slots, pes, rows)
        };
        let bytes = book
            .checked_add(size_of::<Head>())?
            .checked_add(self.rules_bytes())?;
        isize::try_from(bytes).is_ok().then_some(bytes)
    }

    /// The bytes that rules take, which lie before the arrays of a book of these sizes.
    const fn rules_bytes(self) -> usize {
        #[cfg(feature = "outages")]
        if self.without_rules().is_some() {
            return crate::ruled::bytes_of(self.bytes_of_set());
        }
        0
    }

    /// The bytes of this book with its journal, if it keeps one.
    pub(crate) fn all_bytes(self) -> Option<usize> {
        let bytes = self.bytes()?;
        #[cfg(feature = "journal")]
        if self.binding & KEEPS != 0 {
            let bytes = bytes.checked_add(journal_bytes(self.rows()))?;
            return isize::try_from(bytes).is_ok().then_some(bytes);
        }
        Some(bytes)
    }

    /// Whether it counts in 32 bits.
    #[inline(always)]
    pub(crate) const fn is_units(self) -> bool {
        #[cfg(feature = "units")]
        if self.binding() == Binding::Units as u32 {
            return true;
        }
        false
    }

    /// Whether it counts PEs; with rules, too.
    #[inline(always)]
    pub(crate) const fn is_late(self) -> bool {
        #[cfg(feature = "outages")]
        if self.binding() == Binding::LateRuled as u32 {
            return true;
        }
        self.binding() == Binding::Late as u32
    }

    /// The sizes of the same book without rules, if it has some.
    #[cfg(feature = "outages")]
    #[inline(always)]
    pub(crate) const fn without_rules(self) -> Option<Self> {
        const LATE: u32 = Binding::LateRuled as u32;
        const EARLY: u32 = Binding::EarlyRuled as u32;
        #[cfg(feature = "placement")]
        const PLACED: u32 = Binding::PlacedRuled as u32;
        let plain = match self.binding() {
            LATE => Binding::Late,
            EARLY => Binding::Early,
            #[cfg(feature = "placement")]
            PLACED => Binding::Placed,
            _ => return None,
        };
        Some(Self {
            binding: self.binding & !BINDING | plain as u32,
            ..self
        })
    }

    #[inline(always)]
    pub(crate) const fn is_overlaid(self) -> bool {
        #[cfg(feature = "risk")]
        if self.binding() == Binding::Overlaid as u32 {
            return true;
        }
        false
    }

    /// Whether it is on a machine with a layout; with rules, too.
    #[inline(always)]
    pub(crate) const fn is_placed(self) -> bool {
        #[cfg(all(feature = "outages", feature = "placement"))]
        if self.binding() == Binding::PlacedRuled as u32 {
            return true;
        }
        #[cfg(feature = "placement")]
        if self.binding() == Binding::Placed as u32 {
            return true;
        }
        false
    }

    /// Whether an early binding has columns of the narrow type.
    #[inline(always)]
    pub(crate) const fn is_narrow(self) -> bool {
        #[cfg(feature = "placement")]
        if self.is_placed() {
            return self.binding & NARROW != 0;
        }
        self.pes <= BOOKAHEAD_NARROW_PES
    }

    /// Whether its columns are of this one of the two types.
    #[inline(always)]
    pub(crate) const fn has_columns<C>(self) -> bool {
        self.is_narrow() == (size_of::<C>() == size_of::<Narrow>())
    }

    #[inline(always)]
    pub(crate) const fn binding(self) -> u32 {
        self.binding & BINDING
    }

    /// The columns of a set of PEs, of the type that the book has; none with late binding.
    #[inline(always)]
    pub(crate) const fn columns(self) -> usize {
        let pes = self.pes as u16;
        if self.is_placed() {
            return pes as usize;
        }
        if self.is_late() || self.is_overlaid() || self.is_units() {
            0
        } else if self.is_narrow() {
            columns::<Narrow>(pes)
        } else {
            columns::<Wide>(pes)
        }
    }

    /// Those of a book of no reservations; fails for no machine.
    pub(crate) fn of_machine(binding: u32, pes: u32) -> Result<Self, Failure> {
        Ok(Self::checked(binding, pes, 1, 0)?.0)
    }

    /// The bytes of a set of PEs.
    pub(crate) const fn bytes_of_set(self) -> usize {
        let column = if self.is_narrow() {
            size_of::<Narrow>()
        } else {
            size_of::<Wide>()
        };
        self.columns().saturating_mul(column)
    }

    /// A number that memory which is no book of these sizes, with so many summaries of each block, does not contain by accident: no bit of the
    /// sizes can change without it.
    #[inline(always)]
    const fn seal(self, summaries: usize) -> u64 {
        const VERSION: u64 = (BOOKAHEAD_ABI_VERSION as u64) << 32 | size_of::<Row>() as u64;
        const MAGIC: u64 = u64::from_le_bytes(*b"bookahea") ^ VERSION;
        let arrays = self.blocks as u64 | (self.rows as u64) << 32;
        let machine = self.pes as u64 | (self.binding as u64) << 32;
        // In several bits, so that none of them alone makes the one seal of the other.
        let kept = (summaries as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        MAGIC ^ kept ^ arrays.rotate_left(23) ^ machine
    }

    #[inline(always)]
    pub(crate) const fn blocks(self) -> usize {
        self.blocks as usize
    }

    #[inline(always)]
    pub(crate) const fn rows(self) -> usize {
        self.rows as usize
    }

    /// How many PEs have numbers.
    #[inline(always)]
    pub(crate) const fn numbers(self) -> usize {
        match self.is_units() {
            true => 0,
            false => self.pes as usize,
        }
    }

    /// Writes the head of a book of these sizes.
    ///
    /// # Safety
    ///
    /// `book` points to aligned memory for one.
    pub(crate) unsafe fn write_to(self, book: *mut Book) {
        let (seal, sizes) = (self.seal(NativeScan::SUMMARIES), self);
        // SAFETY: by this function's contract.
        unsafe { book.cast::<Head>().write(Head { seal, sizes }) };
    }
}

#[cfg(feature = "journal")]
impl Sizes {
    /// Of the same book when it keeps a journal.
    pub(crate) const fn keeping(self) -> Self {
        Self {
            binding: self.binding | KEEPS,
            ..self
        }
    }

    /// What lies behind the arrays of a book of these sizes, if that is a journal.
    ///
    /// # Safety
    ///
    /// `book` has that memory.
    #[inline(always)]
    pub(crate) unsafe fn behind_arrays<'a>(self, book: *mut Book) -> Option<Arrays<'a>> {
        if self.binding & KEEPS == 0 {
            return None;
        }
        let bytes = self.bytes()?;
        // SAFETY: within the memory by this function's contract.
        Some(Arrays::at(unsafe { book.cast::<u8>().add(bytes) }))
    }
}

#[cfg(feature = "placement")]
impl Sizes {
    /// The bytes of a book on a machine with a layout, head included: its own arrays, each padded to 8 bytes, and those of a book with early binding and so many
    /// columns.
    fn placed_bytes(self, slots: u32, rows: usize) -> Option<usize> {
        let (classes, order) = (self.classes(), self.order());
        let set = self.bytes_of_set().checked_next_multiple_of(8)?;
        let masks = self.bytes_of_set().checked_mul(classes)?;
        let orders = order.checked_mul(classes)?.checked_mul(2)?;
        let own = [
            size_of::<Head>(),
            self.rules_bytes(),
            size_of::<u64>(),
            size_of::<Geometry>(),
            set.checked_mul(2)?,
            classes.checked_mul(size_of::<ClassEntry>())?,
            masks.checked_next_multiple_of(8)?,
            orders.checked_next_multiple_of(8)?,
        ];
        let pes =
            |bits: usize| u16::try_from(self.columns().saturating_mul(bits)).unwrap_or(u16::MAX);
        let book = if self.is_narrow() {
            pe_book_bytes::<Narrow, NativeScan>(slots, pes(Narrow::BITS as usize), rows)
        } else {
            pe_book_bytes::<Wide, NativeScan>(slots, pes(<Wide as Column>::BITS), rows)
        };
        let bytes = own.into_iter().try_fold(book, usize::checked_add)?;
        isize::try_from(bytes).is_ok().then_some(bytes)
    }

    /// Where such a book has the number of the class that is asked for: at the beginning of its first array, which lies behind the rules.
    ///
    /// # Safety
    ///
    /// `book` is one of these sizes, on a machine with a layout.
    #[inline(always)]
    pub(crate) const unsafe fn asked_in(self, book: *mut Book) -> *mut u32 {
        // SAFETY: within the memory by this function's contract.
        unsafe { book.add(1).cast::<u8>().add(self.rules_bytes()).cast() }
    }

    #[inline(always)]
    pub(crate) const fn classes(self) -> usize {
        (self.pes >> 16) as usize
    }

    #[inline(always)]
    pub(crate) const fn order(self) -> usize {
        (self.binding >> 16) as usize
    }
}

/// The sizes of a book on a machine with a layout, and its bytes.
#[cfg(feature = "placement")]
pub(crate) fn placed_sizes(
    binding: u32,
    layout: &Layout<'_>,
    slots: u32,
    rows: u32,
    classes: u32,
    order: u32,
) -> Result<(Sizes, usize), Failure> {
    const MOST_CLASSES: u32 = (1 << 15) - 1;
    layout.check().map_err(|_| Code::BadLayout)?;
    if !ON_LAYOUTS.contains(&binding) {
        return Err(Code::UnknownBinding.into());
    }
    let order = u16::try_from(order).map_err(|_| Code::SizeOutOfRange)?;
    if slots == 0 || rows == u32::MAX || classes > MOST_CLASSES {
        return Err(Code::SizeOutOfRange.into());
    }
    let most = layout.kinds.iter().copied().fold(0, u8::max);
    let narrow = layout.columns::<Narrow>();
    let is_narrow = u32::from(most) <= Narrow::BITS
        && narrow.saturating_mul(Narrow::BITS as usize) <= BOOKAHEAD_NARROW_PES as usize;
    let (columns, narrow) = if is_narrow {
        (narrow, NARROW)
    } else {
        (layout.columns::<Wide>(), 0)
    };
    let sizes = Sizes {
        blocks: blocks(slots) as u32,
        rows,
        pes: columns as u32 | classes << 16,
        binding: binding | narrow | u32::from(order) << 16,
    };
    let bytes = sizes.bytes().ok_or(Code::SizeOutOfRange)?;
    Ok((sizes, bytes))
}

/// Makes an empty book of these sizes.
///
/// # Safety
///
/// There are so many bytes at `place`, which is aligned, to be written to.
#[cfg(feature = "placement")]
pub(crate) unsafe fn make_placed(
    place: *mut Book,
    sizes: Sizes,
    bytes: usize,
    layout: &Layout<'_>,
    slots: u32,
) -> Result<(), Failure> {
    let horizon = bookahead::Span::new(slots);
    // SAFETY: as in `bookahead_init`: zeroed, every array is valid. `init` refuses a layout that does not add up and sizes that do not fit it, which
    // `placed_sizes` has refused.
    unsafe {
        place.cast::<u8>().write_bytes(0, bytes);
        let arrays = Arrays::behind(place);
        if !with_placed_parts!(sizes, arrays, |parts| parts.init(layout, horizon).is_ok()) {
            return Err(Code::SizeOutOfRange.into());
        }
        sizes.write_to(place);
    }
    Ok(())
}

/// What `memory` begins with, if that is the head of a book.
///
/// # Safety
///
/// `memory` is null, misaligned, or has a head to read.
#[inline(always)]
unsafe fn head(memory: *mut Book) -> Result<Head, Failure> {
    if memory.is_null() {
        return Err(Code::NullPointer.into());
    }
    if !memory.is_aligned() {
        return Err(Code::Misaligned.into());
    }
    // SAFETY: readable by this function's contract, and any bits are a head.
    let head = unsafe { memory.cast::<Head>().read() };
    // A library with more may have made it: where the arrays of such a book lie, this one does not know.
    let binding = head.sizes.binding();
    if !PLAIN.contains(&binding) && !ON_LAYOUTS.contains(&binding) {
        return Err(Code::NotABook.into());
    }
    if head.seal != head.sizes.seal(NativeScan::SUMMARIES) {
        let other = head.sizes.seal(OTHER_SUMMARIES);
        let code = if head.seal == other {
            Code::OtherProcessor
        } else {
            Code::NotABook
        };
        return Err(code.into());
    }
    Ok(head)
}

/// What decides where the arrays of the book at `book` lie.
///
/// # Safety
///
/// `book` is null, misaligned, or points to memory that [`bookahead_init`] has made a book, or that is none in its first 24 bytes.
#[inline(always)]
pub(crate) unsafe fn sizes(book: *mut Book) -> Result<Sizes, Failure> {
    // SAFETY: passed on.
    Ok(unsafe { head(book) }?.sizes)
}

/// The bytes of a book with overlays: its own arrays, each padded to 8 bytes, and those of a book with late binding.
fn overlay_bytes(slots: u32, pes: u16, rows: usize) -> usize {
    let of_row = rows.saturating_mul(2).checked_next_multiple_of(8);
    let layers = (slots as usize).saturating_mul(4).saturating_add(8);
    count_book_bytes::<NativeScan>(slots, pes, rows)
        .saturating_add(layers)
        .saturating_add(of_row.unwrap_or(usize::MAX))
}

/// The bytes of a book: a multiple of 8, or 0 when there is no book of that size. The macros `BOOKAHEAD_LATE_BYTES`,
/// `BOOKAHEAD_EARLY_BYTES` and `BOOKAHEAD_UNIT_BYTES` say the same at compile time. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_bytes(binding: u32, pes: u32, slots: u32, rows: u32) -> usize {
    match Sizes::checked(binding, pes, slots, rows) {
        Ok((_, bytes)) => bytes,
        Err(_) => 0,
    }
}

/// What the memory of a book has to be aligned to, in bytes: `BOOKAHEAD_ALIGNMENT`. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_alignment() -> usize {
    BOOKAHEAD_ALIGNMENT
}

/// Makes an empty book at slot 0 in `memory`, whatever was there, for `pes` PEs, a ring of `slots` slots and up to `rows` reservations, and gives
/// its pointer. `length` is that of the memory in bytes, at least `bookahead_bytes`; what it has beyond is left alone. A book on a machine with a
/// layout is made by `bookahead_layout_init`. O(memory).
///
/// Answers UNKNOWN_BINDING, also for `BOOKAHEAD_BINDING_PLACED`; SIZE_OUT_OF_RANGE, NULL_POINTER, MISALIGNED or TOO_SHORT, and has changed nothing then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_init(
    memory: *mut c_void,
    length: usize,
    binding: u32,
    pes: u32,
    slots: u32,
    rows: u32,
    book: *mut *mut Book,
) -> u32 {
    answer(|| {
        let (sizes, bytes) = Sizes::checked(binding, pes, slots, rows)?;
        let (place, result) = (memory.cast::<Book>(), Out::new(book)?);
        Out::new(place)?;
        if length < bytes {
            return Err(Code::TooShort.into());
        }
        // SAFETY: the caller lends `length` bytes, and that is enough. Zeroed first, they are valid as every array.
        //
        // From here on nothing can be refused, so memory that is written to becomes a book. `format` says no to a machine without PEs, a ring
        // without slots, `u32::MAX` rows, and arrays of other lengths than these make: the first three `checked` has refused, and the
        // arrays have been cut by the same sizes.
        unsafe {
            place.cast::<u8>().write_bytes(0, bytes);
            let arrays = Arrays::behind(place);
            if !with_plain_parts!(sizes, arrays, |parts| parts
                .init(
                    bookahead::PeCount::new(sizes.pes),
                    bookahead::Span::new(slots)
                )
                .is_ok())
            {
                return Err(Code::SizeOutOfRange.into());
            }
            sizes.write_to(place);
            result.set(place);
        }
        Ok(())
    })
}

/// Gives the pointer of the book that is in `memory`, such as a copy of all of a book's bytes made elsewhere. O(1).
///
/// Only the first bytes and the sizes are looked at. Whether the rest is sound, such as after a crash, says `bookahead_check_invariants`; calls
/// on a damaged book answer nonsense, but touch no memory beyond it.
///
/// A book is good for every library of the `BOOKAHEAD_ABI_VERSION` that made it, whichever compiler that was built by, on machines of the same
/// byte order; but libraries for processors of 64 bits keep more in a book than others do.
///
/// Answers NULL_POINTER, MISALIGNED, TOO_SHORT, NOT_A_BOOK or OTHER_PROCESSOR.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_open(
    memory: *mut c_void,
    length: usize,
    book: *mut *mut Book,
) -> u32 {
    answer(|| {
        let (place, result) = (memory.cast::<Book>(), Out::new(book)?);
        Out::new(place)?;
        if length < size_of::<Head>() {
            return Err(Code::TooShort.into());
        }
        // SAFETY: there are at least the bytes of a head.
        unsafe {
            whole(place, length)?;
            result.set(place);
        }
        Ok(())
    })
}

/// The bytes of the book at `place`, if there is one and it has no more.
///
/// # Safety
///
/// `place` is null, misaligned, or there are `length` bytes, at least those of a head.
pub(crate) unsafe fn whole(place: *mut Book, length: usize) -> Result<usize, Failure> {
    // SAFETY: before anything behind the head is read, there are the bytes of the book.
    unsafe {
        let sizes = head(place)?.sizes;
        let bytes = sizes.all_bytes().ok_or(Code::NotABook)?;
        if length < bytes {
            return Err(Code::TooShort.into());
        }
        let arrays = Arrays::behind(place);
        match with_parts!(sizes, arrays, |parts| parts.open().is_some()) {
            true => Ok(bytes),
            false => Err(Code::NotABook.into()),
        }
    }
}

/// Where in the memory of a book, in bytes, lies what means nothing between calls: for tests, which compare the rest.
///
/// # Safety
///
/// `book` comes from [`bookahead_init`] or [`bookahead_open`].
#[must_use]
pub unsafe fn scratch(book: *mut Book) -> [core::ops::Range<usize>; 5] {
    // SAFETY: passed on; the arrays are those that the head says, and nobody looks into them.
    unsafe {
        let Ok(sizes) = sizes(book) else {
            return [const { 0..0 }; 5];
        };
        // A refused call may have noted what it has put back.
        let own = sizes.bytes().unwrap_or(0);
        let journal = own..sizes.all_bytes().unwrap_or(own);
        let arrays = Arrays::behind(book);
        let [suffixes, prefix, joined, candidate] =
            with_parts!(sizes, arrays, |parts| parts.scratch(book));
        [suffixes, prefix, joined, candidate, journal]
    }
}
