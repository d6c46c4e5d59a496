//! A queue in one piece of memory: how much, what lies where, and opening it for a call.

use core::ffi::c_void;

use bookahead as kernel;
use kernel::raw::{QueueParts, QueueState, WaitingJob, queue_bytes};

use crate::{
    BOOKAHEAD_ABI_VERSION, BOOKAHEAD_ALIGNMENT, Code,
    code::{Failure, answer, known},
    memory::Arrays,
    pointer::{Out, read},
};

/// A queue of best-effort jobs; what it consists of is the library's business.
pub struct Queue {
    _head: Head,
}

const _: () = assert!(align_of::<QueueState>() <= BOOKAHEAD_ALIGNMENT);
// The header's formula has these numbers in it.
const _: () = assert!(size_of::<Queue>() == 16);
const _: () = assert!(size_of::<QueueState>() == 32 && size_of::<WaitingJob>() == 12);

/// The beginning of a queue's memory; its state and its jobs follow.
#[derive(Clone, Copy)]
#[repr(C)]
struct Head {
    seal: u64,
    jobs: u64,
}

/// A number that memory which is no queue for so many jobs does not contain by accident.
const fn seal(jobs: u64) -> u64 {
    const VERSION: u64 = (BOOKAHEAD_ABI_VERSION as u64) << 32 | size_of::<WaitingJob>() as u64;
    const MAGIC: u64 = u64::from_le_bytes(*b"jobqueue") ^ VERSION;
    MAGIC ^ jobs.rotate_left(23)
}

/// The bytes of a queue for so many jobs, head included.
fn bytes(jobs: u32) -> Result<usize, Failure> {
    let bytes = queue_bytes(jobs as usize).checked_add(size_of::<Head>());
    bytes
        .filter(|bytes| jobs < u32::MAX && isize::try_from(*bytes).is_ok())
        .ok_or(Code::SizeOutOfRange.into())
}

/// What `memory` begins with, if that is the head of a queue.
///
/// # Safety
///
/// `memory` is null, misaligned, or has a head to read.
#[inline(always)]
unsafe fn jobs(memory: *mut Queue) -> Result<u32, Failure> {
    // SAFETY: passed on; any bits are a head.
    let head = unsafe { read(memory.cast::<Head>()) }?;
    let jobs = u32::try_from(head.jobs).ok();
    jobs.filter(|_| head.seal == seal(head.jobs))
        .ok_or(Code::NotAQueue.into())
}

/// # Safety
///
/// Behind the head at `queue` lies the memory of a queue of so many jobs, which nobody else uses meanwhile; all of it has been
/// written to.
#[inline(always)]
unsafe fn parts<'a>(queue: *mut Queue, jobs: u32) -> QueueParts<'a> {
    // SAFETY: these are what `bytes` counts, each aligned. They consist of integers, so whatever bytes are there are valid in both.
    unsafe {
        let mut arrays = Arrays::behind(queue);
        QueueParts {
            state: arrays.one(),
            jobs: arrays.take(jobs as usize),
        }
    }
}

/// Opens the queue behind a pointer of C's.
///
/// # Safety
///
/// By the contract of the crate.
#[inline(always)]
pub(crate) unsafe fn open<'a>(queue: *mut Queue) -> Result<kernel::Queue<'a>, Failure> {
    // SAFETY: passed on; the number of jobs is under the seal.
    Ok(unsafe { parts(queue, jobs(queue)?) }.view())
}

/// The bytes of a queue for up to `jobs` jobs: a multiple of 8, or 0 when there is no queue of that size. The macro `BOOKAHEAD_QUEUE_BYTES` says
/// the same at compile time. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_queue_bytes(jobs: u32) -> usize {
    bytes(jobs).unwrap_or(0)
}

/// Makes an empty queue in `memory`, whatever was there, for up to `jobs` jobs that wait, of a discipline, one of `bookahead_discipline`, and gives its
/// pointer. `length` is that of the memory in bytes, at least `bookahead_queue_bytes`; it is aligned as a book's. O(jobs).
///
/// Answers UNKNOWN_DISCIPLINE, SIZE_OUT_OF_RANGE, NULL_POINTER, MISALIGNED or TOO_SHORT, and has changed nothing then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_init(
    memory: *mut c_void,
    length: usize,
    discipline: u32,
    jobs: u32,
    queue: *mut *mut Queue,
) -> u32 {
    answer(|| {
        let discipline = known(
            discipline,
            kernel::Discipline::from_code,
            Code::UnknownDiscipline,
        )?;
        let bytes = bytes(jobs)?;
        let (place, result) = (memory.cast::<Queue>(), Out::new(queue)?);
        Out::new(place)?;
        if length < bytes {
            return Err(Code::TooShort.into());
        }
        // SAFETY: the caller lends `length` bytes, and that is enough. Zeroed first, they are valid as what they become.
        unsafe {
            place.cast::<u8>().write_bytes(0, bytes);
            let _ = parts(place, jobs).init(discipline);
            let jobs = u64::from(jobs);
            let seal = seal(jobs);
            place.cast::<Head>().write(Head { seal, jobs });
            result.set(place);
        }
        Ok(())
    })
}

/// Gives the pointer of the queue that is in `memory`, such as a copy of all of a queue's bytes made elsewhere; see `bookahead_open`. O(1).
///
/// Answers NULL_POINTER, MISALIGNED, TOO_SHORT or NOT_A_QUEUE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_open(
    memory: *mut c_void,
    length: usize,
    queue: *mut *mut Queue,
) -> u32 {
    answer(|| {
        let (place, result) = (memory.cast::<Queue>(), Out::new(queue)?);
        Out::new(place)?;
        if length < size_of::<Head>() {
            return Err(Code::TooShort.into());
        }
        // SAFETY: there are at least the bytes of a head, and nothing else is read.
        unsafe {
            let bytes = bytes(jobs(place)?).map_err(|_| Code::NotAQueue)?;
            if length < bytes {
                return Err(Code::TooShort.into());
            }
            result.set(place);
        }
        Ok(())
    })
}
