//! Overlays through the C interface.

use bookahead_capi::*;

/// Memory for a book with overlays of 4 PEs.
fn memory() -> Vec<u64> {
    let bytes = bookahead_bytes(Binding::Overlaid as u32, 4, 64, 8);
    vec![0; bytes / 8]
}

fn open(memory: &mut [u64], binding: Binding) -> *mut Book {
    let mut book = std::ptr::null_mut();
    let length = size_of_val(memory);
    let binding = binding as u32;
    // SAFETY: memory of that length.
    let code = unsafe {
        bookahead_init(
            memory.as_mut_ptr().cast(),
            length,
            binding,
            4,
            64,
            8,
            &mut book,
        )
    };
    assert_eq!(code, 0);
    book
}

fn request(ready: u64, duration: u32, pes: u32) -> Request {
    let deadline = ready + u64::from(duration);
    Request {
        ready,
        deadline,
        duration,
        pes,
    }
}

const HALF: u32 = 1 << 30;

fn overlaying(counters: &mut [u32]) -> Overlaying {
    let exponential = Law {
        counters: std::ptr::null_mut(),
        length: 0,
        slots: 5,
        jobs: 1,
        bin: 0,
    };
    let histogram = Law {
        counters: counters.as_mut_ptr(),
        length: counters.len(),
        bin: 4,
        ..exponential
    };
    Overlaying {
        own: exponential,
        others: histogram,
        guarantee: Guarantee::Access as u32,
        threshold: HALF,
    }
}

#[test]
fn an_overlay_waits_and_starts() {
    let (mut memory, mut counters) = (memory(), [0; 8]);
    let book = open(&mut memory, Binding::Overlaid);
    let terms = overlaying(&mut counters);
    let mut first = Booking {
        handle: Handle { bits: 0 },
        start: 0,
    };
    let mut table = [0; 4];
    let mut plan = std::mem::MaybeUninit::<OverlayPlan>::uninit();
    // SAFETY: pointers to what the functions say.
    unsafe {
        assert_eq!(
            bookahead_reserve(book, &request(0, 40, 4), 0, std::ptr::null(), &mut first),
            0
        );
        let wanted = request(10, 10, 2);
        let planned = |plan: *mut OverlayPlan, table: &mut [u32]| {
            let length = table.len();
            bookahead_plan_overlay(book, &wanted, &terms, table.as_mut_ptr(), length, plan)
        };
        // Nothing has been observed yet.
        let at = plan.as_mut_ptr();
        assert_eq!(planned(at, &mut table), Code::TooRisky as u32);
        for _ in 0..9 {
            assert_eq!(bookahead_record(&terms.others, 40, 7), 0);
        }
        assert_eq!(
            bookahead_record(&terms.own, 40, 7),
            Code::NullPointer as u32
        );
        assert_eq!(planned(at, &mut table[..1]), Code::ScratchTooShort as u32);
        assert_eq!(planned(at, &mut table), 0);
        let plan = plan.assume_init();
        assert_eq!((plan.overlaid, plan.plan.start), (2, 10));
        // 9 of 9 + 1.
        assert_eq!(plan.probability, ((9_u64 << 31) / 10) as u32);
        let mut handle = Handle { bits: 0 };
        assert_eq!(
            bookahead_commit_overlay(book, &plan, std::ptr::null(), &mut handle),
            0
        );
        let again = bookahead_commit_overlay(book, &plan, std::ptr::null(), &mut handle);
        assert_eq!(again, Code::StalePlan as u32);
        let mut overlaid = 0;
        assert_eq!(bookahead_overlaid(book, handle, &mut overlaid), 0);
        assert_eq!(overlaid, 2);

        let mut event = std::mem::MaybeUninit::<Event>::uninit();
        let mut kinds = Vec::new();
        let mut there = false;
        while bookahead_next(book, 10, event.as_mut_ptr(), &mut there) == 0 && there {
            kinds.push(event.assume_init_ref().kind);
        }
        let seen = [EventKind::Started as u32, EventKind::LateStart as u32];
        assert_eq!(kinds, seen);
        let (mut others, mut count) = ([Handle { bits: 0 }; 2], 0);
        let waits = bookahead_waits_for(book, handle, 0, others.as_mut_ptr(), 2, &mut count);
        assert_eq!((waits, count, others[0]), (0, 1, first.handle));
        assert_eq!(bookahead_check_invariants(book), 0);
    }
}

#[test]
fn a_book_without_overlays_says_so() {
    let mut memory = vec![0; bookahead_bytes(Binding::Late as u32, 4, 64, 8) / 8];
    let book = open(&mut memory, Binding::Late);
    let mut pes = 0;
    // SAFETY: pointers to what the function says.
    let code = unsafe { bookahead_overlaid(book, Handle { bits: 1 }, &mut pes) };
    assert_eq!(code, Code::NoOverlays as u32);
}
