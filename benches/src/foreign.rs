//! What a call from C costs beside the same call from Rust.
//!
//! The calls from C are made by loops in C (`c/calls.c`), compiled by another compiler, so that nothing is inlined into them.

use std::{hint::black_box, ptr::null};

use bookahead::{Book, Commitment, Event, Handle, Policy, Request, Slot, raw::Ring};
use bookahead_capi as capi;

use crate::kernel::{exactly, replay};
use crate::{MACHINE, Mean, Scene, Step, Stopwatch};

/// Calls between two looks at the clock.
const BATCH: usize = 16;

#[allow(improper_ctypes, reason = "C does not look into a book")]
unsafe extern "C" {
    fn calls_reserve_and_cancel(
        book: *mut capi::Book,
        requests: *const capi::Request,
        length: usize,
    ) -> usize;
    fn calls_get(book: *mut capi::Book, handles: *const capi::Handle, length: usize) -> u64;
    fn calls_advance(book: *mut capi::Book, slots: *const u64, length: usize) -> usize;
}

/// Mean nanoseconds of an operation, called from Rust and from C.
#[derive(Clone, Debug)]
pub struct Both {
    /// Its name.
    pub name: &'static str,
    /// From Rust.
    pub rust: Mean,
    /// From C.
    pub c: Mean,
}

impl Both {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            rust: Mean::over(BATCH),
            c: Mean::over(BATCH),
        }
    }

    /// Times a batch both ways, in an order that changes; the answers have to be the same.
    fn measure(
        &mut self,
        watch: &Stopwatch,
        (turn, round): (usize, usize),
        rust: &mut dyn FnMut() -> u64,
        c: &mut dyn FnMut() -> u64,
    ) {
        let time = |mean: &mut Mean, call: &mut dyn FnMut() -> u64| {
            let mut answer = 0;
            mean.add(turn, watch.time(&[()], |()| answer = call()));
            answer
        };
        let answers = if (turn + round).is_multiple_of(2) {
            let of_rust = time(&mut self.rust, rust);
            (of_rust, time(&mut self.c, c))
        } else {
            let of_c = time(&mut self.c, c);
            (time(&mut self.rust, rust), of_c)
        };
        assert_eq!(answers.0, answers.1, "{}", self.name);
    }
}

/// A book behind the C interface.
struct Foreign {
    /// Where the book lies.
    _memory: Vec<u64>,
    book: *mut capi::Book,
    handles: Vec<capi::Handle>,
}

impl Foreign {
    /// The book in which `scene` has been replayed.
    fn new(scene: &Scene, binding: capi::Binding, rows: usize) -> Self {
        let (pes, slots, rows) = (u32::from(MACHINE), scene.slots, rows as u32);
        let bytes = capi::bookahead_bytes(binding as u32, pes, slots, rows);
        let mut memory = vec![0_u64; bytes / size_of::<u64>()];
        let mut book = std::ptr::null_mut();
        let place = memory.as_mut_ptr().cast();
        // SAFETY: the memory has that many bytes, and is not moved while the book is used.
        let code = unsafe {
            capi::bookahead_init(place, bytes, binding as u32, pes, slots, rows, &mut book)
        };
        assert_eq!(code, capi::Code::Ok as u32);
        let mut handles = Vec::new();
        for step in &scene.steps {
            match step {
                Step::Add(booking) => {
                    let request = foreign(&exactly(booking));
                    let mut made = capi::Booking {
                        handle: capi::Handle { bits: 0 },
                        start: 0,
                    };
                    let policy = capi::Policy::FirstFit as u32;
                    // SAFETY: the book is one, and the pointers are those of values.
                    let code = unsafe {
                        capi::bookahead_reserve(book, &request, policy, null(), &mut made)
                    };
                    assert_eq!(code, capi::Code::Ok as u32);
                    handles.push(Some(made.handle));
                }
                Step::Remove(number) => {
                    let handle = handles[*number].take().expect("it lives");
                    // SAFETY: the book is one.
                    let code = unsafe { capi::bookahead_cancel(book, handle) };
                    assert_eq!(code, capi::Code::Ok as u32);
                    handles.push(None);
                }
            }
        }
        Self {
            _memory: memory,
            book,
            handles: handles.into_iter().flatten().collect(),
        }
    }

    fn reserve_and_cancel(&mut self, requests: &[capi::Request]) -> usize {
        // SAFETY: the book is one, and so many requests are there.
        unsafe { calls_reserve_and_cancel(self.book, requests.as_ptr(), requests.len()) }
    }

    fn get(&mut self, handles: &[capi::Handle]) -> u64 {
        // SAFETY: the book is one, and so many handles are there.
        unsafe { calls_get(self.book, handles.as_ptr(), handles.len()) }
    }

    fn advance(&mut self, slots: &[u64]) -> usize {
        // SAFETY: the book is one, and so many slots are there.
        unsafe { calls_advance(self.book, slots.as_ptr(), slots.len()) }
    }
}

fn foreign(request: &Request) -> capi::Request {
    capi::Request {
        ready: request.ready.get(),
        deadline: request.deadline.get(),
        duration: request.duration.get(),
        pes: request.pes.get(),
    }
}

/// The same calls from Rust, in functions of their own, as C has them.
#[inline(never)]
fn reserve_and_cancel<R: Ring>(book: &mut Book<'_, R>, requests: &[Request]) -> usize {
    let mut made = 0;
    for request in requests {
        if let Ok(booking) = book.reserve(request, Policy::FirstFit, Commitment::Confirmed) {
            made += usize::from(book.cancel(booking.handle).is_ok());
        }
    }
    made
}

#[inline(never)]
fn get<R: Ring>(book: &Book<'_, R>, handles: &[Handle]) -> u64 {
    let mut sum = 0;
    for handle in handles {
        // As in C, every part of the answer is written.
        if let Ok(reservation) = black_box(book.get(*handle)) {
            sum += reservation.window.end.get();
        }
    }
    sum
}

#[inline(never)]
fn advance<R: Ring>(book: &mut Book<'_, R>, slots: &[u64]) -> usize {
    let mut count = 0;
    for slot in slots {
        let mut events = heapless::Vec::<Event, 8>::new();
        if book.advance(Slot::new(*slot), &mut events).is_ok() {
            count += events.len();
        }
    }
    count
}

/// Measures calls from Rust on `book`, an empty one, and from C on one of the same kind, in turns, both in the steady state of `scene`.
///
/// # Panics
///
/// When the two books do not answer alike.
#[must_use]
pub fn measure<R: Ring>(
    watch: &Stopwatch,
    scene: &Scene,
    book: &mut Book<'_, R>,
    binding: capi::Binding,
    rounds: usize,
) -> [Both; 3] {
    let handles = replay(book, scene);
    let mut foreign_book = Foreign::new(scene, binding, book.capacity());
    let bits: Vec<u64> = handles.iter().map(|handle| handle.to_bits()).collect();
    let foreign_handles = foreign_book.handles.clone();
    assert!(foreign_handles.iter().map(|handle| handle.bits).eq(bits));
    let queries: Vec<_> = scene.queries.iter().map(foreign).collect();
    // What starts now, so that nothing is due later.
    let now = [book.now().get(); BATCH];
    assert_eq!(advance(book, &now), foreign_book.advance(&now));

    let [mut reserving, mut getting, mut advancing] =
        ["reserve_cancel", "get", "advance"].map(Both::new);
    let batches = || {
        let ours = scene.queries.chunks_exact(BATCH);
        let theirs = queries.chunks_exact(BATCH);
        let live = handles
            .chunks_exact(BATCH)
            .zip(foreign_handles.chunks_exact(BATCH));
        ours.zip(theirs).zip(live.cycle()).enumerate()
    };
    for round in 0..rounds {
        for (turn, ((ours, theirs), (live, their_live))) in batches() {
            let turn = (turn, round);
            reserving.measure(
                watch,
                turn,
                &mut || reserve_and_cancel(book, ours) as u64,
                &mut || foreign_book.reserve_and_cancel(theirs) as u64,
            );
            getting.measure(watch, turn, &mut || get(book, live), &mut || {
                foreign_book.get(their_live)
            });
            advancing.measure(
                watch,
                turn,
                &mut || advance(book, black_box(&now)) as u64,
                &mut || foreign_book.advance(black_box(&now)) as u64,
            );
        }
    }
    [reserving, getting, advancing]
}
