//! Quotas: books with periods. Only in libraries built with `--features quota`.

use bookahead as kernel;
use kernel::{Book, Quota, Resource, Slot};

use crate::{
    Code, Joined, Period,
    code::{Failure, answer},
    kind::{Parts, call_firm},
    memory::{Sizes, sizes},
    pointer::{Out, read},
};

// A period of C's is one of the kernel's: as long, as well aligned, and what is what.
const _: () = {
    assert!(align_of::<Period>() == align_of::<kernel::Period>());
    // SAFETY: as many bytes, and any are a number.
    let numbers: [u64; 3] = unsafe { core::mem::transmute(kernel::Period::new(Slot::new(1), 2)) };
    assert!(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 0);
    assert!(core::mem::offset_of!(Period, until) == 0 && core::mem::offset_of!(Period, most) == 8);
};

impl From<kernel::Period> for Period {
    fn from(period: kernel::Period) -> Self {
        Self {
            until: period.until().get(),
            most: period.most(),
            used: period.used(),
        }
    }
}

/// The quota, whose book is of these sizes and this kind.
///
/// # Safety
///
/// By the contract of the crate.
unsafe fn open<'a, P: Parts<'a>>(
    sizes: Sizes,
    quota: &Joined,
) -> Result<Quota<'a, Book<'a, P::Ring>>, Failure>
where
    Book<'a, P::Ring>: Resource,
{
    // SAFETY: passed on.
    let quota = unsafe { Quota::new(quota.open::<P>(sizes)?, quota.periods()?) };
    quota.ok_or(Code::BadPeriods.into())
}

/// # Safety
///
/// As [`open`].
unsafe fn renew<'a, P: Parts<'a>>(
    sizes: Sizes,
    quota: &Joined,
    until: Slot,
    most: u64,
) -> Result<kernel::Period, Failure>
where
    Book<'a, P::Ring>: Resource,
{
    // SAFETY: passed on.
    let over = unsafe { open::<P>(sizes, quota)?.renew(until, most) };
    over.ok_or(Code::BadPeriods.into())
}

/// # Safety
///
/// As [`open`].
unsafe fn is_sound<'a, P: Parts<'a>>(sizes: Sizes, quota: &Joined) -> Result<bool, Failure>
where
    Book<'a, P::Ring>: Resource,
{
    // SAFETY: passed on.
    Ok(unsafe { open::<P>(sizes, quota)? }.is_sound())
}

/// Replaces the earliest period of a quota, which is over, by one behind the last, which ends before `until` and of which `most` PE-slots may be used. Gives the one that is over, for the bill.
///
/// A quota is one of several books that are decided as one: a book of any binding, of as many PEs as may be used at once, together with a list of periods that say how many PE-slots may be used in each. A
/// request that needs so many PEs of the machine needs as many of the quota, and of each that stands above it. Each reservation is charged to every period that it overlaps, for the
/// slots in it; what ends early, is cancelled, or is a hold that expires is refunded from `now` on. Behind the last period there is no limit but that of the book. The caller has the
/// calendar, and says where periods end. The book and its periods belong together from the book's first slot on: what changes it are the calls for several books, of one, too.
///
/// Only the book and the periods of `quota` are looked at. O(rows + periods). Only in libraries built with quota.
///
/// Answers UNKNOWN_BINDING for a book with overlays; BAD_PERIODS, and has changed nothing, if there are none, if they are not in order, if the earliest is not over yet, or if the new one does not end later than the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_quota_renew(
    quota: *const Joined,
    until: u64,
    most: u64,
    over: *mut Period,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (over, quota) = (Out::new(over)?, read(quota)?);
        let sizes = sizes(quota.book)?;
        over.set(call_firm!(sizes, renew(&quota, Slot::new(until), most))?);
        Ok(())
    })
}

/// Says whether each period of a quota has at least what is booked in it from now on, which any other use of its book can break. O(rows x periods). Only in libraries built with quota.
///
/// Answers UNKNOWN_BINDING for a book with overlays, BAD_PERIODS if the periods are not in order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_quota_is_sound(quota: *const Joined, sound: *mut bool) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (sound, quota) = (Out::new(sound)?, read(quota)?);
        let sizes = sizes(quota.book)?;
        sound.set(call_firm!(sizes, is_sound(&quota))?);
        Ok(())
    })
}
