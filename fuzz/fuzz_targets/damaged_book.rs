//! A book and a queue whose memory somebody else has written to. Whatever is in it: opening, checking and asking end, and nothing panics.
//! What the checker passes goes on as a sound book, and stays one.
#![no_main]

use arbitrary::Arbitrary;
use bookahead::{Book, Discipline, Queue, raw::Ring};
use bookahead_fuzz::{
    damage::{Blow, Memory},
    drive::{Handles, operate, read},
    fold::Size,
    list::{Few, Rest},
    waiting,
};
use bookahead_heap::{BoxedCountBook, BoxedPeBook};
use bookahead_oracle::{Ask, Inquiry, Operation};
use libfuzzer_sys::fuzz_target;

const MOST: Size = Size {
    pes: 40,
    slots: 130,
};
const MOST_ROWS: u8 = 16;
const MOST_JOBS: u8 = 8;

#[derive(Arbitrary, Debug)]
struct Damaged {
    early: bool,
    pes: u16,
    slots: u16,
    rows: u8,
    jobs: u8,
    easy: bool,
    before: Few<Operation, 24>,
    blows: Few<Blow, 8>,
    queue_blows: Few<Blow, 3>,
    ask: Ask,
    inquiry: Inquiry,
    after: Rest<Operation, 24>,
}

impl Damaged {
    fn run<M: Memory>(&self) {
        let size = Size::within(self.pes, self.slots, MOST);
        let rows = usize::from(self.rows % (MOST_ROWS + 1));
        let mut memory = M::new(size.pes, size.slots.into(), rows);
        let discipline = if self.easy {
            Discipline::Easy
        } else {
            Discipline::Fcfs
        };
        let jobs = usize::from(self.jobs % (MOST_JOBS + 1));
        let mut queue = waiting::queue(discipline, jobs);
        let mut handles = Vec::new();
        if let Some(mut book) = memory.open() {
            let mut queue = queue.view();
            for operation in &self.before.0 {
                operate(
                    &mut book,
                    &mut queue,
                    &size.operation(*operation),
                    &mut handles,
                );
            }
        }
        for blow in &self.blows.0 {
            memory.strike(blow);
        }
        for blow in &self.queue_blows.0 {
            waiting::strike(&mut queue, blow);
        }
        if let Some(book) = memory.open() {
            self.go_on(book, queue.view(), size, handles);
        }
    }

    fn go_on<R: Ring>(
        &self,
        mut book: Book<'_, R>,
        mut queue: Queue<'_>,
        size: Size,
        mut handles: Handles,
    ) {
        read(&mut book, &queue, self.ask, self.inquiry, &handles);
        // The queue's checker checks the book, too.
        if queue.check_invariants(&mut book).is_err() {
            return;
        }
        for operation in &self.after.0 {
            let folded = size.operation(*operation);
            operate(&mut book, &mut queue, &folded, &mut handles);
            let verdict = queue.check_invariants(&mut book);
            assert_eq!(verdict, Ok(()), "after {operation:?} on {size:?}");
        }
    }
}

fuzz_target!(|input: Damaged| {
    if input.early {
        input.run::<BoxedPeBook<u32>>();
    } else {
        input.run::<BoxedCountBook>();
    }
});
