//! A book whose memory somebody else has written to. Whatever is in it: opening, checking and asking end, and nothing panics.
//! What the checker passes goes on as a sound book, and stays one.
#![no_main]

use arbitrary::Arbitrary;
use bookahead::{Book, Ring};
use bookahead_fuzz::{
    damage::{Blow, Counts, Memory, Sets},
    drive::{Handles, operate, read},
    fold::Size,
    list::{Few, Rest},
};
use bookahead_oracle::{Ask, Operation};
use libfuzzer_sys::fuzz_target;

const MOST: Size = Size {
    pes: 40,
    slots: 130,
};
const MOST_ROWS: u8 = 16;

#[derive(Arbitrary, Debug)]
struct Damaged {
    early: bool,
    pes: u16,
    slots: u16,
    rows: u8,
    before: Few<Operation, 24>,
    blows: Few<Blow, 8>,
    ask: Ask,
    after: Rest<Operation, 24>,
}

impl Damaged {
    fn run<M: Memory>(&self) {
        let size = Size::within(self.pes, self.slots, MOST);
        let rows = usize::from(self.rows % (MOST_ROWS + 1));
        let mut memory = M::new(size.pes, size.slots.into(), rows);
        let mut handles = Vec::new();
        if let Some(mut book) = memory.open() {
            for operation in &self.before.0 {
                operate(&mut book, &size.operation(*operation), &mut handles);
            }
        }
        for blow in &self.blows.0 {
            memory.strike(blow);
        }
        if let Some(book) = memory.open() {
            self.go_on(book, size, handles);
        }
    }

    fn go_on<R: Ring>(&self, mut book: Book<'_, R>, size: Size, mut handles: Handles) {
        read(&mut book, self.ask, &handles);
        if book.check_invariants().is_err() {
            return;
        }
        for operation in &self.after.0 {
            operate(&mut book, &size.operation(*operation), &mut handles);
            let verdict = book.check_invariants();
            assert_eq!(verdict, Ok(()), "after {operation:?} on {size:?}");
        }
    }
}

fuzz_target!(|input: Damaged| {
    if input.early {
        input.run::<Sets>();
    } else {
        input.run::<Counts>();
    }
});
