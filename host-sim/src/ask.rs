//! What could be had: offers for a request whose sizes are ranges, from one book or the best of several.

use std::cmp::Reverse;

use bookahead::{
    ElasticRequest, Error, Money, Offer, OfferOrder, OfferTerms, PeCount, Refusal, Search, Slot,
    Span, Tariff,
};
use bookahead_heap::BoxedBook;
use heapless::Vec as List;
use maud::{Markup, html};

use crate::columns::{Columns, level};

/// How many offers a book may list: a bound for the work and for what a reader can want.
pub const MOST: usize = 1_024;

/// A request whose sizes are ranges.
#[derive(Clone, Copy, Debug)]
pub struct Ranges {
    /// The earliest start, or `now`.
    pub ready: Option<Slot>,
    /// The latest end, or how far the book reaches.
    pub deadline: Option<Slot>,
    /// The shortest duration that is of use, and the longest.
    pub duration: [Span; 2],
    /// The fewest PEs that are of use, and the most.
    pub pes: [PeCount; 2],
}

/// A book that is asked.
#[derive(Clone, Debug)]
pub struct Site {
    /// What it is called.
    pub name: String,
    /// The book.
    pub book: BoxedBook,
    /// What a PE costs there for a slot.
    pub rate: Money,
}

/// An offer of one of several books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// Which book, from 0.
    pub site: usize,
    /// What it offers.
    pub offer: Offer,
}

impl Ranked {
    /// The length of the offer.
    fn slots(&self) -> u64 {
        self.offer.whole().duration.get().into()
    }

    fn pes(&self) -> u64 {
        self.offer.pes.get().into()
    }

    /// Whether nobody would rather have the other: it starts no later, lasts no shorter, has no fewer PEs and costs no more for each of them.
    fn covers(&self, other: &Self, sites: &[Site]) -> bool {
        let rate = |of: &Self| sites.get(of.site).map(|site| site.rate);
        self.offer.window.start <= other.offer.window.start
            && self.slots() >= other.slots()
            && self.pes() >= other.pes()
            && rate(self) <= rate(other)
    }
}

/// What the books answered.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// What could be had, the best first.
    pub offers: Vec<Ranked>,
    /// What could be had though it is too short or too narrow, where nothing else can, the best first.
    pub less: Vec<Ranked>,
    /// Why a book has no offer at all, and which.
    pub refused: Vec<(usize, Error)>,
    /// The books that had more than [`MOST`] offers, of which those that rank last are missing.
    pub cut: Vec<usize>,
}

/// The offers of all books that no other one betters in start, length, width and rate at once: the Pareto front. Whatever can be booked within the
/// ranges is a part of one of them, at the same start and the same rate.
///
/// Each book is asked once, [as it says](bookahead::Book::offers), and its list ends at [`MOST`]; O(offers x offers) to compare them.
///
/// ```
/// use bookahead::{Commitment, Money, OfferOrder, PeCount, Policy, Request, Slot, Span};
/// use bookahead_heap::{Binding, BoxedBook, Sizes};
/// use bookahead_sim::ask::{Ranges, Site, ask};
///
/// let sizes = Sizes { pes: 8, slots: 100, reservations: 10 };
/// let site = |name: &str, rate| -> Result<_, bookahead_heap::SizeError> {
///     Ok(Site { name: name.to_owned(), book: BoxedBook::new(Binding::Late, sizes)?, rate: Money::new(rate) })
/// };
/// let mut sites = [site("near", 5)?, site("cheap", 3)?];
/// // The cheap one is full until slot 30.
/// let all = Request { ready: Slot::new(0), duration: Span::new(30), deadline: Slot::new(30), pes: PeCount::new(8) };
/// sites[1].book.reserve(&all, Policy::FirstFit, Commitment::Confirmed).unwrap();
/// let ranges = Ranges {
///     ready: None, deadline: None, duration: [Span::new(10), Span::new(20)], pes: [PeCount::new(4), PeCount::new(6)],
/// };
/// let answer = ask(&mut sites, &ranges, OfferOrder::Earliest);
/// let starts: Vec<_> = answer.offers.iter().map(|one| (one.site, one.offer.window.start.get())).collect();
/// assert_eq!(starts, [(0, 0), (1, 30)]);
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
pub fn ask(sites: &mut [Site], ranges: &Ranges, order: OfferOrder) -> Answer {
    let mut answer = Answer::default();
    let mut all = Vec::new();
    for (site, asked) in sites.iter_mut().enumerate() {
        let mut list = List::<Offer, MOST>::new();
        match offers_of(&mut asked.book, asked.rate, ranges, order, &mut list) {
            Ok(true) => answer.cut.push(site),
            Ok(false) => {}
            Err(error) => answer.refused.push((site, error)),
        }
        all.extend(list.iter().map(|offer| Ranked {
            site,
            offer: *offer,
        }));
    }
    let wanted = |one: &Ranked| {
        one.offer.whole().duration >= ranges.duration[0] && one.offer.pes >= ranges.pes[0]
    };
    let (within, less): (Vec<_>, Vec<_>) = all.into_iter().partition(wanted);
    answer.offers = best(within, sites, order);
    if answer.offers.is_empty() {
        answer.less = best(less, sites, order);
    }
    answer
}

/// Asks one book for all that is no longer and no wider than wanted, and says whether there was more than the list holds.
fn offers_of(
    book: &mut BoxedBook,
    rate: Money,
    ranges: &Ranges,
    order: OfferOrder,
    list: &mut List<Offer, MOST>,
) -> Result<bool, Error> {
    let now = book.now();
    let end = now.checked_add(book.horizon());
    let query = ElasticRequest {
        ready: ranges.ready.unwrap_or(now),
        deadline: ranges.deadline.or(end).ok_or(Refusal::BeyondHorizon)?,
        duration: Some(ranges.duration[1]),
        pes: Some(ranges.pes[1].min(book.pes())),
    };
    let terms = OfferTerms {
        search: Search::ParetoFront,
        order,
        ttl: Span::new(1),
        tariff: Tariff::of_rates(Money::ZERO, rate),
    };
    if ranges.pes[0] > book.pes() {
        return Err(Refusal::TooWide.into());
    }
    Ok(book.offers(&query, &terms, list)?.more)
}

/// Leaves out what another one covers, and ranks the rest.
fn best(mut all: Vec<Ranked>, sites: &[Site], order: OfferOrder) -> Vec<Ranked> {
    let earliest = |one: &Ranked| {
        let size = Reverse(one.slots() * one.pes());
        (one.offer.window.start, one.offer.price, size, one.site)
    };
    all.sort_by_key(|one| {
        let first = match order {
            OfferOrder::Longest => Reverse(one.slots()),
            OfferOrder::Widest => Reverse(one.pes()),
            OfferOrder::Cheapest => Reverse(u64::MAX - one.offer.price.get()),
            OfferOrder::Discovery | OfferOrder::Earliest => Reverse(0),
        };
        (first, earliest(one))
    });
    let mut kept: Vec<Ranked> = Vec::new();
    for one in &all {
        let same = |other: &&Ranked| other.covers(one, sites) && one.covers(other, sites);
        let bettered = all
            .iter()
            .any(|other| other.covers(one, sites) && !one.covers(other, sites));
        if !bettered && !kept.iter().any(|other| same(&other)) {
            kept.push(*one);
        }
    }
    kept
}

/// The time that a calendar shows, in slots.
fn shown(sites: &mut [Site], ranges: &Ranges) -> Option<[u64; 2]> {
    let now = sites.iter_mut().map(|site| site.book.now().get()).min();
    let ends = sites
        .iter_mut()
        .map(|site| site.book.now().get() + u64::from(site.book.horizon().get()));
    let from = ranges.ready.map(Slot::get).or(now)?;
    let to = ranges.deadline.map(Slot::get).or(ends.max())?;
    (from < to).then_some([from, to])
}

/// How many PEs are free throughout some slots, those that the book does not show counted as free of nothing.
fn free(site: &mut Site, [start, length]: [u64; 2]) -> u64 {
    let end = site.book.now().get() + u64::from(site.book.horizon().get());
    let window = bookahead::Window {
        start: Slot::new(start.max(site.book.now().get())),
        end: Slot::new((start + length).min(end)),
    };
    let free = site.book.free_during(window).unwrap_or_default();
    free.get().into()
}

/// A calendar for a terminal: for each book what is free, and the first nine offers below it.
#[must_use]
pub fn calendar(sites: &mut [Site], ranges: &Ranges, offers: &[Ranked], slot: u64) -> String {
    let span = shown(sites, ranges);
    let seconds = span.map(|span| span.map(|edge| edge.saturating_mul(slot)));
    let Some(columns) = seconds.and_then(|span| Columns::between(span, slot)) else {
        return String::new();
    };
    let mut text = columns.ruler();
    for (number, site) in sites.iter_mut().enumerate() {
        let all = site.book.pes().get().into();
        text += &Columns::note(&site.name);
        text += &columns.line(&format!("free of {all}"), |column| {
            level(free(site, column.map(|second| second / slot)), all)
        });
        for (place, one) in offers.iter().take(9).enumerate() {
            if one.site == number {
                let window = one.offer.window;
                let taken = [window.start, window.end].map(|edge| edge.get().saturating_mul(slot));
                let digit = char::from_digit(place as u32 + 1, 10).unwrap_or('█');
                text += &columns.bar(&format!("{} PEs", one.pes()), taken, digit);
            }
        }
    }
    text
}

/// The width of the drawing, in pixels.
const WIDTH: u64 = 800;

/// The height of all PEs of a book.
const STRIP: u64 = 80;

/// The height of a line of text.
const LINE: u64 = 18;

/// The same calendar as a picture: a strip for each book, as high as PEs are free, and a bar for each of the first nine offers.
#[must_use]
pub fn picture(
    sites: &mut [Site],
    ranges: &Ranges,
    offers: &[Ranked],
    slot: u64,
) -> Option<Markup> {
    let [from, to] = shown(sites, ranges)?;
    let across = |slots: u64| slots.saturating_sub(from).min(to - from) * WIDTH / (to - from);
    let mut strips = Vec::new();
    let mut top = 0;
    for (number, site) in sites.iter_mut().enumerate() {
        let all = u64::from(site.book.pes().get());
        let step = (to - from).div_ceil(WIDTH / 2);
        let bars: Vec<[u64; 4]> = (from..to)
            .step_by(usize::try_from(step).unwrap_or(usize::MAX))
            .map(|start| {
                let high = free(site, [start, step]) * STRIP / all.max(1);
                let [left, right] = [start, start + step].map(across);
                [left, top + LINE + STRIP - high, right - left, high]
            })
            .collect();
        let own = offers.iter().take(9).enumerate();
        let own: Vec<_> = own.filter(|(_, one)| one.site == number).collect();
        let high = LINE + STRIP + own.len() as u64 * LINE + LINE / 2;
        strips.push(html! {
            text x="0" y=(top + LINE - 5) { (site.name) ": free of " (all) " PEs" }
            rect.all x="0" y=(top + LINE) width=(WIDTH) height=(STRIP) {}
            @for [x, y, width, height] in bars { rect.free x=(x) y=(y) width=(width) height=(height) {} }
            @for (line, (place, one)) in own.into_iter().enumerate() {
                @let [left, right] = [one.offer.window.start, one.offer.window.end].map(|edge| across(edge.get()));
                @let y = top + LINE + STRIP + line as u64 * LINE + 3;
                rect.offer x=(left) y=(y) width=((right - left).max(1)) height=(LINE - 4) {
                    title { "seconds " (one.offer.window.start.get() * slot) " to " (one.offer.window.end.get() * slot) ", " (one.pes()) " PEs" }
                }
                text x=((left + 3).min(WIDTH - 100)) y=(y + LINE - 7) { (place + 1) ": " (one.pes()) " PEs" }
            }
        });
        top += high;
    }
    Some(html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {WIDTH} {}", top + LINE)) role="img" aria-label="What is free, and what is offered" {
            style { "rect{shape-rendering:crispEdges}text{font:12px system-ui,sans-serif;fill:#24292f}.all{fill:#818b981f}.free{fill:#0072b2}.offer{fill:#e69f00}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.free{fill:#4da6f2}.offer{fill:#b37400}}" }
            @for strip in strips { (strip) }
            text x="0" y=(top + LINE - 5) { "second " (from * slot) }
            text x=(WIDTH) y=(top + LINE - 5) text-anchor="end" { "second " (to * slot) }
        }
    })
}
