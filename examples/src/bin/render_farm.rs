//! A render farm of eight nodes: customers who cannot have what they want are offered something else, at a price, and jobs without a
//! reservation fill what is left.
//!
//! A slot is a quarter of an hour, and slot 0 begins at 08:00. Nodes are alike, so they are bound when a job starts: a [`CountBook`].
//!
//! `cargo run -p bookahead-examples --bin render_farm`

use std::{error::Error, fmt::Write};

use bookahead::{
    BestEffortJob, Book, Commitment, CountBook, Discipline, ElasticRequest, Event, Factor,
    JobQueue, Money, Offer, OfferOrder, OfferTerms, PeCount, Policy, Queue, Request, Search, Slot,
    Span, Take, Tariff, raw::CountRing,
};

const NODES: u16 = 8;
/// Half a day.
const SLOTS: u32 = 48;

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", a_morning()?);
    Ok(())
}

fn a_morning() -> Result<String, Box<dyn Error>> {
    let mut memory = CountBook::<1, 8, 16>::new(PeCount::new(NODES.into()), Span::new(SLOTS))?;
    let mut waiting = JobQueue::<16>::new(Discipline::Easy);
    let mut farm = Farm {
        book: memory.view(),
        queue: waiting.view(),
        log: String::new(),
    };
    for (ready, slots, nodes) in [(2, 6, 5), (12, 4, 8)] {
        farm.book.reserve(
            &request(ready, slots, nodes),
            Policy::FirstFit,
            Commitment::Confirmed,
        )?;
    }

    // Six nodes for two hours by noon: there is no such room, but something like it.
    let wish = ElasticRequest {
        ready: Slot::new(0),
        deadline: Slot::new(16),
        duration: Some(Span::new(8)),
        pes: Some(PeCount::new(6)),
    };
    farm.show(&wish, Search::StripPacking)?;
    let offers = farm.show(&wish, Search::ParetoFront)?;
    let longest = offers.first().ok_or("nothing to offer")?;
    farm.take(longest, longest.whole())?;

    // Whoever did not reserve waits for room; the small job passes the large one, which it does not delay.
    farm.submit("large", 4, 4)?;
    farm.submit("small", 2, 1)?;
    farm.pass_to(16)?;
    Ok(farm.log)
}

struct Farm<'m> {
    book: Book<'m, CountRing<'m>>,
    queue: Queue<'m>,
    log: String,
}

impl Farm<'_> {
    /// Prints what the farm could do instead, the longest first.
    fn show(
        &mut self,
        wish: &ElasticRequest,
        search: Search,
    ) -> Result<Vec<Offer>, Box<dyn Error>> {
        // Two cents for a minute on a node, three times as much reserved.
        let tariff = Tariff::new(Money::new(20_000), Factor::from_num(3), 15);
        let terms = OfferTerms {
            search,
            order: OfferOrder::Longest,
            ttl: Span::new(1),
            tariff: tariff.ok_or("no such tariff")?,
        };
        let mut offers = heapless::Vec::<Offer, 8>::new();
        let offered = self.book.offers(wish, &terms, &mut offers)?;
        writeln!(
            self.log,
            "{}, solution: {}",
            search.name(),
            offered.solution
        )?;
        for offer in &offers {
            let (from, until) = (hour(offer.window.start), hour(offer.window.end));
            let dollars = offer.price.get() / 1_000_000;
            writeln!(
                self.log,
                "  {from}-{until} {} nodes ${dollars}",
                offer.pes.get()
            )?;
        }
        Ok(offers.iter().copied().collect())
    }

    fn take(&mut self, offer: &Offer, take: Take) -> Result<(), Box<dyn Error>> {
        let booking = self.book.accept(offer, take, Commitment::Confirmed)?;
        writeln!(self.log, "booked from {}", hour(booking.start))?;
        Ok(())
    }

    fn submit(&mut self, name: &str, slots: u32, nodes: u16) -> Result<(), Box<dyn Error>> {
        let job = BestEffortJob {
            estimate: Span::new(slots),
            pes: PeCount::new(nodes.into()),
        };
        let ticket = self.queue.submit(&mut self.book, &job)?;
        writeln!(self.log, "{name} waits as {}", ticket.get())?;
        Ok(())
    }

    /// Time passes, slot by slot, and what happens is written down with the ticket of a job that has waited.
    fn pass_to(&mut self, slot: u64) -> Result<(), Box<dyn Error>> {
        for to in 0..=slot {
            let mut events = heapless::Vec::<Event, 32>::new();
            let to = Slot::new(to);
            let _ = self.queue.advance(&mut self.book, to, &mut events)?;
            for event in events {
                let ticket = event.ticket.map(|ticket| format!(" job {}", ticket.get()));
                let job = ticket.unwrap_or_default();
                writeln!(self.log, "{} {}{job}", hour(event.at), event.kind.name())?;
            }
        }
        Ok(())
    }
}

fn request(ready: u64, slots: u32, nodes: u16) -> Request {
    let ready = Slot::new(ready);
    Request {
        ready,
        duration: Span::new(slots),
        deadline: ready.saturating_add(Span::new(slots)),
        pes: PeCount::new(nodes.into()),
    }
}

fn hour(slot: Slot) -> String {
    let minutes = 8 * 60 + slot.get() * 15;
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_morning_goes_as_told() {
        let expected = "\
strip-packing, solution: false
  10:00-11:00 8 nodes $28
  08:00-08:30 8 nodes $14
pareto-front, solution: false
  08:00-10:00 3 nodes $21
  10:00-11:00 6 nodes $21
  08:00-08:30 6 nodes $10
booked from 08:00
large waits as 1
small waits as 2
08:00 started
08:00 best-effort-started job 2
08:30 overran job 2
08:30 started
10:00 overran
10:00 overran
10:00 best-effort-started job 1
11:00 overran job 1
11:00 started
12:00 overran
";
        assert_eq!(a_morning().unwrap(), expected);
    }
}
