//! A site that sells nodes together with licences of a program.
//!
//! Nodes are a book with early binding, since customers are told which ones they get; licences are a pool, and a book with late binding. A project has a [`Quota`]: so many nodes at
//! once, and so many node-hours a day. A [`Several`] decides all of it as one: a customer gets nodes and licences at the same time, within the quota of the project, or nothing.
//!
//! On another day two sites offer what they have, by ranges of nodes and hours and at prices that follow demand, and somebody asks when a job without a deadline will start.
//!
//! `cargo run -p bookahead-examples --bin cloud_desk`

use std::{collections::BTreeMap, error::Error, fmt::Write};

use bookahead::{
    BookPart, CountBook, CountView, DemandStep, Joined, JointError, JointRequest, Money, Need,
    PeBook, PeCount, Period, Quota, Refusal, Resource, Several, Slot, Span, StartBands, Tie,
    Window,
};

const HOURS: u32 = 24;
const NODES: u32 = 16;
const LICENCES: u32 = 5;
/// How many nodes the project may have at once, and how many node-hours a day.
const AT_ONCE: u32 = 8;
const A_DAY: u64 = 30;
const RESERVATIONS: usize = 16;
/// How many slots a search may look at.
const WORK: u64 = 10_000;
/// The names of the books, in their order.
const POOLS: [&str; 3] = ["nodes", "licences", "quota"];

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}\n{}", a_day()?, a_market()?);
    Ok(())
}

/// All books, each with the memory beside it.
fn joined<'b>(
    books: [&'b mut dyn Resource; 3],
    ties: &'b mut [[Tie; RESERVATIONS]; 3],
) -> [Joined<'b>; 3] {
    let mut ties = ties.iter_mut();
    books.map(|book| Joined {
        book,
        ties: ties.next().expect("there are as many"),
    })
}

/// What the desk writes on a day, an hour for each slot.
fn a_day() -> Result<String, Box<dyn Error>> {
    let mut nodes = PeBook::<u32, 1, 1, RESERVATIONS>::new(PeCount::new(NODES), Span::new(HOURS))?;
    let mut licences = CountBook::<1, { LICENCES as usize }, RESERVATIONS>::new(
        PeCount::new(LICENCES),
        Span::new(HOURS),
    )?;
    let mut used = CountBook::<1, { AT_ONCE as usize }, RESERVATIONS>::new(
        PeCount::new(AT_ONCE),
        Span::new(HOURS),
    )?;
    let mut days = [1, 2].map(|day| Period::new(Slot::new(day * u64::from(HOURS)), A_DAY));
    let (mut nodes, mut licences) = (nodes.view(), licences.view());
    let mut quota = Quota::new(used.view(), &mut days).expect("the days are in order");
    let mut ties = [[Tie::NONE; RESERVATIONS]; 3];
    let mut log = String::new();

    let mut books = joined([&mut nodes, &mut licences, &mut quota], &mut ties);
    let mut desk = Desk {
        site: Several::new(&mut books)?,
        customers: BTreeMap::new(),
        log: &mut log,
    };
    let ada = desk.book("Ada", [4, 3, 4], 2..12, 4)?;
    // There are nodes enough beside Ada's, but two licences: both wait for the licences.
    desk.book("Ben", [4, 3, 0], 2..12, 4)?;
    desk.book("Cem", [8, 0, 0], 2..12, 4)?;
    // There are nodes at some time of the window, and licences at none.
    let refused = desk.book("Dora", [2, 4, 2], 2..10, 4).unwrap_err();
    assert_eq!(
        (refused.book, refused.error),
        (Some(1), Refusal::NoRoom.into())
    );
    // Of the 30 node-hours of the day, 14 are left.
    let refused = desk.book("Eve", [8, 0, 8], 2..24, 2).unwrap_err();
    assert_eq!(refused.book, Some(2));
    // What Ada gives back are her nodes, her licences, and her node-hours.
    desk.cancel("Ada", ada)?;
    let dora = desk.book("Dora", [2, 4, 2], 2..10, 4)?;
    desk.book("Eve", [8, 0, 8], 2..24, 2)?;
    desk.pass(3)?;
    desk.longer("Dora", dora, 5)?;
    desk.pass(5)?;

    // An operator takes the nodes of Dora away, and knows nothing of licences.
    nodes.cancel(dora.handle)?;
    let mut books = joined([&mut nodes, &mut licences, &mut quota], &mut ties);
    let mut site = Several::new(&mut books)?;
    while let Some(part) = site.end_torn() {
        writeln!(
            log,
            "back from a lost reservation: {}",
            POOLS[part.book as usize]
        )?;
    }
    assert_eq!((nodes.len(), licences.len(), quota.book().len()), (3, 1, 1));
    Ok(log)
}

/// The desk: the books, and who has what.
struct Desk<'d, 's, 'b> {
    site: Several<'s, 'b>,
    customers: BTreeMap<u64, &'static str>,
    log: &'d mut String,
}

impl Desk<'_, '_, '_> {
    /// Books so many nodes and licences for so many of these hours, and as many nodes of the quota if the customer belongs to the project.
    fn book(
        &mut self,
        name: &'static str,
        needs: [u32; 3],
        within: std::ops::Range<u64>,
        hours: u32,
    ) -> Result<BookPart, JointError> {
        let request = JointRequest {
            ready: Slot::new(within.start),
            duration: Span::new(hours),
            deadline: Slot::new(within.end),
            needs: &needs.map(|pes| Need::new(PeCount::new(pes))),
        };
        let booked = self.site.reserve(&request, None, WORK);
        let said = match &booked {
            Ok(booking) => format!("from {}:00 on", booking.start.get()),
            Err(error) => self.refusal(error),
        };
        let [nodes, licences, quota] = needs;
        let of_project = if quota > 0 { " of the project" } else { "" };
        self.say(&format!(
            "{name}{of_project}: {nodes} nodes, {licences} licences: {said}"
        ));
        let part = booked?.part;
        self.customers.insert(part.handle.to_bits(), name);
        Ok(part)
    }

    fn cancel(&mut self, name: &str, part: BookPart) -> Result<(), JointError> {
        self.site.cancel(part)?;
        self.say(&format!("{name} cancels"));
        Ok(())
    }

    /// Lets a customer who runs go on for so many hours in all.
    fn longer(&mut self, name: &str, part: BookPart, hours: u32) -> Result<(), JointError> {
        let (start, end) = (Slot::new(2), Slot::new(HOURS.into()));
        let longer = self.site.alter(part, start, Span::new(hours), end, WORK);
        let said = match &longer {
            Ok(_) => "yes".to_owned(),
            Err(error) => self.refusal(error),
        };
        self.say(&format!("{name} asks for {hours} hours: {said}"));
        Ok(())
    }

    /// Lets time pass, and says what happens.
    fn pass(&mut self, hour: u64) -> Result<(), JointError> {
        while let Some((part, event)) = self.site.next(Slot::new(hour))? {
            let name = self.customers.get(&part.handle.to_bits());
            let name = name.copied().unwrap_or("somebody");
            self.say(&format!(
                "{}:00 {name}: {}",
                event.at.get(),
                event.kind.name()
            ));
        }
        Ok(())
    }

    /// What a refusal says, and of which pool.
    fn refusal(&self, error: &JointError) -> String {
        let pool = error
            .book
            .map_or("no single pool", |book| POOLS[book as usize]);
        format!("{} ({pool})", error.error.name())
    }

    fn say(&mut self, line: &str) {
        self.log.push_str(line);
        self.log.push('\n');
    }
}

/// What an hour costs on the first eight nodes of a site that are booked, and on each of the others.
const STEPS: [DemandStep; 2] = [
    DemandStep {
        busy: PeCount::ZERO,
        rate: Money::new(2),
    },
    DemandStep {
        busy: PeCount::new(8),
        rate: Money::new(5),
    },
];

/// A site that sells nodes and licences, with what ties them together.
struct Site<'m> {
    name: &'static str,
    nodes: CountView<'m>,
    licences: CountView<'m>,
    ties: [[Tie; RESERVATIONS]; 2],
}

/// Nodes with a licence that a site has for some hours.
#[derive(Clone, Copy, PartialEq)]
struct Offered {
    site: usize,
    start: u64,
    nodes: u32,
    hours: u32,
    price: u64,
}

impl Offered {
    /// Whether it is as good as another one in each respect: it starts no later, is no smaller, and no node-hour costs more.
    fn covers(&self, other: &Self) -> bool {
        let size = |of: &Self| u64::from(of.nodes * of.hours);
        let no_dearer = self.price * size(other) <= other.price * size(self);
        self.start <= other.start && size(self) >= size(other) && no_dearer
    }
}

impl Site<'_> {
    /// Asks both books as one.
    fn ask<A>(&mut self, ask: impl FnOnce(&mut Several<'_, '_>) -> A) -> Result<A, JointError> {
        let [of_nodes, of_licences] = &mut self.ties;
        let mut books = [
            Joined {
                book: &mut self.nodes,
                ties: of_nodes,
            },
            Joined {
                book: &mut self.licences,
                ties: of_licences,
            },
        ];
        Ok(ask(&mut Several::new(&mut books)?))
    }

    /// When it has so many nodes and a licence for so many hours before noon, and for how much.
    fn earliest(&mut self, nodes: u32, hours: u32) -> Result<(u64, u64), Box<dyn Error>> {
        let start = self.ask(|site| site.earliest(&before_noon(&needs(nodes), hours), WORK))??;
        let window = Window {
            start,
            end: start.saturating_add(Span::new(hours)),
        };
        let price = self
            .nodes
            .price_by_demand(&STEPS, window, PeCount::new(nodes))?;
        Ok((start.get(), price.get()))
    }

    /// Books it for good, or holds it for so many hours.
    fn book(&mut self, nodes: u32, hours: u32, hold: Option<Span>) -> Result<BookPart, JointError> {
        let booked =
            self.ask(|site| site.reserve(&before_noon(&needs(nodes), hours), hold, WORK))??;
        Ok(booked.part)
    }
}

/// So many nodes and a licence.
fn needs(nodes: u32) -> [Need; 2] {
    [nodes, 1].map(|pes| Need::new(PeCount::new(pes)))
}

fn before_noon(needs: &[Need], hours: u32) -> JointRequest<'_> {
    JointRequest {
        ready: Slot::new(0),
        duration: Span::new(hours),
        deadline: Slot::new(12),
        needs,
    }
}

/// What two sites offer to somebody who wants 4 to 10 nodes for 2 to 4 hours, and what becomes of it.
fn a_market() -> Result<String, Box<dyn Error>> {
    let [mut north, mut south] = [(); 2].map(|()| {
        let nodes = CountBook::<1, { NODES as usize }, RESERVATIONS>::new(
            PeCount::new(NODES),
            Span::new(HOURS),
        );
        let licences = CountBook::<1, 2, RESERVATIONS>::new(PeCount::new(2), Span::new(HOURS));
        (nodes.expect("it fits"), licences.expect("it fits"))
    });
    let mut sites = [("north", &mut north), ("south", &mut south)].map(|(name, memory)| Site {
        name,
        nodes: memory.0.view(),
        licences: memory.1.view(),
        ties: [[Tie::NONE; RESERVATIONS]; 2],
    });
    let mut log = String::new();
    // In the north two have the licences until 3:00, in the south one has most of the nodes until 8:00.
    sites[0].book(3, 3, None)?;
    sites[0].book(3, 3, None)?;
    sites[1].book(9, 8, None)?;

    let mut all = Vec::new();
    for (at, site) in sites.iter_mut().enumerate() {
        for (nodes, hours) in (4..=10).flat_map(|nodes| (2..=4).map(move |hours| (nodes, hours))) {
            let (start, price) = site.earliest(nodes, hours)?;
            all.push(Offered {
                site: at,
                start,
                nodes,
                hours,
                price,
            });
        }
    }
    let is_beaten = |one: &Offered| {
        let mut others = all.iter().filter(|other| *other != one);
        others.any(|other| other.covers(one) && !one.covers(other))
    };
    let mut front: Vec<Offered> = all.iter().filter(|one| !is_beaten(one)).copied().collect();
    front.sort_by_key(|offer| (offer.start, offer.price));
    for offer in &front {
        let site = sites[offer.site].name;
        writeln!(
            log,
            "{site}: from {}:00 on {} nodes for {} hours at {}",
            offer.start, offer.nodes, offer.hours, offer.price
        )?;
    }
    // Held at both sites until one is taken.
    let (left, taken) = front.first().zip(front.last()).expect("there are offers");
    let parts = [taken, left]
        .map(|offer| sites[offer.site].book(offer.nodes, offer.hours, Some(Span::new(1))));
    let [taken_part, left_part] = parts;
    let (taken_part, left_part) = (taken_part?, left_part?);
    sites[taken.site].ask(|site| site.confirm(taken_part))??;
    sites[left.site].ask(|site| site.cancel(left_part))??;
    writeln!(log, "Fay takes the last, and the first is free again")?;

    // Gil's job has no deadline. It is planned for 6:00, and others of such a plan waited for so many hours.
    let mut bands = StartBands::<16>::new();
    for (planned, waited) in [
        (6, 2),
        (5, 5),
        (7, 3),
        (4, 1),
        (6, 4),
        (5, 2),
        (7, 6),
        (4, 4),
        (6, 5),
    ] {
        bands.note(Span::new(planned), Span::new(waited));
    }
    let band = bands.band(Span::new(6), 800).expect("nine are enough");
    writeln!(
        log,
        "Gil's job is planned for 6:00, and starts between {}:00 and {}:00 in four of five cases",
        band.earliest.get(),
        band.latest.get()
    )?;
    Ok(log)
}

#[cfg(test)]
mod tests {
    #[test]
    fn both_days_are_as_the_page_shows() {
        let page = include_str!("../../../docs/several.md");
        assert!(page.contains(&super::a_day().unwrap()));
        assert!(page.contains(&super::a_market().unwrap()));
    }
}
