//! What all requests of a run come to.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::Path,
};

use super::{
    breakdown::{self, Share},
    run::number,
};
use crate::{
    engine::rounding::Losses,
    error::Result,
    files::{Reservation, Rows, Stretches},
    output::RESERVATIONS,
    request::JobRequest,
    sorting::{Sorted, Sorter},
    text_file::io_error,
};

/// Points of a line over time; fewer where they would stand for too few requests.
const POINTS: usize = 20;
const REQUESTS_PER_POINT: usize = 25;

/// What the rows of reservations.csv come to.
#[derive(Default)]
pub(super) struct Requests {
    pub(super) count: usize,
    /// Stands for the requests themselves: equally many may have other windows.
    pub(super) fingerprint: u64,
    /// The first arrival and the last.
    pub(super) arrivals: Option<[f64; 2]>,
    /// The most PEs that one asks for.
    pub(super) most_pes: f64,
    /// How many were refused, by reason.
    pub(super) refusals: BTreeMap<String, usize>,
    /// By the least power of two that is at least the number of PEs asked for.
    pub(super) by_size: BTreeMap<u32, Share>,
    /// By class of duration.
    pub(super) by_duration: BTreeMap<usize, Share>,
    /// From the first arrival to the last, by the mean of the arrivals: each share is of as many requests as any other, so all are equally certain.
    pub(super) over_time: Vec<(f64, Share)>,
    /// How many shorter slots would lose to rounding, where that was to be counted.
    pub(super) losses: Option<Losses>,
    /// Where which numbers of jobs stand in the table.
    numbers: Stretches,
}

impl Requests {
    /// Those of a run in this folder, or nothing when it has no such table. What has to be sorted is sorted in files there.
    pub(super) fn read(dir: &Path, losses: Option<Losses>) -> Result<Option<Self>> {
        let Some(mut rows) = Rows::<Reservation>::open(&dir.join(RESERVATIONS))? else {
            return Ok(None);
        };
        let mut all = Self {
            losses,
            ..Self::default()
        };
        let mut hasher = DefaultHasher::new();
        let mut in_order = Sorter::new(Some(dir));
        while let Some(row) = rows.next() {
            let row = row?;
            all.numbers.add(&rows, Some([row.job_id; 2]));
            let place = all.count as u64;
            all.add(&row, &mut hasher);
            let arrival = number(row.arrival).to_bits();
            in_order.add((arrival, 2 * place + u64::from(row.is_accepted())));
            if let Some(losses) = &mut all.losses {
                losses.add(&request(row));
            }
        }
        all.fingerprint = hasher.finish();
        let in_order = in_order.sorted();
        let over_time = in_order.and_then(|in_order| over_time(in_order, all.count));
        all.over_time = over_time.map_err(|error| io_error(dir, error))?;
        Ok(Some(all))
    }

    /// Those of these numbers, by number, read from the same folder again.
    pub(super) fn of_numbers(
        &self,
        dir: &Path,
        wanted: &BTreeSet<u64>,
    ) -> Result<HashMap<u64, Reservation>> {
        let meets = |[least, most]: [u64; 2]| wanted.range(least..=most).next().is_some();
        let mut found = HashMap::new();
        for row in self
            .numbers
            .rows::<Reservation, _>(&dir.join(RESERVATIONS), meets)?
        {
            let row = row?;
            if wanted.contains(&row.job_id) {
                found.insert(row.job_id, row);
            }
        }
        Ok(found)
    }

    fn add(&mut self, row: &Reservation, hasher: &mut impl Hasher) {
        self.count += 1;
        let asked = [row.arrival, row.ready, row.duration, row.deadline, row.pes];
        (row.job_id, asked).hash(hasher);
        let [arrival, .., duration, _, pes] = asked.map(number);
        let [first, last] = self.arrivals.unwrap_or([arrival; 2]);
        self.arrivals = Some([first.min(arrival), last.max(arrival)]);
        self.most_pes = self.most_pes.max(pes);
        let accepted = row.is_accepted();
        let size = self.by_size.entry(breakdown::size_class(pes));
        size.or_default().add(accepted);
        let class = self.by_duration.entry(breakdown::duration_class(duration));
        class.or_default().add(accepted);
        if accepted {
            return;
        }
        match self.refusals.get_mut(&*row.reason) {
            Some(count) => *count += 1,
            None => drop(self.refusals.insert(row.reason.to_string(), 1)),
        }
    }
}

/// What rounding needs to know of a request.
fn request(asked: Reservation) -> JobRequest {
    JobRequest {
        job_id: asked.job_id,
        arrival: asked.arrival,
        ready: asked.ready,
        duration: asked.duration,
        deadline: asked.deadline,
        pes: asked.pes,
        run: asked.duration,
        flexible: true,
        ..JobRequest::default()
    }
}

/// The shares over time of so many requests, which come in order of arrival.
fn over_time(mut in_order: Sorted<(u64, u64)>, count: usize) -> io::Result<Vec<(f64, Share)>> {
    let points = (count / REQUESTS_PER_POINT).clamp(1, POINTS);
    let size = count.div_ceil(points).max(1);
    let mut shares = Vec::new();
    loop {
        let (mut sum, mut share) = (0.0, Share::default());
        for request in in_order.by_ref().take(size) {
            let (arrival, decided) = request?;
            sum += f64::from_bits(arrival);
            share.add(decided % 2 == 1);
        }
        if share.all == 0 {
            return Ok(shares);
        }
        shares.push((sum / share.all as f64, share));
    }
}

#[cfg(test)]
mod tests {
    use std::{borrow::Cow, fs};

    use rand::RngExt;

    use super::*;
    use crate::{
        files::{self, Decision, Row},
        workload::rng::{Purpose, stream},
    };

    fn row(job_id: u64, arrival: u64, pes: u64, accepted: bool) -> Reservation {
        let text = format!(
            "{job_id},{arrival},{arrival},60,{},{pes},refused,no-room,,,\n",
            arrival + 60
        );
        let columns = Reservation::COLUMNS;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        reader.set_headers(columns.to_vec().into());
        let mut row: Reservation = reader.deserialize().next().unwrap().unwrap();
        if accepted {
            (row.decision, row.reason) = (Decision::Accepted, Cow::Borrowed(""));
        }
        row
    }

    /// More rows than are kept in memory, of which many came at the same time, in any order.
    #[test]
    fn shares_are_those_of_all_rows_in_order_of_arrival() {
        let mut random = stream(3, Purpose::Reservations, 0);
        for (count, times) in [
            (30_001, 4_000),
            (30_000, 1 << 40),
            (510, 7),
            (70, 900),
            (1, 1),
            (0, 1),
        ] {
            let rows = (0..count).map(|job_id| {
                let arrival = random.random_range(0..times);
                row(
                    job_id,
                    arrival,
                    random.random_range(1..100),
                    random.random_bool(0.4),
                )
            });
            let rows: Vec<Reservation> = rows.collect();
            let dir = tempfile::tempdir().unwrap();
            files::write(&dir.path().join(RESERVATIONS), Reservation::COLUMNS, &rows).unwrap();
            let requests = Requests::read(dir.path(), None).unwrap().unwrap();
            // Nothing is left beside it.
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);

            let mut by_arrival: Vec<&Reservation> = rows.iter().collect();
            by_arrival.sort_by_key(|row| row.arrival);
            let points = (rows.len() / 25).clamp(1, 20);
            let expected = by_arrival.chunks(rows.len().div_ceil(points).max(1));
            let expected: Vec<(f64, f64)> = expected
                .map(|chunk| {
                    let sum: u64 = chunk.iter().map(|row| row.arrival).sum();
                    let accepted = chunk.iter().filter(|row| row.is_accepted()).count();
                    (
                        sum as f64 / chunk.len() as f64,
                        100.0 * accepted as f64 / chunk.len() as f64,
                    )
                })
                .collect();
            let found = requests.over_time.iter();
            let found: Vec<(f64, f64)> = found
                .map(|(at, share)| (*at, share.at(*at, String::new()).mean))
                .collect();
            assert_eq!(found, expected);

            let wanted: BTreeSet<u64> = [0, 7, count / 2, count.saturating_sub(1), count].into();
            let again = requests.of_numbers(dir.path(), &wanted).unwrap();
            let mut again: Vec<&Reservation> = again.values().collect();
            again.sort_by_key(|row| row.job_id);
            let those = rows.iter().filter(|row| wanted.contains(&row.job_id));
            assert!(again.into_iter().eq(those));

            let refused = rows.iter().filter(|row| !row.is_accepted()).count();
            assert_eq!(requests.refusals.values().sum::<usize>(), refused);
            assert_eq!(requests.count, rows.len());
            let least = rows.iter().map(|row| row.arrival as f64).reduce(f64::min);
            assert_eq!(requests.arrivals.map(|[first, _]| first), least);
            let most = rows.iter().map(|row| row.arrival as f64).reduce(f64::max);
            assert_eq!(requests.arrivals.map(|[_, last]| last), most);
            let of_64 = rows
                .iter()
                .filter(|row| row.pes > 32 && row.pes <= 64)
                .count();
            assert_eq!(requests.by_size.get(&6).map_or(0, |share| share.all), of_64);
        }
    }

    #[test]
    fn other_requests_have_another_fingerprint() {
        let fingerprint = |rows: &[Reservation]| {
            let dir = tempfile::tempdir().unwrap();
            files::write(&dir.path().join(RESERVATIONS), Reservation::COLUMNS, rows).unwrap();
            Requests::read(dir.path(), None)
                .unwrap()
                .unwrap()
                .fingerprint
        };
        let rows = [row(1, 5, 2, true), row(2, 6, 2, false)];
        let decided = [row(1, 5, 2, false), row(2, 6, 2, true)];
        assert_eq!(fingerprint(&rows), fingerprint(&decided));
        for others in [
            &[row(1, 5, 2, true)][..],
            &[row(2, 6, 2, false), row(1, 5, 2, true)],
            &[row(1, 5, 2, true), row(2, 6, 3, false)],
            &[row(1, 5, 2, true), row(2, 7, 2, false)],
            &[row(3, 5, 2, true), row(2, 6, 2, false)],
        ] {
            assert_ne!(fingerprint(&rows), fingerprint(others));
        }
    }
}
