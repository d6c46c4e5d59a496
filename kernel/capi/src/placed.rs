//! Machines with a layout: such PEs, by class, and exactly these. Only in libraries built with `--features placement`.

use core::{
    ffi::{CStr, c_char, c_void},
    ops::Range,
};

use bookahead as kernel;
use heapless::Vec;
use kernel::{ClassId, Fewer as KernelFewer, Layout as KernelLayout, Slot, Window};

use crate::{
    Book, Code, Commitment, Conflict, Handle, Juggled, Move, Request, Workspace,
    code::{Failure, answer, c_text},
    juggle::{end, ends_in_commit},
    memory::{make_placed, placed_sizes, sizes},
    pointer::{List, Out, elements, read},
    with::{with_book, with_placed},
    workspace::{Lent, workspace_bytes_of},
};

/// The most entries of a layout's list of what is missing, and of a class's list of groups; what is more scattered is said by a mask.
pub const BOOKAHEAD_MOST_RANGES: usize = 64;

/// Consecutive groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Groups {
    /// The first.
    pub from: u16,
    /// The one behind the last.
    pub to: u16,
}

/// Groups that have fewer PEs of a kind than others: the lowest ones exist. Where several say so of a group, the fewest count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Fewer {
    /// The groups.
    pub groups: Groups,
    /// The kind, counted from 0.
    pub kind: u8,
    /// How many they have.
    pub pes: u8,
}

/// The layout of a machine: equal groups (nodes) of up to 8 kinds of PEs (cores, GPUs), some of which may be missing, and up to 4 levels of blocks
/// (racks, switches) that consist of neighbouring groups. PEs are numbered kind after kind, group after group, whether they are missing or not.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Layout {
    /// PEs of each kind in a group, at most 64, and 32 in libraries for processors of 32 bits.
    pub kinds: *const u8,
    /// How many kinds.
    pub kind_count: usize,
    /// Which groups have fewer; may be null when none has.
    pub missing: *const Fewer,
    /// How many entries that has, at most `BOOKAHEAD_MOST_RANGES`.
    pub missing_count: usize,
    /// How many groups a block of each level has, from the smallest; a level's last block may have fewer. May be null when there are no levels.
    pub levels: *const u16,
    /// How many levels.
    pub level_count: usize,
    /// How many groups, at most 65,535.
    pub groups: u32,
}

/// Which PEs a class may have. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Eligible {
    /// All.
    All = 0,
    /// Those of some `groups`, and of some `kinds`.
    Groups = 1,
    /// Those of a mask: `pes`.
    Pes = 2,
}

/// How a class spreads PEs over groups. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Shape {
    /// Anyhow: by their number.
    Number = 0,
    /// So many of each kind on each of some groups: `per_group`. A request's PEs say on how many.
    PerGroup = 1,
    /// All PEs of each of some groups, which must have the same.
    WholeGroups = 2,
}

/// Whether one block has to hold all. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Within {
    /// No.
    Anywhere = 0,
    /// One of `level` has to.
    Required = 1,
    /// One of `level` holds all where one can.
    Preferred = 2,
}

/// Which of those that are free a class gets; a start never depends on it. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Preference {
    /// Those of the lowest numbers, or the lowest groups.
    Lowest = 0,
    /// Those of the groups with the fewest that are free.
    Pack = 1,
    /// Those of the groups with the most; of a number, one of each in turn.
    Spread = 2,
    /// Those of the groups of a list first: `order`.
    Order = 3,
    /// Those of few blocks of `compact`.
    Compact = 4,
}

/// What a reservation asks of its PEs. All zeros is any PEs, by their number. What the numbers do not mention is not looked at.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Class {
    /// For GROUPS: which, `group_count` of them, at most `BOOKAHEAD_MOST_RANGES`.
    pub groups: *const Groups,
    /// How many entries that has.
    pub group_count: usize,
    /// For PES: a bit for each number of a PE, from the lowest of each word.
    pub pes: *const u32,
    /// How many words that has: groups times PEs of a group, rounded up.
    pub word_count: usize,
    /// For PER_GROUP: how many of each kind.
    pub per_group: *const u8,
    /// For how many kinds that says it.
    pub kind_count: usize,
    /// For ORDER: groups, each once.
    pub order: *const u16,
    /// How many.
    pub order_count: usize,
    /// One of `bookahead_eligible`.
    pub eligible: u32,
    /// For GROUPS: a bit for each kind.
    pub kinds: u32,
    /// One of `bookahead_shape`.
    pub shape: u32,
    /// One of `bookahead_within`.
    pub within: u32,
    /// For REQUIRED and PREFERRED: a level, from 0.
    pub level: u32,
    /// One of `bookahead_preference`.
    pub preference: u32,
    /// For COMPACT: a level, from 0.
    pub compact: u32,
}

/// Which question of a class fails at a start. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum FailingKind {
    /// None: the request fits.
    Nothing = 0,
    /// Too few PEs that the class may have are free.
    Number = 1,
    /// Enough are free, in too few groups.
    Groups = 2,
    /// Enough are free, in enough groups, but not in one block.
    Block = 3,
}

/// What a class lacks at a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Failing {
    /// One of `bookahead_failing_kind`.
    pub kind: u32,
    /// How many PEs, or groups, more would do; in the block that has most.
    pub lacking: u32,
}

/// Which fault a layout has; see `bookahead_layout_check`. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[non_exhaustive]
pub enum LayoutFault {
    /// A machine without groups.
    NoGroups = 1,
    /// Groups without a kind of PEs.
    NoKinds = 2,
    /// More than 8 kinds.
    TooManyKinds = 3,
    /// A kind of which a group has none, or more than a word has bits.
    BadKind = 4,
    /// More than 4 levels.
    TooManyLevels = 5,
    /// A level whose blocks are not larger than those of the level before, or than one group.
    BadLevel = 6,
    /// PEs are missing in groups that the machine does not have, or in no group.
    UnknownGroups = 7,
    /// PEs are missing of a kind that the machine does not have.
    UnknownKind = 8,
    /// A group that lacks PEs would have as many as the others, or more.
    NothingMissing = 9,
    /// Each kind of a group padded to a power of two, the machine is wider than 65,535 PEs.
    LayoutTooWide = 10,
    /// All PEs are missing.
    NoPes = 11,
}

/// Which fault a class has; see `bookahead_class_add`. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[non_exhaustive]
pub enum ClassFault {
    /// Every entry of the table is taken.
    ClassesFull = 1,
    /// Groups that the machine does not have, or a range of no groups.
    UnknownGroups = 2,
    /// A kind that the machine does not have.
    UnknownKind = 3,
    /// A level that the machine does not have.
    UnknownLevel = 4,
    /// The mask has not a bit for each number of a PE, rounded up to whole words.
    MaskSize = 5,
    /// No PE is eligible.
    NothingEligible = 6,
    /// Nothing is asked of a group, or more than any eligible group has.
    BadShape = 7,
    /// Whole groups are asked for, and the eligible ones differ, or are eligible in part.
    UnevenGroups = 8,
    /// More groups are listed than there is memory for.
    OrderTooLong = 9,
    /// A group is listed twice, or does not exist.
    BadOrder = 10,
}

/// Holds numbers to the kernel's, all of them, and names them as it does.
macro_rules! same_numbers {
    ($($ours:ident = $kernel:ident { $($fault:ident),* })*) => {$(
        impl $ours {
            const fn name(number: u32) -> &'static CStr {
                match number {
                    $(number if number == Self::$fault as u32 => c_text!(kernel::$kernel::$fault.name()),)*
                    _ => c"unknown",
                }
            }
        }

        const _: () = {
            $(assert!($ours::$fault as u32 == kernel::$kernel::$fault.code() as u32);)*
            assert!([$($ours::$fault),*].len() == kernel::$kernel::ALL.len());
        };
    )*};
}

same_numbers! {
    LayoutFault = LayoutError {
        NoGroups, NoKinds, TooManyKinds, BadKind, TooManyLevels, BadLevel, UnknownGroups, UnknownKind, NothingMissing, LayoutTooWide, NoPes
    }
    ClassFault = ClassError {
        ClassesFull, UnknownGroups, UnknownKind, UnknownLevel, MaskSize, NothingEligible, BadShape, UnevenGroups, OrderTooLong, BadOrder
    }
}

impl From<Groups> for Range<u16> {
    fn from(groups: Groups) -> Self {
        groups.from..groups.to
    }
}

impl Layout {
    /// Does something with the layout as the kernel has it.
    ///
    /// # Safety
    ///
    /// By the contract of the crate.
    unsafe fn with<T>(
        layout: *const Self,
        action: impl FnOnce(&KernelLayout<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        // SAFETY: by this function's contract.
        unsafe {
            let layout = read(layout)?;
            let mut missing = Vec::<KernelFewer, BOOKAHEAD_MOST_RANGES>::new();
            for fewer in elements(layout.missing, layout.missing_count)? {
                let fewer = KernelFewer {
                    groups: fewer.groups.into(),
                    kind: fewer.kind.into(),
                    pes: fewer.pes,
                };
                missing.push(fewer).map_err(|_| Code::TooManyParts)?;
            }
            let groups = u16::try_from(layout.groups).map_err(|_| Code::SizeOutOfRange)?;
            action(&KernelLayout {
                groups,
                kinds: elements(layout.kinds, layout.kind_count)?,
                missing: &missing,
                levels: elements(layout.levels, layout.level_count)?,
            })
        }
    }
}

impl Class {
    /// The class as the kernel has it; `ranges` is memory for its groups.
    ///
    /// # Safety
    ///
    /// By the contract of the crate.
    unsafe fn to_kernel<'c>(
        self,
        ranges: &'c mut Vec<Range<u16>, BOOKAHEAD_MOST_RANGES>,
    ) -> Result<kernel::Class<'c>, Failure> {
        const GROUPS: u32 = Eligible::Groups as u32;
        const PES: u32 = Eligible::Pes as u32;
        const PER_GROUP: u32 = Shape::PerGroup as u32;
        const WHOLE_GROUPS: u32 = Shape::WholeGroups as u32;
        const REQUIRED: u32 = Within::Required as u32;
        const PREFERRED: u32 = Within::Preferred as u32;
        const PACK: u32 = Preference::Pack as u32;
        const SPREAD: u32 = Preference::Spread as u32;
        const ORDER: u32 = Preference::Order as u32;
        const COMPACT: u32 = Preference::Compact as u32;
        let unknown = Failure::from(Code::UnknownRule);
        // No machine has such a level, nor such a kind.
        let level = |level: u32| u8::try_from(level).unwrap_or(u8::MAX);
        let kinds = u8::try_from(self.kinds).unwrap_or(u8::MAX);
        // SAFETY: by this function's contract.
        unsafe {
            Ok(kernel::Class {
                eligible: match self.eligible {
                    0 => kernel::Eligible::All,
                    GROUPS => {
                        for groups in elements(self.groups, self.group_count)? {
                            let pushed = ranges.push((*groups).into());
                            pushed.map_err(|_| Code::TooManyParts)?;
                        }
                        kernel::Eligible::Groups {
                            groups: ranges,
                            kinds,
                        }
                    }
                    PES => kernel::Eligible::Pes(elements(self.pes, self.word_count)?),
                    _ => return Err(unknown),
                },
                shape: match self.shape {
                    0 => kernel::Shape::Number,
                    PER_GROUP => {
                        kernel::Shape::PerGroup(elements(self.per_group, self.kind_count)?)
                    }
                    WHOLE_GROUPS => kernel::Shape::WholeGroups,
                    _ => return Err(unknown),
                },
                within: match self.within {
                    0 => kernel::Within::Anywhere,
                    REQUIRED => kernel::Within::Required(level(self.level)),
                    PREFERRED => kernel::Within::Preferred(level(self.level)),
                    _ => return Err(unknown),
                },
                preference: match self.preference {
                    0 => kernel::Preference::Lowest,
                    PACK => kernel::Preference::Pack,
                    SPREAD => kernel::Preference::Spread,
                    ORDER => kernel::Preference::Order(elements(self.order, self.order_count)?),
                    COMPACT => kernel::Preference::Compact(level(self.compact)),
                    _ => return Err(unknown),
                },
            })
        }
    }
}

impl From<Option<kernel::Failing>> for Failing {
    fn from(failing: Option<kernel::Failing>) -> Self {
        let (kind, lacking) = match failing {
            None => (FailingKind::Nothing, 0),
            Some(kernel::Failing::Number { lacking }) => (FailingKind::Number, lacking.get()),
            Some(kernel::Failing::Groups { lacking }) => (FailingKind::Groups, lacking),
            Some(kernel::Failing::Block { lacking }) => (FailingKind::Block, lacking),
        };
        Self {
            kind: kind as u32,
            lacking,
        }
    }
}

/// The name of a number of `bookahead_layout_fault`, such as "bad-level", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_layout_fault_name(fault: u32) -> *const c_char {
    LayoutFault::name(fault).as_ptr()
}

/// The name of a number of `bookahead_class_fault`, such as "bad-shape", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_class_fault_name(fault: u32) -> *const c_char {
    ClassFault::name(fault).as_ptr()
}

/// Checks that a layout adds up, and gives how many PEs its machine has. `fault` becomes what is wrong, one of `bookahead_layout_fault`, when the answer is
/// BAD_LAYOUT. O(groups x (kinds + missing) + levels).
///
/// Answers NULL_POINTER, MISALIGNED, SIZE_OUT_OF_RANGE for more than 65,535 groups, TOO_MANY_PARTS for more than `BOOKAHEAD_MOST_RANGES` entries of what is
/// missing, BAD_LAYOUT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_layout_check(
    layout: *const Layout,
    pes: *mut u32,
    fault: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (pes, fault) = (Out::new(pes)?, Out::new(fault)?);
        Layout::with(layout, |layout| {
            let faulty = |error: kernel::LayoutError| {
                fault.set(u32::from(error.code()));
                Failure::from(Code::BadLayout)
            };
            layout.check().map_err(faulty)?;
            pes.set(u32::from(layout.pes()));
            Ok(())
        })
    })
}

/// The bytes of a book on a machine with a layout, of the binding PLACED, or PLACED_RULED for one with rules, for `rows` reservations and `classes` classes that
/// list up to `order` groups each: a multiple of 8, or 0 when there is no such book. Rules take 320 more, and 20 sets. O(groups x (kinds + missing)).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_layout_bytes(
    binding: u32,
    layout: *const Layout,
    slots: u32,
    rows: u32,
    classes: u32,
    order: u32,
) -> usize {
    // SAFETY: by the contract of the crate.
    let bytes = unsafe {
        Layout::with(layout, |layout| {
            placed_sizes(binding, layout, slots, rows, classes, order)
        })
    };
    bytes.map_or(0, |(_, bytes)| bytes)
}

/// As `bookahead_init`, for a machine with a layout, and for `classes` classes, at most 32,767, that list up to `order` groups each, at most 65,535. A set of PEs has
/// a bit for each, each kind padded to a power of two in a group: in columns of 32 where that is at most 128 bits, else of 512. `length` is at least
/// `bookahead_layout_bytes`. O(memory).
///
/// Answers as `bookahead_layout_check`, but BAD_LAYOUT without the fault; UNKNOWN_BINDING, SIZE_OUT_OF_RANGE, NULL_POINTER, MISALIGNED or TOO_SHORT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_layout_init(
    memory: *mut c_void,
    length: usize,
    binding: u32,
    layout: *const Layout,
    slots: u32,
    rows: u32,
    classes: u32,
    order: u32,
    book: *mut *mut Book,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        Layout::with(layout, |layout| {
            let (sizes, bytes) = placed_sizes(binding, layout, slots, rows, classes, order)?;
            let (place, result) = (memory.cast::<Book>(), Out::new(book)?);
            Out::new(place)?;
            if length < bytes {
                return Err(Code::TooShort.into());
            }
            make_placed(place, sizes, bytes, layout, slots)?;
            result.set(place);
            Ok(())
        })
    })
}

/// Gives the bytes of a workspace as `bookahead_workspace_bytes`, for this book, whatever its kind. O(1).
///
/// Answers SIZE_OUT_OF_RANGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_layout_workspace_bytes(
    book: *mut Book,
    entries: u32,
    waiting: u32,
    bytes: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let bytes = Out::new(bytes)?;
        let needed = workspace_bytes_of(sizes(book)?, entries, waiting);
        bytes.set(needed.ok_or(Code::SizeOutOfRange)?);
        Ok(())
    })
}

/// Adds a class, or gives the number of an equal one; it is never 0. Nothing is asked for by it until `bookahead_class_ask`. `fault` becomes what is wrong, one of
/// `bookahead_class_fault`, when the answer is BAD_CLASS. O((classes + kinds) x columns + groups x kinds), and O(rows) for each class that has been dropped.
///
/// Answers NO_LAYOUT, UNKNOWN_RULE, TOO_MANY_PARTS, BAD_CLASS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_class_add(
    book: *mut Book,
    class: *const Class,
    number: *mut u32,
    fault: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (number, fault) = (Out::new(number)?, Out::new(fault)?);
        let mut ranges = Vec::<Range<u16>, BOOKAHEAD_MOST_RANGES>::new();
        let class = read(class)?.to_kernel(&mut ranges)?;
        match with_placed!(book, |book, _asked| book.class_add(&class)) {
            Ok(id) => number.set(id.number()),
            Err(error) => {
                fault.set(u32::from(error.code()));
                return Err(Code::BadClass.into());
            }
        }
        Ok(())
    })
}

/// Drops a class: nothing can be asked for by it from now on. Its reservations stay, and are moved by it. O(1).
///
/// Answers NO_LAYOUT, STALE_CLASS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_class_drop(book: *mut Book, number: u32) -> u32 {
    let id = ClassId::from_number(number);
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        with_placed!(book, |book, _asked| book
            .class_drop(id)
            .map_err(Failure::from))
    })
}

/// Says for which class every call with this book asks from now on that plans, reserves, inserts, explains or queues a job: a number that `bookahead_class_add` gave, or 0 for any
/// PEs, as at first. What a plan was made for it has to be committed for. The number is kept in the book's memory. O(1).
///
/// Answers NO_LAYOUT. The calls answer STALE_CLASS for a class that there is not, or no longer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_class_ask(book: *mut Book, number: u32) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let sizes = sizes(book)?;
        if !sizes.is_placed() {
            return Err(Code::NoLayout.into());
        }
        *sizes.asked_in(book) = number;
        Ok(())
    })
}

/// Gives the number of the class that a reservation was made for, which may be stale by now. O(1).
///
/// Answers NO_LAYOUT, UNKNOWN_HANDLE, STALE_HANDLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_class_of(
    book: *mut Book,
    handle: Handle,
    number: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let number = Out::new(number)?;
        number.set(with_placed!(book, |book, _asked| book
            .class_of(handle.into())?
            .number()));
        Ok(())
    })
}

/// Gives which question of the class that is asked for `request` fails at `start`. O(duration / 8 x columns + words + blocks).
///
/// Answers NO_LAYOUT; as `bookahead_reserve`, as far as the request itself is to blame; OUTSIDE_WINDOW for a start that its window does not allow.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_failing(
    book: *mut Book,
    request: *const Request,
    start: u64,
    failing: *mut Failing,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let failing = Out::new(failing)?;
        let request = read(request)?.to_kernel();
        failing.set(with_placed!(book, |book, asked| book
            .failing((asked, &request), Slot::new(start))?));
        Ok(())
    })
}

/// Reserves exactly these PEs from `start` up to `end`, exclusive: what runs already, or what is taken out of service. `pes` has a bit for each number of a PE, from the
/// lowest of each word, in `words` words: as many as the numbers of the machine need. It keeps them as long as it lives, unless a PLACE_EXACTLY step moves it.
/// `conflict` says who is there when the answer is NO_ROOM, and nobody after any other answer of the book's. Other books than those
/// on machines with a layout answer BAD_PES. O(duration x columns + words + log rows).
///
/// Answers as `bookahead_commitment` says; EXACTLY_THESE for a flexible one; BAD_PES for a set that is empty, of another size, or has a PE that
/// the machine has not; ZERO_DURATION, READY_IN_PAST, BEYOND_HORIZON, TABLE_FULL, NO_ROOM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_reserve_exactly(
    book: *mut Book,
    start: u64,
    end: u64,
    pes: *const u32,
    words: usize,
    commitment: *const Commitment,
    handle: *mut Handle,
    conflict: *mut Conflict,
) -> u32 {
    let window = Window {
        start: Slot::new(start),
        end: Slot::new(end),
    };
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (handle, conflict) = (Out::new(handle)?, Out::new(conflict)?);
        let commitment = Commitment::read(commitment)?.terms()?;
        let pes = elements(pes, words)?;
        let mut there = kernel::Conflict::NONE;
        let made = with_book!(book, |book, _asked| book
            .reserve_exactly(window, pes, commitment, &mut there));
        conflict.set(&there);
        handle.set(made?);
        Ok(())
    })
}

/// Reserves for `request` by the class that is asked for, by first fit; and where enough PEs are free but too few groups, or no block, moves reservations that have not
/// started to other PEs at their own starts, so that it fits: up to `targets` blocks, or sets of groups, are tried at each start. Nobody's promise changes. `ending`
/// and `moves` as for `bookahead_juggle`. The workspace takes an entry for the newcomer and for each reservation that moves.
///
/// Answers NO_LAYOUT, UNKNOWN_ENDING; as `bookahead_reserve` by first fit; MOVE_LIMIT, WORK_LIMIT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_relocate(
    book: *mut Book,
    request: *const Request,
    commitment: *const Commitment,
    targets: u16,
    workspace: *const Workspace,
    work: u64,
    ending: u32,
    moves: *mut Move,
    capacity: usize,
    relocated: *mut Juggled,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let relocated = Out::new(relocated)?;
        let moves = List::new(moves, capacity)?;
        let (request, commitment) = (read(request)?, Commitment::read(commitment)?);
        let lent = Lent::read(workspace, book)?;
        let commit = ends_in_commit(ending)?;
        let commitment = commitment.terms()?;
        let request = request.to_kernel();
        relocated.set(with_placed!(book, |book, asked| {
            // Those that are placed anew are logged once more.
            let entries = book.len().saturating_mul(2).saturating_add(1);
            let mut transaction = book.transaction(lent.view(entries, 0), work);
            let booking = transaction.relocate((asked, &request), commitment, targets)?;
            end(transaction, Some(booking), commit, &moves)?
        }));
        Ok(())
    })
}
