//! `bookahead ask`: what could be had of books that are kept in stores.

use std::{fs, path::Path};

use bookahead::{Commitment, Money, OfferOrder, PeCount, Policy, Request, Slot, Span};
use bookahead_heap::{Binding, BoxedBook, Sizes};
use bookahead_sim::ask::{Ranges, Ranked, Site, ask};
use bookahead_store::Store;
use rand::{RngExt, SeedableRng, rngs::StdRng};

use crate::{assert_begins, assert_says, fail, files, folder, succeed};

const SIZES: Sizes = Sizes {
    pes: 8,
    slots: 100,
    reservations: 20,
};

fn request(ready: u64, duration: u32, pes: u32) -> Request {
    Request {
        ready: Slot::new(ready),
        duration: Span::new(duration),
        deadline: Slot::new(ready + u64::from(duration)),
        pes: PeCount::new(pes),
    }
}

/// A store in which so many PEs are taken from 0 to 30, and all from 30 to 40.
fn store(dir: &Path, pes: u32) {
    let book = BoxedBook::new(Binding::Early, SIZES).unwrap();
    let mut store = Store::open(dir, book).unwrap();
    for one in [request(0, 30, pes), request(30, 10, 8)] {
        let booked = store.call(|book| book.reserve(&one, Policy::FirstFit, Commitment::Confirmed));
        booked.unwrap().wait().unwrap().unwrap();
    }
}

#[test]
fn offers_of_two_books_with_a_calendar_and_a_drawing() {
    let dir = folder();
    store(&dir.path().join("north"), 6);
    store(&dir.path().join("south"), 3);
    let before = files(dir.path());
    let told = succeed(
        dir.path(),
        "ask north south --pes 2-5 --duration 600-1800 --slot-seconds 60 --price 0.05,0.04",
    );
    // North has two PEs at a higher price, and all of what comes later is neither longer nor wider.
    let expected = "\
1 offer, the earliest first:
    book  start    end  seconds  PEs  price
1  south      0  1,800    1,800    5      6
";
    assert!(told.starts_with(expected), "{told}");
    assert_says(&told, " north\n               free of 8 |▂");
    assert!(told.contains("111111"), "{told}");
    assert!(before == files(dir.path()), "nothing has changed");
    // A service that has one open is not disturbed, nor in the way.
    let open = Store::open(
        &dir.path().join("north"),
        BoxedBook::new(Binding::Early, SIZES).unwrap(),
    );
    let beside = succeed(
        dir.path(),
        "ask north south --pes 2-5 --duration 600-1800 --slot-seconds 60 --price 0.05,0.04",
    );
    assert_eq!(beside, told);
    drop(open.unwrap());
    // What north has, it has too late or too narrow.
    let told = succeed(
        dir.path(),
        "ask north --pes 2-5 --duration 10-30 --svg free.svg",
    );
    assert_begins(&told, "2 offers, the earliest first:\n");
    let rows: Vec<Vec<&str>> = told
        .lines()
        .skip(2)
        .take(2)
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(
        rows,
        [
            ["1", "north", "0", "30", "30", "2", "0"],
            ["2", "north", "40", "70", "30", "5", "0"]
        ]
    );
    let drawn = fs::read_to_string(dir.path().join("free.svg")).unwrap();
    assert!(
        drawn.starts_with("<svg") && drawn.matches("class=\"offer\"").count() == 2,
        "{drawn}"
    );
}

#[test]
fn where_nothing_fits_it_says_what_would() {
    let dir = folder();
    store(&dir.path().join("s"), 6);
    let told = succeed(dir.path(), "ask s --pes 4-8 --duration 20-30 --deadline 45");
    for words in [
        "there is no offer within these ranges; less than they ask for could be had:\n",
        "in s the least of it would fit from second 40 on\n",
        "1     s      0   30       30    2      0\n",
        "2     s     40   45        5    8      0\n",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let told = succeed(dir.path(), "ask s --pes 9");
    assert_begins(
        &told,
        "s offers nothing: it asks for more PEs than the machine has\nthere is no offer\n",
    );
    let told = succeed(dir.path(), "ask s --deadline 101");
    assert_begins(
        &told,
        "s offers nothing: its window reaches beyond the slots that can be booked ahead\n",
    );
}

#[test]
fn wrong_questions_are_told() {
    let dir = folder();
    store(&dir.path().join("s"), 6);
    for (arguments, status, words) in [
        ("ask", 2, "<DIR>"),
        ("ask nowhere", 2, "nowhere: No such file or directory"),
        ("ask .", 2, "found no store"),
        ("ask s --pes 3-2", 2, "expected a whole number above 0"),
        ("ask s --pes 0", 2, "or a range of them such as 8-32"),
        ("ask s --pes 70000", 2, "that a book can have"),
        ("ask s --duration ten", 2, "--duration"),
        (
            "ask s --price 1,2",
            2,
            "--price: found 2 amounts, expected one for all books or one for each of the 1",
        ),
        ("ask s --sort first", 2, "earliest"),
        (
            "ask s --svg none/free.svg",
            2,
            "there is no folder of that name",
        ),
    ] {
        let told = fail(dir.path(), arguments, status);
        assert!(told.contains(words), "{arguments}: {told}");
    }
}

/// Against all sizes and starts of small books.
#[test]
fn what_can_be_booked_is_part_of_an_offer_and_no_offer_is_bettered() {
    let mut rng = StdRng::seed_from_u64(1);
    let mut compared = 0;
    for round in 0..300 {
        let mut sites: Vec<Site> = (0..rng.random_range(1..=3))
            .map(|number| {
                let binding = [Binding::Late, Binding::Early][rng.random_range(0..2)];
                let sizes = Sizes {
                    pes: 5,
                    slots: 14,
                    reservations: 9,
                };
                let mut book = BoxedBook::new(binding, sizes).unwrap();
                for _ in 0..rng.random_range(0..8) {
                    let one = request(
                        rng.random_range(0..12),
                        rng.random_range(1..=4),
                        rng.random_range(1..=5),
                    );
                    let _ = book.reserve(&one, Policy::PeWorstFit, Commitment::Confirmed);
                }
                Site {
                    name: number.to_string(),
                    book,
                    rate: Money::new(rng.random_range(1..=3)),
                }
            })
            .collect();
        let ready = rng.random_range(0..6);
        let [least, most] = [rng.random_range(1..=3), rng.random_range(3..=5)];
        let [short, long] = [rng.random_range(1..=3), rng.random_range(3..=6)];
        let ranges = Ranges {
            ready: Some(Slot::new(ready)),
            deadline: Some(Slot::new(14)),
            duration: [Span::new(short), Span::new(long)],
            pes: [PeCount::new(least), PeCount::new(most)],
        };
        let order = OfferOrder::ALL[round % OfferOrder::ALL.len()];
        let offers = ask(&mut sites, &ranges, order).offers;
        // Start, length, PEs and rate; the earliest start of each size in each book.
        let of = |one: &Ranked, sites: &[Site]| {
            let take = one.offer.whole();
            (
                one.offer.window.start.get(),
                take.duration.get(),
                take.pes.get(),
                sites[one.site].rate,
            )
        };
        let offered: Vec<_> = offers.iter().map(|one| of(one, &sites)).collect();
        let mut possible = Vec::new();
        for site in &mut sites {
            for (duration, pes) in
                (short..=long).flat_map(|duration| (least..=most).map(move |pes| (duration, pes)))
            {
                let asked = Request {
                    ready: Slot::new(ready),
                    duration: Span::new(duration),
                    deadline: Slot::new(14),
                    pes: PeCount::new(pes),
                };
                if let Ok(plan) = site.book.plan(&asked, Policy::FirstFit) {
                    possible.push((plan.window().start.get(), duration, pes, site.rate));
                }
            }
        }
        let covers = |a: &(u64, u32, u32, Money), b: &(u64, u32, u32, Money)| {
            a.0 <= b.0 && a.1 >= b.1 && a.2 >= b.2 && a.3 <= b.3
        };
        for one in &possible {
            assert!(
                offered.iter().any(|offer| covers(offer, one)),
                "{one:?} in {offered:?}"
            );
        }
        for (at, one) in offered.iter().enumerate() {
            assert!(possible.contains(one), "{one:?} is not to be had");
            assert!(
                !possible
                    .iter()
                    .any(|other| covers(other, one) && other != one),
                "{one:?} is bettered"
            );
            assert!(!offered[..at].contains(one), "{one:?} twice");
        }
        let price = |one: &Ranked| one.offer.price.get();
        let sorted = match order {
            OfferOrder::Longest => offered.is_sorted_by_key(|one| std::cmp::Reverse(one.1)),
            OfferOrder::Widest => offered.is_sorted_by_key(|one| std::cmp::Reverse(one.2)),
            OfferOrder::Cheapest => offers.is_sorted_by_key(price),
            _ => offered.is_sorted_by_key(|one| one.0),
        };
        assert!(sorted, "{order:?}: {offered:?}");
        compared += offered.len();
    }
    assert!(compared > 500, "{compared} offers");
}
