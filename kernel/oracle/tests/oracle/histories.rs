//! The committed inputs of the fuzz targets of books, which are histories, without a fuzzer.

use std::{fs, path::Path};

use bookahead::raw::{BulkScan, Column, PlainScan, Scan};
use bookahead_commands::{
    Kind, Memory, Placed, Scanned, Scope, Size, Subject, kernel_of, kernel_on, open,
};
use bookahead_heap::{
    BoxedCountBook, BoxedOverlayBook, BoxedPeBook, BoxedPlacedBook, BoxedRuledBook, HostColumn,
    SizeError, Sizes,
};
use bookahead_oracle::Playable;

/// Gives each input of the target to books of its sizes, searched in bulk and searched plainly.
fn play<M>(target: &str, make: impl Fn(Sizes) -> Result<M, SizeError>)
where
    Scanned<M, BulkScan>: Memory,
    Scanned<M, PlainScan>: Memory,
{
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut played = 0;
    for entry in fs::read_dir(corpus.join(target)).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let history = Playable::of(&text).unwrap().expect("it is small enough");
        let size = &history.size;
        let bulk: Box<dyn Subject> = Box::new(kernel_of::<M, BulkScan>(size, &make).unwrap());
        let plain: Box<dyn Subject> = Box::new(kernel_of::<M, PlainScan>(size, &make).unwrap());
        for subject in [bulk, plain] {
            if let Err(disagreement) = history.clone().play(Scope::Whole, subject) {
                panic!("{}: {disagreement}", path.display());
            }
        }
        played += 1;
    }
    assert!(played >= 10, "{played} inputs of {target}");
}

#[test]
fn of_count_books() {
    play("count_book", BoxedCountBook::new);
}

#[test]
fn of_overlay_books() {
    play("overlay_book", BoxedOverlayBook::new);
}

#[test]
fn of_narrow_pe_books() {
    play("pe_book_u32", BoxedPeBook::<u32>::new);
}

/// A book on a machine with a layout, with or without rules.
fn on_nodes<C: Column + 'static, S: Scan>(size: &Size, placed: &Placed) -> Box<dyn Subject> {
    match size.kind.has_rules() {
        true => {
            let make = BoxedRuledBook::<BoxedPlacedBook<C>, C>::new;
            Box::new(kernel_on::<_, S>(size, placed, make).unwrap())
        }
        false => Box::new(kernel_on::<_, S>(size, placed, BoxedPlacedBook::<C>::new).unwrap()),
    }
}

#[test]
fn of_books_on_machines_with_layouts() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/placed_book");
    let mut played = 0;
    for entry in fs::read_dir(corpus).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let history = Playable::of(&text).unwrap().expect("it is small enough");
        let (size, placed) = (&history.size, history.placed.as_ref().unwrap());
        let narrow = on_nodes::<u32, PlainScan>(size, placed);
        let wide = on_nodes::<HostColumn, BulkScan>(size, placed);
        for subject in [narrow, wide] {
            if let Err(disagreement) = history.clone().play(Scope::Whole, subject) {
                panic!("{}: {disagreement}", path.display());
            }
        }
        played += 1;
    }
    assert!(played >= 10, "{played} inputs");
}

#[test]
fn of_books_with_rules() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/ruled_book");
    let (mut played, mut ruled) = ([0, 0], 0);
    for entry in fs::read_dir(corpus).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let history = Playable::of(&text).unwrap().expect("it is small enough");
        let subject = open(&history.size, None).unwrap();
        ruled += usize::from(text.contains("set-rule"));
        played[usize::from(history.size.kind == Kind::RuledSets)] += 1;
        if let Err(disagreement) = history.play(Scope::Whole, subject) {
            panic!("{}: {disagreement}", path.display());
        }
    }
    assert!(played.iter().all(|played| *played >= 5), "{played:?}");
    assert!(ruled >= 5, "{ruled} inputs set rules");
}

#[test]
fn of_wide_pe_books() {
    play("pe_book_wide", BoxedPeBook::<HostColumn>::new);
}

/// The twin has no limits of work, and whoever changes the text of a history may set one.
#[test]
fn searches_for_classes_with_limits_are_played_by_nobody() {
    let history = |command: &str| {
        let text =
            format!("size sets 5 64 4 easy 6 no\nlayout 5 [ 1 ] [ ] [ 2 ] 4 4\nfor 0 {command}\n");
        Playable::of(&text).unwrap().is_some()
    };
    let all = u64::MAX;
    for (work, plays) in [(all, true), (11, false)] {
        let slides =
            format!("shift-in 13 7 20 1 confirmed both slides 1 0 4294967295 {work} 512 plan");
        assert_eq!(history(&slides), plays);
        let juggle = format!("juggle - acceptance yes no 5 4294967295 512 512 {work} commit");
        assert_eq!(history(&juggle), plays);
    }
    let exact =
        format!("shift-in 13 7 20 1 confirmed both fewest-moves 0 4294967295 {all} 512 plan");
    assert!(!history(&exact));
    assert!(!history(
        "juggle - acceptance yes no 5 4294967295 3 512 18446744073709551615 commit"
    ));
}

/// The twin lets a queue wait slot by slot, so that a leap would take it years. The kernel leaps.
#[test]
fn leaps_of_a_queue_are_played_by_nobody() {
    let of = |way: &str, to: u64| {
        let text = format!("size counts 1 64 4 fcfs 6 no\nsubmit 1 0\n{way}\n")
            .replace("TO", &to.to_string());
        let history = Playable::of(&text).unwrap().expect("it is small enough");
        let subject: Box<dyn Subject> =
            Box::new(kernel_of::<_, BulkScan>(&history.size, BoxedCountBook::new).unwrap());
        history.play(Scope::Whole, subject).unwrap().operations
    };
    for way in [
        "advance-queue TO 4096",
        "advance-pulling TO 4096 1024",
        "next-of-queue TO",
    ] {
        assert_eq!(of(way, 1 << 16), 2, "{way}");
        assert_eq!(of(way, (1 << 16) + 1), 1, "{way}");
        assert_eq!(of(way, u64::MAX), 1, "{way}");
    }
}
