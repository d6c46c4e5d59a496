//! How many decisions a store makes durable in a second, by how many share a sync; what a sync takes; what a lock around the store costs; and how long it takes to come back. Beside it, what an embedded database makes of the same records.
//!
//! `cargo run --release -p bookahead-store --example store-bench -- FOLDER [late|early]`

use std::{
    fs::File,
    io::Write,
    path::Path,
    sync::Mutex,
    time::{Duration, Instant},
};

use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span};
use bookahead_heap::{Binding, BoxedBook, Sizes, Survives};
use bookahead_store::{Store, StoreError};
use redb::{Database, TableDefinition};

/// The book whose decisions are counted.
const SIZES: Sizes = Sizes {
    pes: 1_024,
    slots: 65_536,
    reservations: 500_000,
};

/// The median time of a sync of one more page.
fn sync_ns(folder: &Path) -> std::io::Result<u128> {
    let path = folder.join("sync");
    let mut file = File::create(&path)?;
    let mut times = Vec::new();
    for _ in 0..50 {
        file.write_all(&[1; 4_096])?;
        let begun = Instant::now();
        file.sync_data()?;
        times.push(begun.elapsed().as_nanos());
    }
    times.sort_unstable();
    std::fs::remove_file(&path)?;
    Ok(times[times.len() / 2])
}

/// The device that holds a folder, as the system names it.
fn device(folder: &Path) -> Option<String> {
    let folder = folder.canonicalize().ok()?;
    let mounts = std::fs::read_to_string("/proc/mounts").ok()?;
    let of_line = |line: &str| {
        let mut words = line.split(' ').map(str::to_owned);
        Some((words.next()?, words.next()?, words.next()?))
    };
    let holding = mounts.lines().filter_map(of_line);
    let holding = holding.filter(|(_, point, _)| folder.starts_with(point));
    let (device, _, kind) = holding.max_by_key(|(_, point, _)| point.len())?;
    Some(format!("{device} ({kind})"))
}

fn request(number: u64, slots: u32) -> Request {
    let ready = number * 7_919 % u64::from(slots - 64);
    Request {
        ready: Slot::new(ready),
        duration: Span::new(1 + (number % 13) as u32),
        deadline: Slot::new(ready + 60),
        pes: PeCount::new(1 + (number % 5) as u32),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments
        .next()
        .ok_or("usage: store-bench FOLDER [late|early]")?;
    let binding = arguments.next().unwrap_or_else(|| "late".into());
    let binding = Binding::from_name(&binding).ok_or("expected late or early")?;
    let folder = Path::new(&folder).join("store-bench");
    std::fs::create_dir_all(&folder)?;
    println!(
        "device {}",
        device(&folder).unwrap_or_else(|| "unknown".into())
    );
    println!("sync_ns {}", sync_ns(&folder)?);
    for group in [1_u64, 10, 100, 1_000] {
        std::fs::remove_dir_all(&folder)?;
        let mut store = Store::open(&folder, BoxedBook::new(binding, SIZES)?)?;
        let (mut number, begun) = (0, Instant::now());
        while begun.elapsed() < Duration::from_secs(3) && number + group <= 400_000 {
            let mut answers = Vec::new();
            for _ in 0..group {
                number += 1;
                let asked = request(number, SIZES.slots);
                answers.push(
                    store.call(|book| {
                        book.reserve(&asked, Policy::FirstFit, Commitment::Confirmed)
                    })?,
                );
            }
            for answer in answers {
                let _ = answer.wait()?;
            }
        }
        let seconds = begun.elapsed().as_secs_f64();
        let rate = store.last() as f64 / seconds;
        println!("durable_per_second_group_{group} {rate:.0}");
        drop(store);
        // At once, since disks differ from minute to minute.
        std::fs::remove_dir_all(&folder)?;
        std::fs::create_dir_all(&folder)?;
        let beside = database(&folder, binding, group)?;
        println!("  of {number} decisions asked for; the same records in redb: {beside:.0}");
    }
    for threads in [0, 1, 2, 4] {
        std::fs::remove_dir_all(&folder)?;
        let per_second = looked_up(&folder, binding, threads)?;
        println!("look_ups_per_second_threads_{threads} {per_second:.0}");
    }
    for reservations in [1_000_u64, 100_000, 1_000_000] {
        let sizes = Sizes {
            pes: 65_535,
            slots: 1 << 20,
            reservations: reservations as usize,
        };
        if binding == Binding::Early && reservations > 100_000 {
            println!("  {reservations} reservations: not measured with early binding");
            continue;
        }
        let sizes = match binding {
            Binding::Late => sizes,
            Binding::Early => Sizes {
                pes: 1_024,
                slots: 65_536,
                ..sizes
            },
        };
        std::fs::remove_dir_all(&folder)?;
        recovery(&folder, binding, sizes)?;
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

const RECORDS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("records");

/// The same decisions, whose records an embedded database keeps by their numbers: one transaction for each group.
fn database(
    folder: &Path,
    binding: Binding,
    group: u64,
) -> Result<f64, Box<dyn std::error::Error>> {
    let mut book = BoxedBook::new(binding, SIZES)?;
    book.keep_journal();
    let database = Database::create(folder.join("redb"))?;
    let (mut number, mut last, begun) = (0, 0, Instant::now());
    while begun.elapsed() < Duration::from_secs(3) && number + group <= 400_000 {
        let transaction = database.begin_write()?;
        let mut records = transaction.open_table(RECORDS)?;
        for _ in 0..group {
            number += 1;
            let asked = request(number, SIZES.slots);
            let _ = book.reserve(&asked, Policy::FirstFit, Commitment::Confirmed);
            let mut record = Vec::new();
            if book.write_record(&mut record)? {
                last += 1;
                records.insert(last, &*record)?;
            }
        }
        drop(records);
        transaction.commit()?;
    }
    Ok(last as f64 / begun.elapsed().as_secs_f64())
}

/// How many plans a second are asked for by so many threads together, with a lock around the store; with none of them, without a lock.
fn looked_up(
    folder: &Path,
    binding: Binding,
    threads: usize,
) -> Result<f64, Box<dyn std::error::Error>> {
    const TIMES: u64 = 200_000;
    let look = |store: &mut Store<BoxedBook>, number| {
        let asked = request(number, SIZES.slots);
        let planned = store.call_within(0, |book| book.plan(&asked, Policy::FirstFit))?;
        Ok::<_, StoreError>(planned)
    };
    let mut store = Store::open(folder, BoxedBook::new(binding, SIZES)?)?;
    let begun = Instant::now();
    if threads == 0 {
        for number in 0..TIMES {
            let _ = look(&mut store, number)?.wait()?;
        }
    } else {
        let store = Mutex::new(&mut store);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    for number in 0..TIMES / threads as u64 {
                        let mut store = store.lock().expect("nobody panics");
                        let answer = look(&mut store, number).expect("the disk is sound");
                        drop(store);
                        let _ = answer.wait();
                    }
                });
            }
        });
    }
    Ok(TIMES as f64 / begun.elapsed().as_secs_f64())
}

/// Half of the reservations are in a snapshot, and half in the log behind it.
fn recovery(
    folder: &Path,
    binding: Binding,
    sizes: Sizes,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut store = Store::open(folder, BoxedBook::new(binding, sizes)?)?;
    let half = sizes.reservations as u64 / 2;
    for number in 0..2 * half {
        let asked = request(number, sizes.slots);
        let _ = store.call(|book| book.reserve(&asked, Policy::FirstFit, Commitment::Confirmed))?;
        if number == half {
            store.compact()?;
        }
    }
    drop(store);
    let begun = Instant::now();
    let mut store = Store::open(folder, BoxedBook::new(binding, sizes)?)?;
    let took = begun.elapsed();
    let live = store.call(|book| book.len())?.wait()?;
    let asked = sizes.reservations;
    println!("recover_{asked}_ms {}", took.as_millis());
    let begun = Instant::now();
    store.publish();
    let publishing = begun.elapsed();
    let begun = Instant::now();
    let sound = store.call(|book| book.check_invariants())?.wait()?;
    let checking = begun.elapsed();
    println!(
        "  {live} live, half of them from records; check_invariants took {checking:?}: {sound:?}; to publish a copy takes {publishing:?}"
    );
    Ok(())
}
