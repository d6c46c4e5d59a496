//! The arguments of a call, each of which can be spoilt.

use std::{cell::Cell, ffi::c_void, fmt::Debug, marker::PhantomData, mem::MaybeUninit, ptr};

use bookahead_capi::{self as c, Handle};

use crate::spoil::Spoil;

/// One argument of a call.
pub trait Argument {
    /// What the function takes.
    type Passed;

    /// In how many ways it can be wrong.
    fn ways(&self) -> u32 {
        0
    }

    /// What is passed: as it should be, or wrong in one of the ways.
    fn pass(&self, wrong: Option<u32>) -> Self::Passed;

    /// Whether a call that answered this code has written nothing that it may not.
    fn is_well(&self, _code: u32) -> bool {
        true
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Argument for $number {
            type Passed = Self;

            fn pass(&self, _: Option<u32>) -> Self {
                *self
            }
        }
    )*};
}

numbers!(u16, u32, u64, usize);

/// A number of an enumeration, and how many there are.
pub struct Code(pub u8, pub u8);

impl Argument for Code {
    type Passed = u32;

    fn ways(&self) -> u32 {
        3
    }

    fn pass(&self, wrong: Option<u32>) -> u32 {
        match wrong {
            None => self.0.into(),
            Some(0) => self.1.into(),
            Some(1) => u32::MAX,
            // Not to be taken for its last byte.
            Some(_) => u32::from(self.0) + 256,
        }
    }
}

impl Argument for Handle {
    type Passed = Self;

    fn ways(&self) -> u32 {
        3
    }

    /// Nobody's: the last number, zero, and one of the same row at a time that has not come.
    fn pass(&self, wrong: Option<u32>) -> Self {
        let bits = match wrong {
            None => self.bits,
            Some(0) => u64::MAX,
            Some(1) => 0,
            Some(_) => self.bits | u64::from(u32::MAX) << 32,
        };
        Self { bits }
    }
}

impl Argument for c::BookPart {
    type Passed = Self;

    fn ways(&self) -> u32 {
        1 + self.handle.ways()
    }

    /// Of a book that is not there, or nobody's.
    fn pass(&self, wrong: Option<u32>) -> Self {
        match wrong {
            Some(0) => Self { book: 8, ..*self },
            wrong => Self {
                handle: self.handle.pass(wrong.map(|way| way - 1)),
                ..*self
            },
        }
    }
}

/// Values that any bits are.
///
/// # Safety
///
/// Any bits are one.
pub unsafe trait Plain: Copy + PartialEq + Debug {
    /// One that no call writes by accident.
    fn dirt() -> Self {
        let mut value = MaybeUninit::uninit();
        // SAFETY: any bits are a value, by the contract of the trait.
        unsafe {
            ptr::write_bytes(&raw mut value, 0xA5, 1);
            value.assume_init()
        }
    }
}

macro_rules! plain {
    ($($value:ty)*) => {$(
        // SAFETY: it consists of integers and pointers.
        unsafe impl Plain for $value {}
    )*};
}

plain! {
    u8 u16 u32 u64 usize Handle *mut c::Book *mut c::Queue c::Alternative c::Booking c::Conflict c::Event c::Explanation c::Failing c::Form c::Juggled
    c::BookPart c::JointBooking c::Move c::Obstacle c::Offer c::Outcome c::OverlayPlan c::Period c::Placement c::Plan c::PlannedStart c::QueueStatus c::Record c::Rectangle
    c::Reservation c::StartBand c::StartBands c::Status c::Step c::Suggested c::Tie c::WaitingJob c::WaitingRequest
}

// SAFETY: never made of other bits.
unsafe impl Plain for bool {
    fn dirt() -> Self {
        true
    }
}

/// Places for values, and behind them one that no call may write to.
#[derive(Clone, Debug, PartialEq)]
pub struct List<T: Copy>(Vec<Cell<T>>);

impl<T: Plain> List<T> {
    /// Room for so many.
    pub fn new(room: usize) -> Self {
        Self::of(&vec![T::dirt(); room])
    }

    /// A list that holds values already.
    pub fn of(values: &[T]) -> Self {
        let all = values.iter().copied().chain([T::dirt()]);
        Self(all.map(Cell::new).collect())
    }

    /// For how many there is room.
    pub fn room(&self) -> usize {
        self.0.len() - 1
    }

    /// The bytes of all of them.
    pub fn bytes(&self) -> usize {
        self.room() * size_of::<T>()
    }

    /// Those at the beginning, of which a call says how many they are.
    pub fn taken(&self, count: usize) -> Vec<T> {
        let all = self.all();
        let (taken, rest) = all.split_at(count);
        assert!(
            rest.iter().all(|one| *one == T::dirt()),
            "{count} are listed"
        );
        taken.to_vec()
    }

    /// All of them.
    pub fn all(&self) -> Vec<T> {
        self.0[..self.room()].iter().map(Cell::get).collect()
    }

    /// Whether nothing was written behind them.
    pub fn is_whole(&self) -> bool {
        self.0[self.room()].get() == T::dirt()
    }

    /// Where they begin, if there are any: without, nobody looks.
    pub fn pointer(&self) -> *mut T {
        match self.room() {
            0 => ptr::null_mut(),
            // Cells may be written to behind a shared reference.
            _ => self.0.as_ptr().cast::<T>().cast_mut(),
        }
    }
}

/// A place for one value.
pub struct Place<T: Copy>(List<T>);

impl<T: Plain> Place<T> {
    /// A place that holds dirt.
    pub fn new() -> Self {
        Self(List::new(1))
    }

    /// What was written there.
    pub fn get(&self) -> T {
        self.0.0[0].get()
    }
}

/// A pointer to places that are written to.
pub struct Pointer<'l, T: Copy, P> {
    list: &'l List<T>,
    /// Whether a call that fails leaves them alone.
    keeps: bool,
    passed: PhantomData<P>,
}

const fn to<T: Copy, P>(list: &List<T>, keeps: bool) -> Pointer<'_, T, P> {
    Pointer {
        list,
        keeps,
        passed: PhantomData,
    }
}

/// Where a call that succeeds writes its result.
pub const fn output<T: Copy>(place: &Place<T>) -> Pointer<'_, T, T> {
    to(&place.0, true)
}

/// Where a call writes, be it that it fails.
pub const fn told<T: Copy>(place: &Place<T>) -> Pointer<'_, T, T> {
    to(&place.0, false)
}

/// A list for results.
pub const fn first<T: Copy>(list: &List<T>) -> Pointer<'_, T, T> {
    to(list, true)
}

/// A list that means nothing after an error.
pub const fn any_first<T: Copy>(list: &List<T>) -> Pointer<'_, T, T> {
    to(list, false)
}

/// Memory that is lent.
pub const fn lent<T: Copy>(list: &List<T>) -> Pointer<'_, T, c_void> {
    to(list, false)
}

impl<T: Plain, P> Argument for Pointer<'_, T, P> {
    type Passed = *mut P;

    fn ways(&self) -> u32 {
        pointer_ways::<T>(self.list.room())
    }

    fn pass(&self, wrong: Option<u32>) -> *mut P {
        bad(self.list.pointer(), wrong).cast()
    }

    fn is_well(&self, code: u32) -> bool {
        let keeps = self.keeps && code != 0;
        self.list.is_whole() && (!keeps || self.list.all().iter().all(|one| *one == T::dirt()))
    }
}

/// Null, and misaligned where that can be.
const fn pointer_ways<T>(room: usize) -> u32 {
    match (room, align_of::<T>()) {
        (0, _) => 0,
        (_, 1) => 1,
        _ => 2,
    }
}

/// A pointer, or one that is wrong.
pub fn bad<T>(pointer: *mut T, wrong: Option<u32>) -> *mut T {
    match wrong {
        None => pointer,
        Some(0) => ptr::null_mut(),
        Some(_) => pointer.wrapping_byte_add(1),
    }
}

/// A value that a call reads.
pub struct Input<'v, T> {
    value: &'v T,
    spoilt: Cell<T>,
    /// Whether it may be left out, so that a null pointer is no mistake.
    optional: u32,
}

/// A value that has to be there.
pub fn input<T: Copy>(value: &T) -> Input<'_, T> {
    Input {
        value,
        spoilt: Cell::new(*value),
        optional: 0,
    }
}

/// One without which a call does what is usual.
pub fn optional<T: Copy>(value: &T) -> Input<'_, T> {
    Input {
        optional: 1,
        ..input(value)
    }
}

impl<T: Spoil> Argument for Input<'_, T> {
    type Passed = *const T;

    fn ways(&self) -> u32 {
        2 - self.optional + self.value.ways()
    }

    fn pass(&self, wrong: Option<u32>) -> *const T {
        let wrong = wrong.map(|way| way + self.optional);
        if let Some(way) = wrong.and_then(|way| way.checked_sub(2)) {
            let mut spoilt = *self.value;
            spoilt.spoil(way);
            self.spoilt.set(spoilt);
            return self.spoilt.as_ptr();
        }
        bad(ptr::from_ref(self.value).cast_mut(), wrong)
    }
}

/// A value that is left out where there is none.
impl<T: Spoil> Argument for Option<Input<'_, T>> {
    type Passed = *const T;

    fn ways(&self) -> u32 {
        self.as_ref().map_or(0, Argument::ways)
    }

    fn pass(&self, wrong: Option<u32>) -> *const T {
        self.as_ref().map_or(ptr::null(), |input| input.pass(wrong))
    }
}

/// Values that a call reads, whose number is another argument.
pub struct Values<'v, T>(&'v [T]);

/// Several values.
pub const fn values<T>(values: &[T]) -> Values<'_, T> {
    Values(values)
}

impl<T> Argument for Values<'_, T> {
    type Passed = *const T;

    fn ways(&self) -> u32 {
        pointer_ways::<T>(self.0.len())
    }

    fn pass(&self, wrong: Option<u32>) -> *const T {
        match self.0 {
            [] => ptr::null(),
            values => bad(values.as_ptr().cast_mut(), wrong),
        }
    }
}

/// A pointer to a book or a queue.
pub struct At<T> {
    pointer: *mut T,
    /// As much of it as says what it is, with a bit turned over.
    decoy: Vec<u64>,
}

impl<T> At<T> {
    /// The one in this memory.
    pub fn new(memory: &List<u64>) -> Self {
        let words = memory.0.iter().take(size_of::<T>() / 8);
        let mut decoy: Vec<u64> = words.map(Cell::get).collect();
        decoy[0] ^= 1 << 40;
        Self {
            pointer: memory.pointer().cast(),
            decoy,
        }
    }
}

impl<T> Argument for At<T> {
    type Passed = *mut T;

    fn ways(&self) -> u32 {
        3
    }

    fn pass(&self, wrong: Option<u32>) -> *mut T {
        match wrong {
            // It is only read.
            Some(2) => self.decoy.as_ptr().cast_mut().cast(),
            wrong => bad(self.pointer, wrong),
        }
    }
}

/// A workspace that is lent to a call.
#[derive(Debug)]
pub struct Lent {
    memory: List<u64>,
    as_it_is: c::Workspace,
    spoilt: Cell<c::Workspace>,
}

impl Lent {
    /// So many bytes, some of them for so many that wait.
    pub fn new(bytes: usize, waiting: usize) -> Self {
        let memory = List::<u64>::new(bytes / 8);
        let as_it_is = c::Workspace {
            memory: memory.pointer().cast(),
            length: memory.bytes(),
            waiting,
        };
        Self {
            memory,
            as_it_is,
            spoilt: Cell::new(as_it_is),
        }
    }
}

impl Argument for Lent {
    type Passed = *const c::Workspace;

    fn ways(&self) -> u32 {
        1 + pointer_ways::<u64>(self.memory.room())
    }

    fn pass(&self, wrong: Option<u32>) -> *const c::Workspace {
        let value = ptr::from_ref(&self.as_it_is).cast_mut();
        match wrong {
            None => value,
            Some(0) => bad(value, Some(1)),
            Some(way) => {
                let memory = bad(self.memory.pointer(), Some(way - 1)).cast();
                let spoilt = c::Workspace {
                    memory,
                    ..self.as_it_is
                };
                self.spoilt.set(spoilt);
                self.spoilt.as_ptr()
            }
        }
    }

    fn is_well(&self, _code: u32) -> bool {
        self.memory.is_whole()
    }
}
