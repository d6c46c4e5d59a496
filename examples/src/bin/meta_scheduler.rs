//! A meta-scheduler for a hundred sites.
//!
//! Each site is a machine with a book of its own. A customer does not care which one runs a job, and wants it to start as early as possible. A
//! [`MetaScheduler`] finds the best site without
//! searching them all. An operator still works on the book of a single site.
//!
//! `cargo run -p bookahead-examples --bin meta_scheduler`

use std::{error::Error, fmt::Write};

use bookahead::{Commitment, EventKind, PeCount, Request, Slot, Span};
use bookahead_heap::{Binding, BoxedBook, MetaScheduler, Sizes};

const SITES: usize = 100;
/// Two weeks of hours.
const HOURS: u32 = 336;

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", two_weeks()?);
    Ok(())
}

/// What the meta-scheduler writes.
fn two_weeks() -> Result<String, Box<dyn Error>> {
    let book = |site: usize| {
        // Sites of 16, 32, 48 and 64 cores, whose customers get to know at once which cores they have, or only when their jobs start.
        let sizes = Sizes {
            pes: 16 * (site % 4 + 1) as u32,
            slots: HOURS,
            reservations: 200,
        };
        BoxedBook::new(Binding::ALL[site % 2], sizes)
    };
    let books: Vec<BoxedBook> = (0..SITES).map(book).collect::<Result<_, _>>()?;
    let mut sites = MetaScheduler::new(books)?;
    let mut log = String::new();

    // Many customers of the first week: 1 to 16 cores for 1 to 24 hours, as early as possible.
    let customers = 1_500;
    for number in 0..customers {
        let request = within(0, HOURS, 1 + number * 7 % 16, 1 + number * 5 % 24);
        sites.reserve(&request, Commitment::Confirmed)?;
    }
    let searched = sites.searches() as f64 / f64::from(customers);
    writeln!(
        log,
        "{customers} customers, {searched:.1} of {SITES} sites searched for each"
    )?;

    // Ada needs all of a large site, and Ben wants to think about it.
    let (site, ada) = sites.reserve(&within(0, HOURS, 64, 12), Commitment::Confirmed)?;
    writeln!(
        log,
        "Ada: 64 cores of site {site} from hour {} on",
        ada.start.get()
    )?;
    let hold = Commitment::Held { ttl: Span::new(3) };
    let (held_at, ben) = sites.reserve(&within(24, 96, 40, 12), hold)?;
    writeln!(
        log,
        "Ben: 40 cores of site {held_at} from hour {} on, on hold",
        ben.start.get()
    )?;
    if let Err(refused) = sites.plan(&within(0, 24, 64, 24)) {
        writeln!(log, "Cem: 64 cores for the first day: {}", refused.name())?;
    }

    // The operator of a large site empties it. The meta-scheduler is not told, and notices.
    let emptied = 63;
    let book = sites.book(emptied).ok_or("there are a hundred")?;
    for (handle, _) in book.iter() {
        book.cancel(handle)?;
    }
    let choice = sites.plan(&within(0, 24, 64, 24))?;
    sites.commit(&choice, Commitment::Confirmed)?;
    let start = choice.plan.window().start.get();
    writeln!(
        log,
        "Cem: 64 cores of site {} from hour {start} on",
        choice.book
    )?;

    // Three hours pass at all sites.
    let (mut started, mut expired) = (0, 0);
    for site in 0..sites.len() {
        for hour in 1..=3 {
            while let Some(event) = sites.next(site, Slot::new(hour))? {
                started += u32::from(event.kind == EventKind::Started);
                expired += u32::from(event.kind == EventKind::Expired);
            }
        }
    }
    writeln!(
        log,
        "hour 3: {started} jobs have started, {expired} hold has expired"
    )?;
    Ok(log)
}

/// So many cores for so many hours between two hours.
fn within(ready: u32, deadline: u32, cores: u32, hours: u32) -> Request {
    Request {
        ready: Slot::new(ready.into()),
        duration: Span::new(hours),
        deadline: Slot::new(deadline.into()),
        pes: PeCount::new(cores),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_two_weeks_are_as_the_page_shows() {
        let page = include_str!("../../../docs/several.md");
        assert!(page.contains(&super::two_weeks().unwrap()));
    }
}
