//! The kernel against its twin, and the twin against the papers. One program, since what a book and its twin need is compiled once for each
//! program.

mod common;

mod apart;
mod classes;
mod elastic_example;
mod exhaustive;
mod harness;
mod histories;
mod juggling;
mod long_lives;
mod mould;
mod offers;
mod outages;
mod overlaid_lives;
mod overlaid_stream;
mod overlap;
mod paper_list;
mod placed;
mod plain_scan;
mod preempting;
mod pruning;
mod pulling;
mod queue;
mod redundancy;
mod rules;
mod sequences;
mod shifted_lives;
mod shifting;
mod shifting_example;
mod skylines;
mod small_machine;
mod snapshots;
mod surface;
mod waiting;
mod worked_example;
