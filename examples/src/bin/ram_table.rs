//! Prints the tables in `docs/embedding.md`: how much RAM books and queues of typical sizes take.

use bookahead::{count_book_bytes, pe_book_bytes, queue_bytes};

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

/// Jobs that wait.
const JOBS: [usize; 4] = [8, 32, 128, 512];

fn main() {
    print!("{}\n{}", books(), queues());
}

fn books() -> String {
    let mut table =
        "| slots | PEs | reservations | `CountBook` | `PeBook` |\n|--:|--:|--:|--:|--:|\n"
            .to_owned();
    for (slots, pes, rows) in SIZES {
        let late = count_book_bytes(slots, pes, rows);
        let early = pe_book_bytes::<u32>(slots, pes, rows);
        table += &format!("| {slots} | {pes} | {rows} | {late} | {early} |\n");
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
        assert_eq!(found, format!("{}\n{}", books(), queues()));
    }
}
