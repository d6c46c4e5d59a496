//! A book and a queue whose memory somebody else has written to. Whatever is in it: opening, checking and asking end, and nothing panics.
//! What the checker passes goes on as a sound book, and stays one.
#![no_main]

use std::hint::black_box;

use bookahead::{
    Book, ElasticRequest, Handle, Obstacle, Offer, OfferOrder, OfferTerms, PeCount, Policy, Queue,
    Request, Search, Slot, Span, Tariff, Window,
    raw::{BulkScan, Ring},
};
use bookahead_commands::{Command, Kernel, Kind, Scanned, Subject, kernel_of};
use bookahead_fuzz::{
    damage::{self, Strike},
    mutate::Histories,
};
use bookahead_heap::{BoxedCountBook, BoxedJobQueue, BoxedPeBook, SizeError, Sizes};
use bookahead_oracle::Playable;
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};

const HISTORIES: Histories = Histories {
    kinds: &[Kind::Counts, Kind::Sets],
    has_layer: false,
    shapes: &[(4, 64, 4), (40, 130, 16), (9, 70, 1)],
    is_damaged: true,
    on_layouts: false,
};

/// A history up to what is written to the memory, what is written, and how it goes on.
struct Damaged {
    before: Playable,
    strikes: Vec<Strike>,
    after: Playable,
}

impl Damaged {
    /// Lines behind the first write go on with the damaged book, further writes among them are made with the first.
    fn of(text: &str) -> Option<Self> {
        let is_strike = |line: &&str| line.starts_with("strike");
        let first = text.lines().next()?;
        let history = |lines: Vec<&str>| Playable::of(&lines.join("\n")).ok().flatten();
        let before = text.lines().take_while(|line| !is_strike(line));
        let after = text.lines().skip_while(|line| !is_strike(line));
        let after = after.filter(|line| !is_strike(line));
        let strikes = text.lines().filter(is_strike).map(str::parse);
        Some(Self {
            before: history(before.collect())?,
            strikes: strikes.collect::<Result<_, _>>().ok()?,
            after: history([first].into_iter().chain(after).collect())?,
        })
    }

    fn run<M: damage::Memory>(&self, make: impl Fn(Sizes) -> Result<M, SizeError>)
    where
        Scanned<M, BulkScan>: bookahead_commands::Memory,
    {
        let mut kernel = kernel_of::<M, BulkScan>(&self.before.size, make).expect("it is small");
        for command in &self.before.commands {
            kernel.perform(command);
        }
        let handles = handles_in(&bookahead_commands::Memory::view(&mut kernel.book));
        for strike in &self.strikes {
            if strike.is_queue {
                damage::strike_queue(&mut kernel.queue, strike);
            } else {
                kernel.book.memory.strike(strike);
            }
        }
        let is_sound = match kernel.book.memory.open() {
            None => false,
            Some(mut book) => {
                let queue = kernel.queue.view();
                self.read(&mut book, &queue, &handles);
                // The queue's checker checks the book, too.
                queue.check_invariants(&mut book).is_ok()
            }
        };
        if is_sound {
            self.go_on(kernel);
        }
    }

    fn go_on<M: damage::Memory>(&self, mut kernel: Kernel<Scanned<M, BulkScan>, BoxedJobQueue>)
    where
        Scanned<M, BulkScan>: bookahead_commands::Memory,
    {
        for command in &self.after.commands {
            kernel.perform(command);
            let mut book = bookahead_commands::Memory::view(&mut kernel.book);
            let verdict = kernel.queue.view().check_invariants(&mut book);
            assert_eq!(verdict, Ok(()), "after {command}");
        }
    }

    /// What is asked for behind the writes first, or as much as there is.
    fn asked(&self, now: Slot) -> Request {
        let asked = self
            .after
            .commands
            .iter()
            .find_map(|command| match command {
                Command::Explain(request, _)
                | Command::Book(request, ..)
                | Command::Plan(request, _) => Some(*request),
                _ => None,
            });
        asked.unwrap_or(Request {
            ready: now,
            duration: Span::new(1),
            deadline: now.saturating_add(self.before.size.horizon),
            pes: PeCount::new(1),
        })
    }

    /// Asks whatever can be asked without changing anything, of whatever there is in the memory.
    fn read<R: Ring>(&self, book: &mut Book<'_, R>, queue: &Queue<'_>, handles: &[Handle]) {
        let request = self.asked(book.now());
        let (slots, rows) = (book.horizon().get() as usize, book.capacity());
        black_box((book.pes(), book.len(), book.next_event()));
        assert!(book.iter().count() <= (slots + 1) * rows);
        assert!(book.records().count() <= slots + 1);
        assert!(book.starting_at(request.ready).count() <= rows);
        let window = Window {
            start: request.ready,
            end: request.deadline,
        };
        assert!(book.covering(window).count() <= (slots + 1) * rows);
        let mut obstacles = heapless::Vec::<Obstacle, 4>::new();
        let _ = black_box(book.explain(&request, &mut obstacles));
        for policy in Policy::ALL {
            let _ = black_box(book.plan(&request, policy));
        }
        if let Ok(starts) = book.candidate_starts(&request) {
            assert!(starts.count() <= slots + 1);
        }
        self.ask_elastically(book, &request);
        assert!(queue.iter().count() <= queue.capacity());
        black_box((queue.len(), queue.shadow(book), queue.next_event(book)));
        black_box(book.free_during(window));
        black_box(book.rectangle(request.ready, request.duration));
        let unknown = [0, 1, 1 << 32, u64::MAX].map(Handle::from_bits);
        for handle in handles.iter().chain(&unknown) {
            let _ = black_box((book.get(*handle), book.is_frozen(*handle)));
            if let Ok(pes) = book.pes_of(*handle) {
                assert!(pes.count() <= usize::from(u16::MAX));
            }
        }
    }

    /// The elastic query behind the writes, or one for what is asked for.
    fn ask_elastically<R: Ring>(&self, book: &mut Book<'_, R>, request: &Request) {
        let asked = self
            .after
            .commands
            .iter()
            .find_map(|command| match command {
                Command::Offers(query, terms, _) => Some((*query, *terms)),
                _ => None,
            });
        let (query, terms) = asked.unwrap_or_else(|| {
            let query = ElasticRequest {
                ready: request.ready,
                deadline: request.deadline,
                duration: Some(request.duration),
                pes: None,
            };
            let terms = OfferTerms {
                search: Search::StripPacking,
                order: OfferOrder::Longest,
                ttl: Span::new(1),
                tariff: Tariff::FREE,
            };
            (query, terms)
        });
        let mut offers = heapless::Vec::<Offer, 8>::new();
        let _ = black_box(book.offers(&query, &terms, &mut offers));
    }
}

fn handles_in<R: Ring>(book: &Book<'_, R>) -> Vec<Handle> {
    book.iter().map(|(handle, _)| handle).collect()
}

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Some(damaged) = str::from_utf8(bytes).ok().and_then(Damaged::of) else {
        return Corpus::Reject;
    };
    match (damaged.before.size.kind, damaged.before.size.has_layer) {
        (Kind::Sets, false) => damaged.run(BoxedPeBook::<u32>::new),
        (Kind::Counts, false) => damaged.run(BoxedCountBook::new),
        _ => return Corpus::Reject,
    }
    Corpus::Keep
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    HISTORIES.mutate(data, size, max_size, seed)
});
