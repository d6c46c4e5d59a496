//! What no command is about: clocks, names, prices, forms of malleable jobs, histograms, portions of offers, and memory that holds no book.

use std::{
    ffi::{CStr, c_char},
    ptr,
};

use bookahead::{
    Alteration, ClassError, Discipline, Discount, EventKind, Factor, Flexibility, FormChoice,
    Freeze, LayoutError, MalleableJob, Money, OfferOrder, Order, PeCount, Policy, PriceTerms,
    Refusal, Request, Search, Slot, SlotClock, Span, State, Tariff, UsageError, Violation,
};
use bookahead_capi::{self as c, Code};
use bookahead_commands::Law;

use crate::{
    CapiSide,
    argument::{List, Plain},
    convert::{self, InC},
    moving::law,
};

/// The function that names a number, the one that looks a name up, and the names by number.
type Named = (
    extern "C" fn(u32) -> *const c_char,
    Option<unsafe extern "C" fn(*const c_char, *mut u32) -> u32>,
    Vec<(u32, &'static str)>,
);

/// Of each function that names numbers: it, the one that looks a name up where there is one, and what has the names in the kernel.
macro_rules! named {
    ($($name_of:ident $($look_up:ident)?: $names:expr;)*) => {
        vec![$((
            c::$name_of,
            named!(of $($look_up)?),
            $names.iter().map(|one| (u32::from(one.code()), one.name())).collect(),
        )),*]
    };
    (of) => { None };
    (of $look_up:ident) => { Some(c::$look_up) };
}

/// All numbers that have names.
fn all_named() -> Vec<Named> {
    let (pes, duration, start) = (PeCount::ZERO, Span::ZERO, Slot::new(0));
    let (ready, deadline, expires, lead, of) = (start, start, start, duration, &|_| 0);
    named! {
        bookahead_policy_name bookahead_policy_from_name: Policy::ALL;
        bookahead_search_name bookahead_search_from_name: Search::ALL;
        bookahead_offer_order_name bookahead_offer_order_from_name: OfferOrder::ALL;
        bookahead_form_choice_name bookahead_form_choice_from_name: FormChoice::ALL;
        bookahead_discipline_name bookahead_discipline_from_name: Discipline::ALL;
        bookahead_flexibility_name bookahead_flexibility_from_name: Flexibility::ALL;
        bookahead_alteration_name bookahead_alteration_from_name: [
            Alteration::Shift { start }, Alteration::Extend { duration }, Alteration::Shorten { duration },
            Alteration::Widen { pes }, Alteration::Narrow { pes }, Alteration::ChangeWindow { ready, deadline },
        ];
        bookahead_freeze_rule_name bookahead_freeze_rule_from_name: [
            Freeze::Never, Freeze::Acceptance, Freeze::Share { per_mille: 0 }, Freeze::Lead { lead },
        ];
        bookahead_order_name bookahead_order_from_name: [
            Order::EarliestDeadline, Order::LeastFlexible, Order::BiggestFirst, Order::Fifo, Order::Shuffle { seed: 0 },
            Order::Revenue { newcomer: 0, of },
        ];
        bookahead_event_name: EventKind::ALL;
        bookahead_state_name: [State::Held { expires }, State::Confirmed, State::Running];
        bookahead_layout_fault_name: LayoutError::ALL;
        bookahead_class_fault_name: ClassError::ALL;
        // The kernel's codes only; the others are C's alone.
        bookahead_code_name: Refusal::ALL;
        bookahead_code_name: UsageError::ALL;
        bookahead_code_name: Violation::ALL;
    }
}

impl CapiSide {
    /// Calls something that no command is about, now and then, with any numbers.
    pub(crate) fn aside(&mut self) {
        match self.c.careless.byte().unwrap_or(0) {
            240 => self.clock(),
            241 | 242 => self.name(),
            243 => self.prices(),
            244 => self.forms(),
            245 | 246 => self.portion(),
            247 => self.record(),
            248..=251 => self.begin_another(),
            252..=255 => self.open_another(),
            _ => {}
        }
    }

    fn number(&mut self) -> u64 {
        self.c.careless.number()
    }

    fn any(&mut self) -> u32 {
        self.number() as u32
    }

    fn clock(&mut self) {
        let (epoch, slot_seconds, value) = (self.number(), self.any(), self.number());
        let (clock, known) = (
            c::Clock {
                epoch,
                slot_seconds,
            },
            SlotClock::new(slot_seconds, epoch),
        );
        let up = known.and_then(|clock| clock.slot_rounding_up(value));
        assert_eq!(self.c.slot_rounding_up(&clock, value).ok(), up.map(InC::c));
        let down = known.and_then(|clock| clock.slot_rounding_down(value));
        assert_eq!(
            self.c.slot_rounding_down(&clock, value).ok(),
            down.map(InC::c)
        );
        let span = known.and_then(|clock| clock.span_rounding_up(value));
        assert_eq!(
            self.c.span_rounding_up(&clock, value).ok(),
            span.map(InC::c)
        );
        let seconds = known.and_then(|clock| clock.seconds(Slot::new(value)));
        assert_eq!(self.c.seconds(&clock, value).ok(), seconds);
    }

    /// A name and its number, and a text that is mostly none.
    fn name(&mut self) {
        let (all, number) = (all_named(), self.any() % 300);
        let nth = self.any() as usize % all.len();
        let (name_of, look_up, names) = &all[nth];
        // SAFETY: a name is a static text.
        let name = unsafe { CStr::from_ptr(name_of(number)) };
        let known = names
            .iter()
            .find(|(code, _)| *code == number)
            .map(|(_, name)| *name);
        let is_code = ptr::fn_addr_eq(
            *name_of,
            c::bookahead_code_name as extern "C" fn(u32) -> *const c_char,
        );
        let expected = known.or((!is_code).then_some("unknown"));
        assert!(
            expected.is_none_or(|expected| name.to_str() == Ok(expected)),
            "{name:?}"
        );
        assert!(!name.is_empty());
        let Some(look_up) = look_up else { return };
        let text = [self.number(), self.number() >> 8]
            .map(u64::to_le_bytes)
            .concat();
        let any = CStr::from_bytes_until_nul(&text).expect("the last byte is 0");
        for text in [name, any] {
            let mut found = u32::MAX;
            // SAFETY: a text that ends with a zero, and a place for the result.
            let code = unsafe { look_up(text.as_ptr(), &raw mut found) };
            let known = names.iter().find(|(_, name)| text.to_str() == Ok(name));
            let expected = known.map_or(u32::MAX, |(code, _)| *code);
            assert_eq!((found, code == 0), (expected, known.is_some()), "{text:?}");
        }
        let mut place = [0; 2];
        let misaligned = place.as_mut_ptr().wrapping_byte_add(1);
        // SAFETY: a text that ends with a zero, a place for the result, or a pointer that is null or misaligned.
        let codes = unsafe {
            [
                look_up(ptr::null(), place.as_mut_ptr()),
                look_up(name.as_ptr(), ptr::null_mut()),
                look_up(name.as_ptr(), misaligned),
            ]
        };
        let null = Code::NullPointer as u32;
        assert_eq!(
            (codes, place),
            ([null, null, Code::Misaligned as u32], [0; 2])
        );
    }

    fn prices(&mut self) {
        let (base, slot_units) = (self.number(), self.any());
        let dearer = c::BOOKAHEAD_FACTOR_ONE * u64::from(slot_units % 4 > 0);
        let factor = self.number().wrapping_add(dearer);
        let tariff = c::Tariff {
            base,
            factor,
            slot_units,
        };
        let known = Tariff::new(Money::new(base), Factor::from_bits(factor), slot_units);
        let rate = known.map(|known| known.slot_rate().c());
        assert_eq!(self.c.slot_rate(&tariff).ok(), rate);
        let (units, slots, pes) = (self.number(), self.any(), self.any());
        let (span, width) = (Span::of(slots), PeCount::of(pes));
        let reserved = known.and_then(|known| known.reserved(span, width).ok());
        assert_eq!(
            self.c.reserved(&tariff, slots, pes).ok(),
            reserved.map(InC::c)
        );
        let best_effort = known.and_then(|known| known.best_effort(units, width).ok());
        assert_eq!(
            self.c.best_effort(&tariff, units, pes).ok(),
            best_effort.map(InC::c)
        );
        let ready = self.number();
        let request = Request {
            ready: Slot::of(ready),
            duration: span,
            deadline: Slot::of(ready.saturating_add(self.number())),
            pes: width,
        };
        let terms = c::PriceTerms {
            tariff,
            budget: self.number(),
            discount: self.any(),
            most_discount: self.any(),
        };
        let discount = Discount {
            per_duration: terms.discount,
            most: terms.most_discount,
        };
        let budget = Money::of(terms.budget);
        let price = known.and_then(|tariff| {
            let terms = PriceTerms {
                tariff,
                discount,
                budget,
            };
            terms.price(&request).ok()
        });
        assert_eq!(self.c.price(&terms, &[request.c()]).ok(), price.map(InC::c));
    }

    fn forms(&mut self) {
        let (work, least, most) = (self.number(), self.any() % 65_536, self.any() % 65_536);
        let (skip, list) = (
            self.any() as usize % 40,
            List::new(self.any() as usize % 10),
        );
        let count = self.c.forms((work, least, most), skip, &list);
        let (least, most) = (PeCount::of(least), PeCount::of(most));
        let job = MalleableJob { work, least, most };
        let forms: Vec<_> = job
            .forms()
            .skip(skip)
            .take(list.room())
            .map(InC::c)
            .collect();
        assert_eq!(count.map(|count| list.taken(count)), Ok(forms));
        let wide = self.c.forms((work, 1, 65_536 + 1), skip, &List::new(1));
        assert_eq!(wide, Err(Code::TooWide as u32));
    }

    /// Where portions of the latest offers would go, or of what somebody has made of them.
    fn portion(&mut self) {
        let nth = self.any() as usize;
        let Some(nth) = nth.checked_rem(self.offers.len()) else {
            return;
        };
        let (mut offer, by, duration) = (self.offers[nth], self.number(), self.any());
        match self.any() % 8 {
            0 => offer.window.end = offer.window.end.wrapping_add(by),
            1 => offer.window.start = offer.window.start.wrapping_sub(by),
            2 => offer.seed.start = offer.seed.start.wrapping_add(by),
            3 => offer.seed.end = by,
            4 => offer.within.end = by,
            5 => offer.pes = by as u32,
            _ => {}
        }
        let start = convert::offer_of(&offer).start_of(Span::of(duration));
        assert_eq!(
            self.c.offer_start(&[offer], duration).ok(),
            start.map(InC::c)
        );
    }

    fn record(&mut self) {
        let (length, bin, booked, ran) = (self.any() % 6, self.any() % 40, self.any(), self.any());
        let counters: Vec<u32> = (0..length).map(|_| self.any()).collect();
        let counted = match bin {
            0 => Law::UsedShares(counters.clone()),
            _ => Law::ServiceTimes(Span::new(bin), counters.clone()),
        };
        let (mut noted, mut expected) = (counters.clone(), counters);
        let done = self.c.record(&law(&counted, &mut noted), booked, ran);
        let history = counted.history(&mut expected);
        let known = history.map(|mut known| known.record(Span::of(booked), Span::of(ran)));
        assert_eq!((done.is_ok(), noted), (known.is_some(), expected));
    }

    /// A book and a queue in other memory, mostly too short.
    fn begin_another(&mut self) {
        let (words, binding) = (self.any() as usize % 2_048, self.any() % 5);
        let sizes = [binding, self.any(), self.any(), self.any()];
        let memory = List::new(words);
        let made = self.c.init(&memory, sizes);
        let bytes = c::bookahead_bytes(sizes[0], sizes[1], sizes[2], sizes[3]);
        assert_eq!(
            made.is_ok(),
            bytes > 0 && bytes <= memory.bytes(),
            "{made:?}"
        );
        match made {
            // SAFETY: it was made just now, and its memory lives.
            Ok(book) => assert_eq!(unsafe { c::bookahead_check_invariants(book) }, 0),
            Err(_) => assert!(memory.all().iter().all(|word| *word == u64::dirt())),
        }
        let (memory, jobs) = (List::new(words / 8), self.any());
        let made = self.c.queue_init(&memory, words as u8 % 2, jobs);
        let bytes = c::bookahead_queue_bytes(jobs);
        let fits = bytes > 0 && bytes <= memory.bytes();
        assert_eq!(made.is_ok(), fits, "{made:?}");
        assert!(fits || memory.all().iter().all(|word| *word == u64::dirt()));
    }

    /// A copy of the memory, not always all of it or as it was.
    fn open_another(&mut self) {
        let (turned, short) = (self.any() as usize, self.any() as usize);
        let book = (self.c.memory.book.clone(), 192);
        let queue = (self.c.memory.queue.clone(), 128);
        for (is_queue, (memory, bits)) in [(false, book), (true, queue)] {
            let (mut copy, whole) = (memory.all(), memory.room());
            copy.truncate(if short.is_multiple_of(2) {
                whole
            } else {
                short / 2 % whole
            });
            // What says that it is one, and how large.
            let bit = turned / 2 % bits;
            match copy.get_mut(bit / 64) {
                Some(word) if turned % 2 == 1 => *word ^= 1 << (bit % 64),
                _ => {}
            }
            let memory = List::of(&copy);
            let opened = match is_queue {
                true => self.c.queue_open(&memory).map(<*mut _>::cast),
                false => self.c.open(&memory).map(<*mut _>::cast),
            };
            let is_whole = turned.is_multiple_of(2) && copy.len() == whole;
            assert_eq!(opened.ok(), is_whole.then(|| memory.pointer()));
            assert_eq!(memory.all(), copy, "opening writes nothing");
        }
    }
}
