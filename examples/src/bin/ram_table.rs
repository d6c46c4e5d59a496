//! Prints the tables in `docs/embedding.md`: how much RAM books, queues and workspaces of typical sizes take.

use bookahead::{
    CountWorkspace, PeWorkspace,
    raw::{PlainScan, columns, count_book_bytes, pe_book_bytes, placed_book_bytes, queue_bytes},
};

/// Slots, PEs and reservations, from a small sensor node to a large controller.
const SIZES: [(u32, u16, usize); 8] = [
    (64, 4, 8),
    (64, 16, 16),
    (128, 8, 16),
    (256, 32, 32),
    (256, 64, 64),
    (1_024, 32, 64),
    (1_024, 128, 128),
    (4_096, 32, 256),
];

/// The same of books on machines with a layout of one kind, then classes, and the groups that each may list.
const PLACED: [(u32, u16, usize, usize, usize); 4] = [
    (128, 8, 24, 12, 8),
    (600, 8, 24, 12, 8),
    (256, 32, 32, 8, 0),
    (1_024, 128, 128, 32, 128),
];

/// Jobs that wait.
const JOBS: [usize; 4] = [8, 32, 128, 512];

/// Entries of a workspace and their bytes: with late binding, and with early binding for up to 32 and up to 64 PEs.
const WORKSPACES: [(usize, [usize; 3]); 4] = [
    workspace::<1>(),
    workspace::<2>(),
    workspace::<8>(),
    workspace::<32>(),
];

const fn workspace<const ENTRIES: usize>() -> (usize, [usize; 3]) {
    let bytes = [
        CountWorkspace::<ENTRIES, 0>::BYTES,
        PeWorkspace::<u32, 1, ENTRIES, 0>::BYTES,
        PeWorkspace::<u32, 2, ENTRIES, 0>::BYTES,
    ];
    (ENTRIES, bytes)
}

fn main() {
    print!("{}", tables());
}

fn tables() -> String {
    let tables = [books(), placed_books(), queues(), workspaces()];
    tables.join("\n")
}

fn books() -> String {
    let mut table =
        "| slots | PEs | reservations | `CountBook` | `PeBook` |\n|--:|--:|--:|--:|--:|\n"
            .to_owned();
    for (slots, pes, rows) in SIZES {
        let late = count_book_bytes::<PlainScan>(slots, pes, rows);
        let early = pe_book_bytes::<u32, PlainScan>(slots, pes, rows);
        table += &format!("| {slots} | {pes} | {rows} | {late} | {early} |\n");
    }
    table
}

fn placed_books() -> String {
    let mut table = "| slots | PEs | reservations | classes | groups in an order | `PlacedBook` |\n|--:|--:|--:|--:|--:|--:|\n".to_owned();
    for (slots, pes, rows, classes, order) in PLACED {
        let sets = columns::<u32>(pes);
        let bytes = placed_book_bytes::<u32, PlainScan>(slots, sets, rows, classes, order);
        table += &format!("| {slots} | {pes} | {rows} | {classes} | {order} | {bytes} |\n");
    }
    table
}

fn queues() -> String {
    let mut table = "| waiting jobs | `JobQueue` |\n|--:|--:|\n".to_owned();
    for jobs in JOBS {
        table += &format!("| {jobs} | {} |\n", queue_bytes(jobs));
    }
    table
}

fn workspaces() -> String {
    let mut table =
        "| entries | `CountWorkspace` | `PeWorkspace`, 32 PEs | `PeWorkspace`, 64 PEs |\n|--:|--:|--:|--:|\n"
            .to_owned();
    for (entries, [late, narrow, wide]) in WORKSPACES {
        table += &format!("| {entries} | {late} | {narrow} | {wide} |\n");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_the_tables() {
        let page = include_str!("../../../docs/embedding.md");
        let (_, rest) = page
            .split_once("<!-- ram-table: cargo run -q -p bookahead-examples --bin ram_table -->\n")
            .expect("a marker before the table");
        let (found, _) = rest
            .split_once("<!-- end of ram-table -->\n")
            .expect("a marker behind the table");
        assert_eq!(found, tables());
    }
}
