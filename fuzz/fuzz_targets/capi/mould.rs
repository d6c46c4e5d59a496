//! Mouldable requests, the forms of malleable jobs, and prices with a discount.

use std::ptr::null;

use arbitrary::Arbitrary;
use bookahead_capi::*;

use crate::{
    Machine, Wish,
    bad::{List, Pointer, Pointers, Result},
};

#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum What {
    /// One of several forms is planned and committed.
    Plan {
        /// The window, the policy, and one of the forms.
        wish: Wish,
        /// PEs and slots of the others.
        forms: [[u8; 2]; 3],
        length: u8,
        choice: u8,
        terms: Terms,
    },
    Malleable {
        work: u64,
        least: u32,
        most: u32,
        skip: usize,
        room: u8,
    },
    Price(Wish, Terms),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Terms {
    base: u64,
    factor: u64,
    budget: u64,
    discount: [u32; 2],
    /// Whether the tariff is one that makes sense.
    usual: bool,
}

impl Terms {
    fn of(self) -> PriceTerms {
        let usual = Tariff {
            base: self.base % 1_000_000,
            factor: BOOKAHEAD_FACTOR_ONE + self.factor % BOOKAHEAD_FACTOR_ONE,
            slot_units: 5,
        };
        let any = Tariff {
            base: self.base,
            factor: self.factor,
            slot_units: 1,
        };
        PriceTerms {
            tariff: if self.usual { usual } else { any },
            budget: self.budget,
            discount: self.discount[0],
            most_discount: self.discount[1],
        }
    }
}

impl Machine {
    pub fn mould(&mut self, what: &What, at: Pointers) -> u32 {
        match *what {
            What::Plan {
                wish,
                forms,
                length,
                choice,
                terms,
            } => self.plan_mouldable(wish, forms, length, choice, terms, at),
            What::Malleable {
                work,
                least,
                most,
                skip,
                room,
            } => malleable(work, [least, most], skip, room, at),
            What::Price(wish, terms) => {
                let (mut request, mut terms) = (self.wish(wish).0, terms.of());
                let mut price = Result::new(u64::MAX - 1);
                let (input, place) = (at.input.to(&mut request), price.place(at.output));
                let read = at.book.to(&mut terms);
                // SAFETY: as for `answer`.
                let code = unsafe { bookahead_price(read, input, place) };
                let price = price.get(code, at.output);
                assert!(price.is_none_or(|price| price <= terms.budget));
                code
            }
        }
    }

    fn plan_mouldable(
        &mut self,
        wish: Wish,
        others: [[u8; 2]; 3],
        length: u8,
        choice: u8,
        terms: Terms,
        at: Pointers,
    ) -> u32 {
        let (request, policy) = self.wish(wish);
        let form = |[pes, duration]: [u8; 2]| Form {
            pes: (pes % 32).into(),
            duration: (duration % 32).into(),
        };
        let [one, two, three] = others.map(form);
        let first = Form {
            pes: request.pes,
            duration: request.duration,
        };
        let mut forms = [first, one, two, three];
        let length = usize::from(length) % (forms.len() + 1);
        let terms = terms.of();
        let nothing = Plan {
            request,
            start: u64::MAX,
            version: u64::MAX,
            incarnation: u32::MAX,
        };
        let (mut plan, mut price) = (Result::new(nothing), Result::new(u64::MAX - 1));
        // SAFETY: as for `answer`.
        let code = unsafe {
            bookahead_plan_mouldable(
                at.book.to(self.book),
                request.ready,
                request.deadline,
                at.input.to(forms.as_mut_ptr()),
                length,
                policy,
                u32::from(choice % 4),
                &terms,
                plan.place(at.output),
                price.place(Pointer::Good),
            )
        };
        let price = price.get(code, Pointer::Good);
        let Some(plan) = plan.get(code, at.output) else {
            return code;
        };
        assert!(price <= Some(terms.budget));
        let planned = plan.request;
        let chosen = |form: &Form| (form.pes, form.duration) == (planned.pes, planned.duration);
        assert!(forms[..length].iter().any(chosen));
        assert!(request.ready <= plan.start && planned.deadline == request.deadline);
        assert!(plan.start + u64::from(planned.duration) <= request.deadline);
        let mut handle = Handle { bits: 0 };
        // SAFETY: as for `answer`.
        let committed = unsafe { bookahead_commit(self.book, &plan, null(), &mut handle) };
        assert_eq!(committed, 0, "nothing has changed since");
        self.handles.push(handle);
        code
    }
}

fn malleable(work: u64, [least, most]: [u32; 2], skip: usize, room: u8, at: Pointers) -> u32 {
    let nothing = Form {
        pes: u32::MAX,
        duration: 0,
    };
    let mut list = List::new(room, nothing);
    let (first, count) = (list.first(at.output), list.count.place(Pointer::Good));
    let room = list.items.len();
    // SAFETY: as for `answer`.
    let code = unsafe { bookahead_malleable_forms(work, least, most, skip, first, room, count) };
    for pair in list.get(code).windows(2) {
        assert!(pair[0].pes < pair[1].pes && pair[0].duration > pair[1].duration);
    }
    code
}
