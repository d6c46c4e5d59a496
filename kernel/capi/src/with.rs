//! Opens the book behind a pointer of C's, whichever kind it is, and does with it what is said.

use bookahead::{Book as KernelBook, raw::Ring};

use crate::{Book, code::Failure, memory::Sizes};

/// What opening the parts of a book comes to.
pub(crate) trait Opened {
    type Book;

    /// The book; NOT_A_BOOK where it is none.
    fn book(self) -> Result<Self::Book, Failure>;
}

impl<R: Ring> Opened for KernelBook<'_, R> {
    type Book = Self;

    #[inline(always)]
    fn book(self) -> Result<Self, Failure> {
        Ok(self)
    }
}

/// A book with rules is none where their memory is for sets of another size, which the sizes under the seal exclude.
#[cfg(feature = "outages")]
impl<'a, R: Ring> Opened for Option<KernelBook<'a, R>> {
    type Book = KernelBook<'a, R>;

    #[inline(always)]
    fn book(self) -> Result<KernelBook<'a, R>, Failure> {
        self.ok_or(crate::Code::NotABook.into())
    }
}

/// Does what is said with the parts of a book with overlays, if it is one, and otherwise what comes then.
#[cfg(feature = "risk")]
macro_rules! if_overlaid {
    ($sizes:expr, $arrays:expr, |$parts:ident| $action:expr, $otherwise:expr) => {
        if $sizes.is_overlaid() {
            let $parts = $sizes.overlay_parts($arrays);
            $action
        } else {
            $otherwise
        }
    };
}
#[cfg(not(feature = "risk"))]
macro_rules! if_overlaid {
    ($sizes:expr, $arrays:expr, |$parts:ident| $action:expr, $otherwise:expr) => {
        $otherwise
    };
}
pub(crate) use if_overlaid;

/// Does what is said with the parts of a book with rules, if it is one, and otherwise what comes then.
#[cfg(feature = "outages")]
macro_rules! if_ruled {
    ($sizes:expr, $arrays:expr, |$parts:ident| $action:expr, $otherwise:expr) => {
        if !$sizes.is_ruled() {
            $otherwise
        } else if $sizes.is_late() {
            let $parts = $sizes.ruled_count_parts($arrays);
            $action
        } else if $sizes.is_narrow() {
            let $parts = $sizes.ruled_pe_parts::<crate::memory::Narrow>($arrays);
            $action
        } else {
            let $parts = $sizes.ruled_pe_parts::<crate::memory::Wide>($arrays);
            $action
        }
    };
}
#[cfg(not(feature = "outages"))]
macro_rules! if_ruled {
    ($sizes:expr, $arrays:expr, |$parts:ident| $action:expr, $otherwise:expr) => {
        $otherwise
    };
}
pub(crate) use if_ruled;

/// Does what is said with the parts of a book on a machine with a layout, if it is one, and otherwise what comes then.
#[cfg(feature = "placement")]
macro_rules! if_placed {
    ($sizes:expr, $arrays:expr, |$parts:ident| $action:expr, $otherwise:expr) => {
        if !$sizes.is_placed() {
            $otherwise
        } else if $sizes.is_narrow() {
            let $parts = $sizes.placed_parts::<crate::memory::Narrow>($arrays);
            $action
        } else {
            let $parts = $sizes.placed_parts::<crate::memory::Wide>($arrays);
            $action
        }
    };
}
#[cfg(not(feature = "placement"))]
macro_rules! if_placed {
    ($sizes:expr, $arrays:expr, |$parts:ident| $action:expr, $otherwise:expr) => {
        $otherwise
    };
}
pub(crate) use if_placed;

/// For which class calls ask: for none where there are none.
#[cfg(feature = "placement")]
pub(crate) type Asked = bookahead::ClassId;
#[cfg(not(feature = "placement"))]
pub(crate) type Asked = ();

/// What is asked for, of the class that is asked for.
#[cfg(feature = "placement")]
macro_rules! asked {
    ($class:expr, $what:expr) => {
        ($class, $what)
    };
}
#[cfg(not(feature = "placement"))]
macro_rules! asked {
    ($class:expr, $what:expr) => {{
        let () = $class;
        $what
    }};
}
pub(crate) use asked;

/// The class that is asked for.
///
/// # Safety
///
/// `book` is one of these sizes.
#[inline(always)]
pub(crate) unsafe fn asked_of(_book: *mut Book, _sizes: Sizes) -> Asked {
    #[cfg(feature = "placement")]
    if _sizes.is_placed() {
        // SAFETY: the first array of such a book, of which nobody holds a reference.
        let [number, _] = unsafe { *crate::arrays::Arrays::behind(_book).one::<[u32; 2]>() };
        return Asked::from_number(number);
    }
    Asked::default()
}

/// Lends a view of a book its journal. Whether that is the right one, the next record says.
#[cfg(feature = "journal")]
macro_rules! lend {
    ($book:ident, $pointer:ident, $sizes:ident) => {
        let _ = crate::journal::lend(&mut $book, $pointer, $sizes);
    };
}
#[cfg(not(feature = "journal"))]
macro_rules! lend {
    ($book:ident, $pointer:ident, $sizes:ident) => {};
}
pub(crate) use lend;

/// As [`with_book`], with what became of lending the book its journal.
#[cfg(feature = "journal")]
macro_rules! with_kept {
    ($pointer:expr, |$book:ident, $lent:ident| $action:expr) => {{
        let pointer = $pointer;
        let sizes = crate::memory::sizes(pointer)?;
        let arrays = crate::arrays::Arrays::behind(pointer);
        crate::with::with_parts!(sizes, arrays, |parts| {
            #[allow(unused_mut)]
            let mut $book = crate::with::Opened::book(parts.view())?;
            let $lent = crate::journal::lend(&mut $book, pointer, sizes);
            $action
        })
    }};
}
#[cfg(feature = "journal")]
pub(crate) use with_kept;

/// As [`with_book`], for a book on a machine with a layout.
#[cfg(feature = "placement")]
macro_rules! with_placed {
    ($pointer:expr, |$book:ident, $asked:ident| $action:expr) => {{
        let pointer = $pointer;
        let sizes = crate::memory::sizes(pointer)?;
        let $asked = crate::with::asked_of(pointer, sizes);
        let arrays = crate::arrays::Arrays::behind(pointer);
        crate::with::if_placed!(
            sizes,
            arrays,
            |parts| {
                #[allow(unused_mut)]
                let mut $book = parts.view();
                crate::with::lend!($book, pointer, sizes);
                $action
            },
            return Err(Code::NoLayout.into())
        )
    }};
}
#[cfg(feature = "placement")]
pub(crate) use with_placed;

/// Does what is said with the parts of a book, whichever kind it is. Not a function: each kind has another type, and where the
/// action needs few of the parts, the compiler does not put the others together.
macro_rules! with_parts {
    ($sizes:expr, $arrays:expr, |$parts:ident| $action:expr) => {
        crate::with::if_placed!(
            $sizes,
            $arrays,
            |$parts| $action,
            crate::with::with_plain_parts!($sizes, $arrays, |$parts| $action)
        )
    };
}
pub(crate) use with_parts;

/// As [`with_parts`], for a book that is not on a machine with a layout.
macro_rules! with_plain_parts {
    ($sizes:expr, $arrays:expr, |$parts:ident| $action:expr) => {
        crate::with::if_ruled!(
            $sizes,
            $arrays,
            |$parts| $action,
            if $sizes.is_late() {
                let $parts = $sizes.count_parts($arrays);
                $action
            } else {
                crate::with::if_overlaid!(
                    $sizes,
                    $arrays,
                    |$parts| $action,
                    if $sizes.is_narrow() {
                        let $parts = $sizes.pe_parts::<crate::memory::Narrow>($arrays);
                        $action
                    } else {
                        let $parts = $sizes.pe_parts::<crate::memory::Wide>($arrays);
                        $action
                    }
                )
            }
        )
    };
}
pub(crate) use with_plain_parts;

/// As [`with_book`], with the queue beside the book, and where it has a schedule, with that.
#[cfg(feature = "plan")]
macro_rules! with_queue {
    ($line:expr, $pointer:expr, |$queue:ident, $book:ident| $action:expr) => {
        crate::with::with_queue!($line, $pointer, |$queue, $book, _asked| $action)
    };
    ($line:expr, $pointer:expr, |$queue:ident, $book:ident, $asked:ident| $action:expr) => {{
        let (line, pointer) = ($line, $pointer);
        #[allow(unused_mut)]
        let mut $queue = crate::queue_memory::open(line)?;
        let sizes = crate::memory::sizes(pointer)?;
        let $asked = crate::with::asked_of(pointer, sizes);
        let arrays = crate::arrays::Arrays::behind(pointer);
        crate::with::with_parts!(sizes, arrays, |parts| {
            let planned = crate::queue_memory::schedule_like(line, &parts)?;
            #[allow(unused_mut)]
            let mut $book = crate::with::Opened::book(parts.view())?;
            crate::with::lend!($book, pointer, sizes);
            match planned {
                None => $action,
                Some((schedule, second)) => {
                    #[allow(unused_mut)]
                    let mut $queue =
                        $queue.planned(schedule.over(crate::with::Opened::book(second.view())?));
                    $action
                }
            }
        })
    }};
}
/// As [`with_book`], with the queue beside the book.
#[cfg(not(feature = "plan"))]
macro_rules! with_queue {
    ($line:expr, $pointer:expr, |$queue:ident, $book:ident| $action:expr) => {
        crate::with::with_queue!($line, $pointer, |$queue, $book, _asked| $action)
    };
    ($line:expr, $pointer:expr, |$queue:ident, $book:ident, $asked:ident| $action:expr) => {{
        #[allow(unused_mut)]
        let mut $queue = crate::queue_memory::open($line)?;
        crate::with::with_book!($pointer, |$book, $asked| $action)
    }};
}
pub(crate) use with_queue;

/// Opens the book behind a pointer of C's, and does with it what is said. The arrays are those that `bookahead_init` has formatted, since
/// the sizes are under their seal.
macro_rules! with_book {
    ($pointer:expr, |$book:ident| $action:expr) => {
        crate::with::with_book!($pointer, |$book, _asked| $action)
    };
    ($pointer:expr, |$book:ident, $asked:ident| $action:expr) => {{
        let pointer = $pointer;
        let sizes = crate::memory::sizes(pointer)?;
        let $asked = crate::with::asked_of(pointer, sizes);
        let arrays = crate::arrays::Arrays::behind(pointer);
        crate::with::with_parts!(sizes, arrays, |parts| {
            #[allow(unused_mut)]
            let mut $book = crate::with::Opened::book(parts.view())?;
            crate::with::lend!($book, pointer, sizes);
            $action
        })
    }};
}
pub(crate) use with_book;
