//! `bookahead ask`: what could I get?

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use bookahead::{Money, OfferOrder, PeCount, Request, Slot, SlotClock, Span};
use bookahead_heap::BoxedBook;
use bookahead_store::{Disk, StoreError, verify};
use clap::{Args, builder::PossibleValue};

use super::{basics::Basics, prices::Amount, screen, store::Folder, values};
use crate::{
    ask::{self, Answer, MOST, Ranges, Ranked, Site},
    error::{Error, Result},
    explain::reasons,
    output,
    report::words::{grouped, plural},
    text_file,
};

/// Say what could be booked, of books that are kept in stores: the best offers for ranges of PEs and durations
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(super) struct Ask {
    /// The folders of the stores, which are looked at as they are
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,
    /// How many PEs, or from how many to how many [default: from 1 to all]
    #[arg(long, value_name = "N|N-M", value_parser = sizes::<u16>)]
    pes: Option<[u16; 2]>,
    /// For how many seconds, or from how many to how many [default: from a slot to as long as there is]
    #[arg(long, value_name = "S|S-S", value_parser = sizes::<u64>)]
    duration: Option<[u64; 2]>,
    /// The second from which on the PEs are of use [default: now, as the book says]
    #[arg(long, value_name = "S", value_parser = values::whole::<u64>(0..=u64::MAX))]
    ready: Option<u64>,
    /// The second by which it is over [default: as far as each book reaches]
    #[arg(long, value_name = "S", value_parser = values::whole::<u64>(0..=u64::MAX))]
    deadline: Option<u64>,
    /// Seconds of a slot of these books
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = values::whole::<u32>(1..=u32::MAX.into()))]
    slot_seconds: u32,
    /// What a PE costs for a slot: one amount for all books, or one for each, in their order [default: nothing]
    #[arg(long, value_name = "AMOUNT,...", value_delimiter = ',')]
    price: Vec<Amount>,
    /// What the best offer is; of equal ones the earliest, then the cheapest
    #[arg(long, value_name = "ORDER", default_value = "earliest", value_parser = values::one_of(orders()))]
    sort: OfferOrder,
    /// How many offers are shown
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = values::whole::<u16>(1..=MOST as u64))]
    offers: u16,
    /// Draw the calendar into this file as well
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
}

const MORE: &str = "\
An offer is shown if no other one starts earlier, lasts longer, has more PEs or costs less for each of them without a loss in another respect. What \
could be booked within the ranges is a part of one of them. Stores are read as far as they are on the disk, also while a service has them open; it is the \
service that books.

Examples:
  bookahead ask promises --pes 8-32 --duration 60-240
  bookahead ask north south --price 0.05,0.04 --pes 16 --duration 600 \\
    --sort cheapest --svg offers.svg";

fn orders() -> Vec<values::Named<OfferOrder>> {
    let named = |order: OfferOrder, help| (PossibleValue::new(order.name()).help(help), order);
    vec![
        named(OfferOrder::Earliest, "The one that starts first"),
        named(OfferOrder::Longest, "The one that lasts longest"),
        named(OfferOrder::Widest, "The one with the most PEs"),
        named(OfferOrder::Cheapest, "The one that costs least as a whole"),
    ]
}

/// A whole number above 0, or two of them with a dash between.
fn sizes<T: TryFrom<u64>>(text: &str) -> std::result::Result<[T; 2], String> {
    let number = |text: &str| text.parse::<u64>().ok().filter(|number| *number > 0);
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let both = number(least)
        .zip(number(most))
        .filter(|(least, most)| least <= most);
    let both =
        both.and_then(|(least, most)| Some([T::try_from(least).ok()?, T::try_from(most).ok()?]));
    both.ok_or_else(|| {
        "expected a whole number above 0 that a book can have, or a range of them such as 8-32"
            .to_owned()
    })
}

impl Ask {
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        let clock = SlotClock::new(self.slot_seconds, 0);
        let clock = clock.ok_or_else(|| Error::Internal("a slot of no seconds".to_owned()))?;
        let ranges = self.ranges(clock)?;
        let mut sites = Vec::new();
        for (number, dir) in self.dirs.iter().enumerate() {
            let busy = basics
                .progress()
                .busy(&format!("reading {}", dir.display()));
            sites.push(self.site(dir, number)?);
            drop(busy);
        }
        let answer = ask::ask(&mut sites, &ranges, self.sort);
        let shown = match answer.offers.is_empty() {
            true => &answer.less,
            false => &answer.offers,
        };
        let shown = shown.get(..usize::from(self.offers)).unwrap_or(shown);
        let slot = self.slot_seconds.into();
        screen::results(|out| {
            self.say(&mut sites, &ranges, &answer, shown, out)?;
            write!(out, "\n{}", ask::calendar(&mut sites, &ranges, shown, slot))
        })?;
        if let Some(file) = &self.svg {
            let picture = ask::picture(&mut sites, &ranges, shown, slot);
            let picture = picture.ok_or_else(|| {
                Error::Usage("--svg: no time to draw between --ready and --deadline".to_owned())
            })?;
            text_file::write(file, |out| writeln!(out, "{}", picture.into_string()))?;
            screen::line(&format!("drawn into {}", file.display()))?;
        }
        Ok(())
    }

    /// What is asked of each book, in slots.
    fn ranges(&self, clock: SlotClock) -> Result<Ranges> {
        let beyond = |option: &str| {
            Error::Usage(format!(
                "{option} lies behind the last slot that can be counted"
            ))
        };
        let span = |seconds| {
            clock
                .span_rounding_up(seconds)
                .ok_or_else(|| beyond("--duration"))
        };
        let duration = match self.duration {
            Some([least, most]) => [span(least)?, span(most)?],
            None => [Span::new(1), Span::new(u32::MAX)],
        };
        let [fewest, most] = self.pes.unwrap_or([1, u16::MAX]);
        let ready = self.ready.map(|second| {
            clock
                .slot_rounding_up(second)
                .ok_or_else(|| beyond("--ready"))
        });
        let deadline = self.deadline.map(|second| {
            clock
                .slot_rounding_down(second)
                .ok_or_else(|| beyond("--deadline"))
        });
        Ok(Ranges {
            ready: ready.transpose()?,
            deadline: deadline.transpose()?,
            duration,
            pes: [PeCount::new(fewest.into()), PeCount::new(most.into())],
        })
    }

    fn site(&self, dir: &Path, number: usize) -> Result<Site> {
        let rate = match (&self.price[..], self.dirs.len()) {
            ([], _) => Money::ZERO,
            ([one], _) => one.0,
            (each, books) if each.len() == books => each[number].0,
            (each, books) => {
                return Err(Error::Usage(format!(
                    "--price: found {}, expected one for all books or one for each of the {}",
                    plural(each.len(), "amount"),
                    grouped(books)
                )));
            }
        };
        Ok(Site {
            name: dir.display().to_string(),
            book: book_of(dir)?,
            rate,
        })
    }

    /// The answer in words and as a table.
    fn say(
        &self,
        sites: &mut [Site],
        ranges: &Ranges,
        answer: &Answer,
        shown: &[Ranked],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        for (site, error) in &answer.refused {
            let why = match error {
                bookahead::Error::Refused(refusal) => reasons::meaning(refusal.name()),
                bookahead::Error::Misused(misuse) => reasons::meaning(misuse.name()),
            };
            writeln!(out, "{} offers nothing: {why}", sites[*site].name)?;
        }
        for site in &answer.cut {
            writeln!(
                out,
                "{} has more than {} offers, and those that rank last are missing; ask in narrower ranges for them",
                sites[*site].name,
                grouped(MOST)
            )?;
        }
        match answer.offers.len() {
            0 if answer.less.is_empty() => writeln!(out, "there is no offer")?,
            0 => writeln!(
                out,
                "there is no offer within these ranges; less than they ask for could be had:"
            )?,
            some => writeln!(
                out,
                "{}, {} first{}:",
                plural(some, "offer"),
                the(self.sort),
                match some - shown.len() {
                    0 => String::new(),
                    _ => format!(", of which {} are shown", shown.len()),
                }
            )?,
        }
        if answer.offers.is_empty() {
            for site in sites.iter_mut() {
                if let Some(start) = later(&mut site.book, ranges) {
                    let second = start.get().saturating_mul(self.slot_seconds.into());
                    writeln!(
                        out,
                        "in {} the least of it would fit from second {} on",
                        site.name,
                        grouped(second as usize)
                    )?;
                }
            }
        }
        let rows: Vec<[String; 7]> = shown
            .iter()
            .enumerate()
            .map(|(place, one)| self.row(sites, place, one))
            .collect();
        if !rows.is_empty() {
            screen::table(&COLUMNS, &rows, out)?;
        }
        Ok(())
    }

    fn row(&self, sites: &[Site], place: usize, one: &Ranked) -> [String; 7] {
        let window = one.offer.window;
        let seconds = |slots: u64| grouped(slots.saturating_mul(self.slot_seconds.into()) as usize);
        let length = one.offer.whole().duration.get();
        [
            (place + 1).to_string(),
            sites[one.site].name.clone(),
            seconds(window.start.get()),
            seconds(window.end.get()),
            seconds(length.into()),
            one.offer.pes.get().to_string(),
            output::units(one.offer.price).to_string(),
        ]
    }
}

/// The book in a folder, also of a store that a service has open.
fn book_of(dir: &Path) -> Result<BoxedBook> {
    let folder = Folder(dir);
    let read = |mut disk: Disk| {
        let (_, book) = folder.book(&mut disk)?;
        let contents = verify(&mut disk, book).map_err(|error| folder.told(&error))?;
        Ok(contents.book)
    };
    folder.is_there()?;
    let mut tries = 3;
    loop {
        tries -= 1;
        let disk = match Disk::look(dir) {
            Err(StoreError::Locked) => Disk::beside(dir),
            looked => return read(looked.map_err(|error| folder.told(&error))?),
        };
        match read(disk) {
            // A compaction may have taken a file away in the middle.
            Err(_) if tries > 0 => {}
            done => return done,
        }
    }
}

const COLUMNS: [&str; 7] = ["", "book", "start", "end", "seconds", "PEs", "price"];

/// What stands first.
fn the(order: OfferOrder) -> &'static str {
    match order {
        OfferOrder::Discovery | OfferOrder::Earliest => "the earliest",
        OfferOrder::Longest => "the longest",
        OfferOrder::Widest => "the widest",
        OfferOrder::Cheapest => "the cheapest",
    }
}

/// The earliest start behind the deadline at which the least that is of use would fit.
fn later(book: &mut BoxedBook, ranges: &Ranges) -> Option<Slot> {
    let request = Request {
        ready: ranges.ready.unwrap_or(book.now()),
        duration: ranges.duration[0],
        deadline: ranges.deadline?,
        pes: ranges.pes[0],
    };
    let mut obstacles = heapless::Vec::<_, 1>::new();
    book.explain(&request, &mut obstacles).ok()?.later
}
