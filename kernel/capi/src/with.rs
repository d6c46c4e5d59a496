//! Opens the book behind a pointer of C's, whichever kind it is, and does with it what is said.

use bookahead::{Need, PeCount};

#[cfg(feature = "placement")]
use crate::memory;
use crate::{Book, code::Failure, memory::Sizes};

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
        // SAFETY: passed on, and nobody holds a reference to it.
        return Asked::from_number(unsafe { *_sizes.asked_in(_book) });
    }
    Asked::default()
}

/// So many PEs of the class that a book is asked for.
///
/// # Safety
///
/// By the contract of the crate.
pub(crate) unsafe fn needed(_book: *mut Book, pes: PeCount) -> Result<Need, Failure> {
    #[cfg(feature = "placement")]
    {
        // SAFETY: passed on; the sizes are the book's own.
        let class = unsafe { asked_of(_book, memory::sizes(_book)?) };
        Ok(Need::of_class(class, pes))
    }
    #[cfg(not(feature = "placement"))]
    Ok(Need::new(pes))
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
        crate::kind::with_parts!(sizes, arrays, |parts| {
            #[allow(unused_mut)]
            let mut $book = crate::kind::Parts::book(parts)?;
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
        crate::kind::with_placed_parts!(sizes, arrays, |parts| {
            #[allow(unused_mut)]
            let mut $book = crate::kind::Parts::book(parts)?;
            crate::with::lend!($book, pointer, sizes);
            $action
        })
    }};
}
#[cfg(feature = "placement")]
pub(crate) use with_placed;

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
        crate::kind::with_parts!(sizes, arrays, |parts| {
            let planned = crate::queue_memory::schedule_like(line, &parts)?;
            #[allow(unused_mut)]
            let mut $book = crate::kind::Parts::book(parts)?;
            crate::with::lend!($book, pointer, sizes);
            match planned {
                None => $action,
                Some((schedule, second)) => {
                    #[allow(unused_mut)]
                    let mut $queue =
                        $queue.planned(schedule.over(crate::kind::Parts::book(second)?));
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
        crate::kind::with_parts!(sizes, arrays, |parts| {
            #[allow(unused_mut)]
            let mut $book = crate::kind::Parts::book(parts)?;
            crate::with::lend!($book, pointer, sizes);
            $action
        })
    }};
}
pub(crate) use with_book;
