//! A queue in one piece of memory: how much, what lies where, and opening it for a call.

use core::ffi::c_void;

use bookahead as kernel;
use kernel::raw::{QueueParts, QueueState, WaitingJob, queue_bytes};
#[cfg(feature = "plan")]
use kernel::raw::{
    ScheduleParts, ScheduleState, WaitingListParts, WaitingListState, schedule_bytes,
    waiting_list_bytes,
};

use crate::{
    BOOKAHEAD_ABI_VERSION, BOOKAHEAD_ALIGNMENT, Code,
    arrays::Arrays,
    code::{Failure, answer, known},
    pointer::{Out, read},
};
#[cfg(feature = "plan")]
use crate::{Book, kind::Parts, memory};

/// A queue of best-effort jobs; what it consists of is the library's business.
pub struct Queue {
    _head: Head,
}

const _: () = assert!(align_of::<QueueState>() <= BOOKAHEAD_ALIGNMENT);
// The header's formula has these numbers in it.
const _: () = assert!(size_of::<Queue>() == 16);
const _: () = assert!(size_of::<QueueState>() == 32 && size_of::<WaitingJob>() == 12);

/// The beginning of a queue's memory; its state and its jobs follow, then the requests that wait beside them, if there is a list for any, and then the schedule of the jobs
/// and its second book, if they are planned.
#[derive(Clone, Copy)]
#[repr(C)]
struct Head {
    seal: u64,
    sizes: Sizes,
}

/// How many may wait.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct Sizes {
    jobs: u32,
    /// 1 + the number of requests, or 0 without a list; and the bit [`PLANS`] with a schedule.
    list: u32,
}

const PLANS: u32 = 1 << 31;

impl Sizes {
    const fn of(jobs: u32) -> Self {
        Self { jobs, list: 0 }
    }

    const fn requests(self) -> Option<u32> {
        (self.list & !PLANS).checked_sub(1)
    }

    const fn bits(self) -> u64 {
        (self.list as u64) << 32 | self.jobs as u64
    }

    #[cfg(feature = "plan")]
    const fn plans(self) -> bool {
        self.list & PLANS != 0
    }

    /// The bytes of such a queue, head and list included, schedule and second book not.
    fn bytes(self) -> Result<usize, Failure> {
        let bytes = queue_bytes(self.jobs as usize).checked_add(size_of::<Head>());
        let list = self.requests().map_or(0, list_bytes);
        bytes
            .and_then(|bytes| bytes.checked_add(list))
            .filter(|bytes| self.jobs < u32::MAX && isize::try_from(*bytes).is_ok())
            .ok_or(Code::SizeOutOfRange.into())
    }
}

#[cfg(feature = "plan")]
const fn list_bytes(requests: u32) -> usize {
    waiting_list_bytes(requests as usize)
}

/// Without the feature there is no such queue.
#[cfg(not(feature = "plan"))]
const fn list_bytes(_requests: u32) -> usize {
    usize::MAX
}

/// A number that memory which is no queue of such sizes does not contain by accident.
const fn seal(sizes: Sizes) -> u64 {
    const VERSION: u64 = (BOOKAHEAD_ABI_VERSION as u64) << 32 | size_of::<WaitingJob>() as u64;
    const MAGIC: u64 = u64::from_le_bytes(*b"jobqueue") ^ VERSION;
    MAGIC ^ sizes.bits().rotate_left(23)
}

/// What `memory` begins with, if that is the head of a queue.
///
/// # Safety
///
/// `memory` is null, misaligned, or has a head to read.
#[inline(always)]
unsafe fn sizes(memory: *mut Queue) -> Result<Sizes, Failure> {
    // SAFETY: passed on; any bits are a head.
    let head = unsafe { read(memory.cast::<Head>()) }?;
    let known = cfg!(feature = "plan") || head.sizes.list == 0;
    match known && head.seal == seal(head.sizes) {
        true => Ok(head.sizes),
        false => Err(Code::NotAQueue.into()),
    }
}

/// # Safety
///
/// Behind the head at `queue` lies the memory of a queue of so many jobs, which nobody else uses meanwhile; all of it has been
/// written to.
#[inline(always)]
unsafe fn parts<'a>(arrays: &mut Arrays<'a>, sizes: Sizes) -> QueueParts<'a> {
    // SAFETY: these are what `bytes` counts, each aligned. They consist of integers, so whatever bytes are there are valid in both.
    unsafe {
        QueueParts {
            state: arrays.one(),
            jobs: arrays.take(sizes.jobs as usize),
        }
    }
}

/// The list behind the jobs of a queue.
///
/// # Safety
///
/// As [`parts`], which has taken what lies before it.
#[cfg(feature = "plan")]
#[inline(always)]
unsafe fn list<'a>(arrays: &mut Arrays<'a>, jobs: u32, requests: u32) -> WaitingListParts<'a> {
    // SAFETY: as in `parts`. Jobs of 12 bytes end in the middle of 8 where there is an odd number of them.
    unsafe {
        let _padding = arrays.take::<u32>((jobs & 1) as usize);
        WaitingListParts {
            state: arrays.one::<WaitingListState>(),
            requests: arrays.take(requests as usize),
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
    // SAFETY: passed on; the sizes are under the seal.
    unsafe {
        let sizes = sizes(queue)?;
        let mut arrays = Arrays::behind(queue);
        let opened = parts(&mut arrays, sizes).view();
        #[cfg(feature = "plan")]
        if let Some(requests) = sizes.requests() {
            return Ok(list(&mut arrays, sizes.jobs, requests).beside(opened));
        }
        Ok(opened)
    }
}

/// Where the second book of a queue with a schedule lies.
///
/// # Safety
///
/// The memory of the queue goes on to there.
#[cfg(feature = "plan")]
unsafe fn second_of(queue: *mut Queue, sizes: Sizes) -> Result<*mut Book, Failure> {
    let before = sizes
        .bytes()?
        .checked_add(schedule_bytes(sizes.jobs as usize));
    let before = before.ok_or(Code::SizeOutOfRange)?;
    // SAFETY: within the memory by this function's contract.
    Ok(unsafe { queue.cast::<u8>().add(before).cast() })
}

/// The schedule of a queue, and its second book; nothing where it has none.
///
/// # Safety
///
/// By the contract of the crate.
#[cfg(feature = "plan")]
#[inline(always)]
pub(crate) unsafe fn schedule<'a>(
    queue: *mut Queue,
) -> Result<Option<(ScheduleParts<'a>, *mut Book)>, Failure> {
    // SAFETY: passed on; the sizes are under the seal, and bytes of integers are valid whatever they are.
    unsafe {
        let sizes = sizes(queue)?;
        if !sizes.plans() {
            return Ok(None);
        }
        let mut arrays = Arrays::at(queue.cast::<u8>().add(sizes.bytes()?));
        let schedule = ScheduleParts {
            state: arrays.one::<ScheduleState>(),
            jobs: arrays.take(sizes.jobs as usize),
        };
        Ok(Some((schedule, second_of(queue, sizes)?)))
    }
}

/// As [`schedule`], with the second book as one of the same kind as these parts.
///
/// # Safety
///
/// As [`schedule`].
#[cfg(feature = "plan")]
#[inline(always)]
pub(crate) unsafe fn schedule_like<'a, P: Parts<'a>>(
    queue: *mut Queue,
    _like: &P,
) -> Result<Option<(ScheduleParts<'a>, P)>, Failure> {
    // SAFETY: passed on; the sizes of the second book are under its own seal.
    unsafe {
        let Some((schedule, second)) = schedule(queue)? else {
            return Ok(None);
        };
        let sizes = memory::sizes(second)?;
        if !P::is(sizes) {
            return Err(Code::NoSchedule.into());
        }
        Ok(Some((schedule, P::of(sizes, Arrays::behind(second)))))
    }
}

/// Makes a schedule behind a queue and its list.
///
/// # Safety
///
/// By the contract of the crate; there are `length` bytes of queue, list, schedule and second book together.
#[cfg(feature = "plan")]
pub(crate) unsafe fn keep_schedule(
    queue: *mut Queue,
    length: usize,
    second: *mut Book,
    is_empty: bool,
) -> Result<(), Failure> {
    // SAFETY: passed on; zeroed first, the bytes of the schedule are valid as what they become. The second book may lie where it is copied to.
    unsafe {
        let old = sizes(queue)?;
        let bytes = memory::sizes(second)?.all_bytes();
        let bytes = bytes.ok_or(Code::SizeOutOfRange)?;
        if !is_empty {
            return Err(Code::NoSchedule.into());
        }
        let planned = schedule_bytes(old.jobs as usize);
        let before = old.bytes()?;
        let needed = before
            .checked_add(planned)
            .and_then(|all| all.checked_add(bytes))
            .filter(|all| isize::try_from(*all).is_ok());
        if length < needed.ok_or(Code::SizeOutOfRange)? {
            return Err(Code::TooShort.into());
        }
        core::ptr::copy(second.cast::<u8>(), second_of(queue, old)?.cast(), bytes);
        queue.cast::<u8>().add(before).write_bytes(0, planned);
        let list = old.list | PLANS;
        let sizes = Sizes { list, ..old };
        let seal = seal(sizes);
        queue.cast::<Head>().write(Head { seal, sizes });
        Ok(())
    }
}

/// Makes a list behind a queue.
///
/// # Safety
///
/// By the contract of the crate; there are `length` bytes of queue and list together.
#[cfg(feature = "plan")]
pub(crate) unsafe fn keep_requests(
    queue: *mut Queue,
    length: usize,
    requests: u32,
) -> Result<(), Failure> {
    // SAFETY: passed on; zeroed first, the bytes behind the jobs are valid as what they become.
    unsafe {
        let jobs = sizes(queue)?.jobs;
        let list = requests.saturating_add(1);
        if list & PLANS != 0 {
            return Err(Code::SizeOutOfRange.into());
        }
        let (before, sizes) = (Sizes::of(jobs).bytes()?, Sizes { jobs, list });
        let bytes = sizes.bytes()?;
        if length < bytes {
            return Err(Code::TooShort.into());
        }
        let behind = queue.cast::<u8>().add(before);
        behind.write_bytes(0, bytes.wrapping_sub(before));
        let seal = seal(sizes);
        queue.cast::<Head>().write(Head { seal, sizes });
        Ok(())
    }
}

/// The bytes of a queue for up to `jobs` jobs: a multiple of 8, or 0 when there is no queue of that size. The macro `BOOKAHEAD_QUEUE_BYTES` says
/// the same at compile time. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_queue_bytes(jobs: u32) -> usize {
    Sizes::of(jobs).bytes().unwrap_or(0)
}

/// Makes an empty queue in `memory`, whatever was there, for up to `jobs` jobs that wait, of a discipline, one of `bookahead_discipline`, and gives its
/// pointer. `length` is that of the memory in bytes, at least `bookahead_queue_bytes`; it is aligned as a book's. O(jobs).
///
/// Answers UNKNOWN_DISCIPLINE, NO_SCHEDULE for jobs with planned starts in libraries built without plan, SIZE_OUT_OF_RANGE, NULL_POINTER, MISALIGNED or TOO_SHORT, and has changed nothing then.
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
        if cfg!(not(feature = "plan")) && discipline == kernel::Discipline::Conservative {
            return Err(Code::NoSchedule.into());
        }
        let sizes = Sizes::of(jobs);
        let bytes = sizes.bytes()?;
        let (place, result) = (memory.cast::<Queue>(), Out::new(queue)?);
        Out::new(place)?;
        if length < bytes {
            return Err(Code::TooShort.into());
        }
        // SAFETY: the caller lends `length` bytes, and that is enough. Zeroed first, they are valid as what they become.
        unsafe {
            place.cast::<u8>().write_bytes(0, bytes);
            let _ = parts(&mut Arrays::behind(place), sizes).init(discipline);
            let seal = seal(sizes);
            place.cast::<Head>().write(Head { seal, sizes });
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
            let sizes = sizes(place)?;
            let bytes = sizes.bytes().map_err(|_| Code::NotAQueue)?;
            let left = length.checked_sub(bytes).ok_or(Code::TooShort)?;
            #[cfg(feature = "plan")]
            if sizes.plans() {
                let planned = schedule_bytes(sizes.jobs as usize);
                let left = left.checked_sub(planned).ok_or(Code::TooShort)?;
                if left < size_of::<Book>() {
                    return Err(Code::TooShort.into());
                }
                memory::whole(second_of(place, sizes)?, left)?;
            }
            let _ = left;
            result.set(place);
        }
        Ok(())
    })
}
