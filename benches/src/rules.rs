//! What it costs to let time pass slot by slot in a book with rules, beside a book without, and to search in it.

use bookahead::{
    Absent, Advanced, Book, Broken, Commitment, Event, Policy, Request, Rule, Slot, Span, heapless,
    raw::Ring,
};
use bookahead_heap::{BoxedPeBook, BoxedRules, BoxedWorkspace, HostColumn, Sizes};

use crate::{MACHINE, Mean, Stopwatch, Workload};

/// Half of each day, in slots of a minute, each rule takes a processing element of its own, of the highest numbers, each from another slot on.
const PERIOD: u32 = 1_440;
/// Slots that pass in one measurement, and measurements.
const SLOTS: u64 = 64;
const TURNS: usize = 16;

/// Queries, and how many are measured at once.
const QUERIES: usize = 1_024;
const BATCH: usize = 64;

/// Books in their steady states.
pub struct Ruled {
    plain: BoxedPeBook<HostColumn>,
    ruled: BoxedPeBook<HostColumn>,
    rules: BoxedRules<HostColumn>,
    queries: Vec<Request>,
}

impl Ruled {
    /// A book of so many reservations without rules, and one with 16, of which half apply in each slot.
    ///
    /// # Panics
    ///
    /// When there is not enough memory.
    #[must_use]
    pub fn new(live: usize, seed: u64) -> Self {
        let mut workload = Workload::new(live, seed);
        let sizes = Sizes {
            pes: MACHINE.into(),
            slots: workload.slots(),
            reservations: live + 1,
        };
        let mut plain = BoxedPeBook::<HostColumn>::new(sizes).expect("a host has the memory");
        let columns = usize::from(MACHINE) / 512;
        let mut ruled = plain.clone();
        let mut rules = BoxedRules::with_columns(columns).expect("a host has the memory");
        fill(&mut plain.view(), &workload);
        let book = ruled.view().with_rules(rules.view());
        let mut book = book.expect("the rules are those of this book");
        set_rules(&mut book, columns);
        fill(&mut book, &workload);
        let queries = (0..QUERIES).map(|_| workload.request()).collect();
        Self {
            plain,
            ruled,
            rules,
            queries,
        }
    }

    /// An advance by one slot with its events, without rules and with them: nanoseconds.
    #[must_use]
    pub fn advance(&self, watch: &Stopwatch, rounds: usize) -> [Mean; 2] {
        let mut means = [Mean::over(SLOTS as usize), Mean::over(SLOTS as usize)];
        for _ in 0..rounds {
            let (mut plain, mut ruled) = (self.plain.clone(), self.ruled.clone());
            let mut rules = self.rules.clone();
            for turn in 0..TURNS {
                means[0].add(turn, pass(watch, &mut plain.view()));
                let book = ruled.view().with_rules(rules.view());
                means[1].add(turn, pass(watch, &mut book.expect("as above")));
            }
        }
        means
    }

    /// A search in the book with rules, opened without them and with them, so that the slots are the same: nanoseconds.
    ///
    /// # Panics
    ///
    /// When the answers differ.
    pub fn search(&mut self, watch: &Stopwatch, policy: Policy, rounds: usize) -> [Mean; 2] {
        let mut means = [Mean::over(BATCH), Mean::over(BATCH)];
        for _ in 0..rounds {
            for (turn, batch) in self.queries.chunks_exact(BATCH).enumerate() {
                let mut starts = [Vec::new(), Vec::new()];
                let mut book = self.ruled.view();
                means[0].add(turn, find(watch, &mut book, batch, policy, &mut starts[0]));
                let book = self.ruled.view().with_rules(self.rules.view());
                let mut book = book.expect("as above");
                means[1].add(turn, find(watch, &mut book, batch, policy, &mut starts[1]));
                assert_eq!(starts[0], starts[1], "the slots are the same");
            }
        }
        means
    }
}

/// Looks for a start for each request, for the second time: what is asked first finds neither data in the caches nor branches that are known.
fn find<R: Ring>(
    watch: &Stopwatch,
    book: &mut Book<'_, R>,
    batch: &[Request],
    policy: Policy,
    starts: &mut Vec<Option<Slot>>,
) -> f64 {
    let mut find = || {
        starts.clear();
        watch.time(batch, |request| {
            let plan = book.plan(request, policy);
            starts.push(plan.ok().map(|plan| plan.window().start));
        })
    };
    find();
    find()
}

fn fill<R: Ring>(book: &mut Book<'_, R>, workload: &Workload) {
    workload.clone().fill(book, |book, request, _| {
        book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)
    });
}

fn set_rules<R: Ring<Part = HostColumn>>(book: &mut Book<'_, R>, columns: usize) {
    let workspace = BoxedWorkspace::<HostColumn>::with_columns(columns, Rule::MOST, 0);
    let mut workspace = workspace.expect("a host has the memory");
    let mut transaction = book.transaction(workspace.view(), u64::MAX);
    for number in 0..Rule::MOST {
        let mut set = [0; MACHINE as usize / 32];
        set[set.len() - 1] = 1 << number;
        let rule = Rule {
            phase: Span::new(PERIOD / Rule::MOST as u32 * number as u32),
            period: Span::new(PERIOD),
            length: Span::new(PERIOD / 2),
        };
        let mut broken = heapless::Vec::<Broken, 1>::new();
        let set = transaction.set_rule(number, Some((rule, Absent::These(&set))), &mut broken);
        set.expect("nobody is there");
    }
    transaction.commit().expect("nobody was lifted");
}

/// Lets slots pass one by one.
fn pass<R: Ring>(watch: &Stopwatch, book: &mut Book<'_, R>) -> f64 {
    let now = book.now().get();
    let slots: Vec<Slot> = (1..=SLOTS).map(|slot| Slot::new(now + slot)).collect();
    let mut events = heapless::Vec::<Event, 1_024>::new();
    watch.time(&slots, |to| {
        events.clear();
        let advanced = book.advance(*to, &mut events);
        assert_eq!(advanced, Ok(Advanced::Done));
    })
}
