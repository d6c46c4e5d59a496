//! Which excerpt of a schedule is drawn: few enough rectangles to read, and neither the emptiest nor the fullest part.

use std::{io, path::Path, rc::Rc};

use super::jobs::Job;
use crate::{error::Result, sorting::Sorter};

/// The most rectangles a Gantt chart shows.
pub(super) const RECTANGLES: usize = 300;

/// Parts of a schedule are made long enough for about this many rectangles.
const WANTED: usize = 150;

/// The most parts among which one is chosen, since how much each is used is kept in memory. Of more rectangles than these hold as they should, a part holds more, and is
/// shortened where it is drawn.
const PARTS: usize = 1 << 16;

/// How often a crowded part may be shortened.
const SHORTENED: usize = 10;

/// An excerpt of time with the words that say how it was chosen.
#[derive(Clone)]
pub(super) struct Excerpt {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) chosen: String,
}

/// The rectangle of a job on PEs that are drawn beside each other, cut to the excerpt.
pub(super) struct Piece {
    pub(super) job: Rc<Job>,
    pub(super) rows: (u32, u32),
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Piece {
    fn area(&self) -> f64 {
        (self.to - self.from) * width(self.rows)
    }
}

fn width((first, last): (u32, u32)) -> f64 {
    f64::from(last) - f64::from(first) + 1.0
}

/// An excerpt with its rectangles, at most [`RECTANGLES`] of them.
pub(super) struct Drawn {
    pub(super) excerpt: Excerpt,
    pub(super) pieces: Vec<Piece>,
    /// How many of the smallest were left out.
    pub(super) left_out: usize,
}

/// Place, start, finish and PEs of a job: sorted, all of them are there again in the order in which they came.
type Use = (u64, (u64, (u64, u64)));

/// What has to be known of all jobs to choose an excerpt.
pub(super) struct Choice {
    /// The first start and the last finish.
    times: Option<[f64; 2]>,
    rectangles: usize,
    uses: Sorter<Use>,
}

impl Choice {
    /// Where there is a folder, little is kept in memory and the rest in files there.
    pub(super) fn new(folder: Option<&Path>) -> Self {
        Self {
            times: None,
            rectangles: 0,
            uses: Sorter::new(folder),
        }
    }

    /// One more job.
    pub(super) fn add(&mut self, job: &Job) {
        let [first, last] = self.times.unwrap_or([job.start, job.finish]);
        self.times = Some([first.min(job.start), last.max(job.finish)]);
        self.rectangles += job.rows.len();
        let [start, finish] = [job.start, job.finish].map(f64::to_bits);
        let place = self.uses.count() as u64;
        self.uses.add((place, (start, (finish, job.pes.width()))));
    }

    /// Everything where that is little, else one of the busier of equally long parts; nothing where there is nothing to draw.
    ///
    /// # Errors
    /// What the file system reports; nothing where no folder was given.
    pub(super) fn excerpt(self) -> io::Result<Option<Excerpt>> {
        let Some([first, last]) = self.times.filter(|[first, last]| first < last) else {
            return Ok(None);
        };
        Ok(match self.rectangles {
            0 => None,
            1..=RECTANGLES => Some(Excerpt {
                from: first,
                to: last,
                chosen: "the whole schedule".to_owned(),
            }),
            rectangles => {
                let parts = rectangles.div_ceil(WANTED).min(PARTS);
                let length = (last - first) / parts as f64;
                let loads = loads(self.uses, first, length, parts)?;
                let from = first + length * upper_quartile(&loads) as f64;
                let chosen = format!(
                    "the part at the upper quartile of load among {parts} equally long parts"
                );
                Some(Excerpt {
                    from,
                    to: from + length,
                    chosen,
                })
            }
        })
    }
}

/// PE-seconds used in each part.
fn loads(uses: Sorter<Use>, first: f64, length: f64, parts: usize) -> io::Result<Vec<f64>> {
    let mut loads = vec![0.0; parts];
    for one in uses.sorted()? {
        let (_, (start, (finish, pes))) = one?;
        let [start, finish] = [start, finish].map(f64::from_bits);
        let mut part = ((start - first) / length) as usize;
        while part < parts && first + length * part as f64 <= finish {
            let begin = first + length * part as f64;
            let inside = finish.min(begin + length) - start.max(begin);
            loads[part] += inside.max(0.0) * pes as f64;
            part += 1;
        }
    }
    Ok(loads)
}

fn upper_quartile(loads: &[f64]) -> usize {
    let mut order: Vec<usize> = (0..loads.len()).collect();
    order.sort_by(|&a, &b| loads[a].total_cmp(&loads[b]));
    order[3 * (order.len() - 1) / 4]
}

/// The rectangles of jobs in a chosen excerpt, which is shortened where it is crowded.
pub(super) fn shortened(
    jobs: impl Iterator<Item = Result<Job>>,
    excerpt: &Excerpt,
) -> Result<Drawn> {
    Gathered::new(excerpt.clone(), SHORTENED).all(jobs)
}

/// The rectangles of jobs in just this excerpt.
pub(super) fn pieces(jobs: impl Iterator<Item = Result<Job>>, excerpt: &Excerpt) -> Result<Drawn> {
    Gathered::new(excerpt.clone(), 0).all(jobs)
}

/// Rectangles of an excerpt, gathered job by job.
///
/// As soon as there are too many, the excerpt is shortened: those gathered before are the ones of the shorter excerpt then, but for those that begin
/// behind its end. So many at one moment that this does not help lose the smallest.
struct Gathered {
    excerpt: Excerpt,
    /// How often it may still be shortened.
    shortened: usize,
    pieces: Vec<Piece>,
    /// How many there are with those that were left out.
    count: usize,
}

impl Gathered {
    fn new(excerpt: Excerpt, shortened: usize) -> Self {
        Self {
            excerpt,
            shortened,
            pieces: Vec::new(),
            count: 0,
        }
    }

    fn all(mut self, jobs: impl Iterator<Item = Result<Job>>) -> Result<Drawn> {
        for job in jobs {
            self.add(job?);
        }
        if self.count > RECTANGLES {
            self.keep_largest();
        }
        Ok(Drawn {
            left_out: self.count - self.pieces.len(),
            excerpt: self.excerpt,
            pieces: self.pieces,
        })
    }

    fn add(&mut self, job: Job) {
        let Excerpt { from, to, .. } = self.excerpt;
        if job.start >= to || job.finish <= from {
            return;
        }
        let job = Rc::new(job);
        self.count += job.rows.len();
        self.pieces.extend(job.rows.iter().map(|&rows| Piece {
            job: Rc::clone(&job),
            rows,
            from: job.start.max(from),
            to: job.finish.min(to),
        }));
        while self.count > RECTANGLES && self.shortened > 0 {
            self.shorten();
        }
        // Now and then is enough.
        if self.pieces.len() > 2 * RECTANGLES {
            self.keep_largest();
        }
    }

    fn shorten(&mut self) {
        self.shortened -= 1;
        let Excerpt { from, to, .. } = self.excerpt;
        let to = from + 0.7 * (to - from);
        self.excerpt.to = to;
        self.pieces.retain(|piece| piece.job.start < to);
        for piece in &mut self.pieces {
            piece.to = piece.to.min(to);
        }
        self.count = self.pieces.len();
    }

    /// Of equally large ones, those that came first.
    fn keep_largest(&mut self) {
        self.pieces.sort_by(|a, b| b.area().total_cmp(&a.area()));
        self.pieces.truncate(RECTANGLES);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::files::PeRanges;

    fn job(start: f64, finish: f64, pes: &[(u32, u32)]) -> Job {
        Job {
            id: 1,
            best_effort: false,
            submitted: 0.0,
            start,
            finish,
            pes: PeRanges(pes.to_vec()),
            groups: None,
            broken: None,
            rows: pes.to_vec(),
        }
    }

    fn each(jobs: &[Job]) -> impl Iterator<Item = Result<Job>> {
        jobs.iter().cloned().map(Ok)
    }

    fn chosen(jobs: &[Job]) -> Option<Drawn> {
        let mut choice = Choice::new(None);
        jobs.iter().for_each(|job| choice.add(job));
        let excerpt = choice.excerpt().unwrap()?;
        Some(shortened(each(jobs), &excerpt).unwrap())
    }

    /// The same of jobs that are all in memory: the definition.
    fn expected(
        jobs: &[Job],
        mut excerpt: Excerpt,
        shortened: usize,
    ) -> (f64, Vec<[f64; 4]>, usize) {
        let overlapping = |to: f64| -> Vec<[f64; 4]> {
            let jobs = jobs
                .iter()
                .filter(|job| job.start < to && job.finish > excerpt.from);
            let pieces = jobs.flat_map(|job| {
                let times = [job.start.max(excerpt.from), job.finish.min(to)];
                let place = move |(first, last): &(u32, u32)| {
                    [times[0], times[1], f64::from(*first), f64::from(*last)]
                };
                job.rows.iter().map(place)
            });
            pieces.collect()
        };
        for _ in 0..shortened {
            if overlapping(excerpt.to).len() <= RECTANGLES {
                break;
            }
            excerpt.to = excerpt.from + 0.7 * (excerpt.to - excerpt.from);
        }
        let mut pieces = overlapping(excerpt.to);
        let left_out = pieces.len().saturating_sub(RECTANGLES);
        if left_out > 0 {
            let area = |[from, to, first, last]: &[f64; 4]| (to - from) * (last - first + 1.0);
            pieces.sort_by(|a, b| area(b).total_cmp(&area(a)));
            pieces.truncate(RECTANGLES);
        }
        (excerpt.to, pieces, left_out)
    }

    fn drawn(drawn: &Drawn) -> (f64, Vec<[f64; 4]>, usize) {
        let place = |piece: &Piece| {
            let (first, last) = piece.rows;
            [piece.from, piece.to, f64::from(first), f64::from(last)]
        };
        (
            drawn.excerpt.to,
            drawn.pieces.iter().map(place).collect(),
            drawn.left_out,
        )
    }

    proptest! {
        /// However crowded it is, and in whatever order jobs come.
        #[test]
        fn jobs_one_by_one_give_what_all_together_give(
            jobs in prop::collection::vec((0_u32..60, 1_u32..30, prop::collection::vec((0_u32..20, 0_u32..4), 0..4)), 0..900),
            crowded in 1_u32..200,
            (from, length) in (0.0..40.0, 0.1..60.0),
        ) {
            let rows = |rows: Vec<(u32, u32)>| rows.into_iter().map(|(first, more)| (first, first + more)).collect::<Vec<_>>();
            let jobs = jobs.into_iter().map(|(start, length, pes)| {
                let start = f64::from(start) / f64::from(crowded);
                job(start, start + f64::from(length), &rows(pes))
            });
            let jobs: Vec<Job> = jobs.collect();
            let excerpt = Excerpt { from, to: from + length, chosen: String::new() };
            for shortened in [0, 3, SHORTENED] {
                let gathered = Gathered::new(excerpt.clone(), shortened).all(each(&jobs)).unwrap();
                prop_assert_eq!(drawn(&gathered), expected(&jobs, excerpt.clone(), shortened));
            }
        }
    }

    #[test]
    fn a_short_schedule_is_drawn_whole() {
        let jobs = [job(5.0, 9.0, &[(0, 3), (5, 5)]), job(7.0, 20.0, &[(4, 4)])];
        let Drawn {
            excerpt, pieces, ..
        } = chosen(&jobs).unwrap();
        assert_eq!((excerpt.from, excerpt.to), (5.0, 20.0));
        assert_eq!(pieces.len(), 3);
    }

    #[test]
    fn a_long_schedule_gives_one_of_its_busier_parts() {
        // Job n runs alone on n + 1 PEs.
        let jobs: Vec<Job> = (0..1000)
            .map(|n| job(f64::from(n), f64::from(n) + 1.0, &[(0, n)]))
            .collect();
        let Drawn {
            excerpt,
            pieces,
            left_out,
        } = chosen(&jobs).unwrap();
        assert!(excerpt.from > 500.0 && excerpt.to < 1000.0);
        assert!(pieces.len() > 100 && pieces.len() <= RECTANGLES);
        assert_eq!(left_out, 0);
    }

    #[test]
    fn a_crowded_moment_loses_its_smallest_rectangles() {
        let jobs: Vec<Job> = (0..1000)
            .map(|n| job(0.0, 1.0 + f64::from(n), &[(n, n)]))
            .collect();
        let excerpt = Excerpt {
            from: 0.0,
            to: 1000.0,
            chosen: String::new(),
        };
        let Drawn {
            pieces, left_out, ..
        } = pieces(each(&jobs), &excerpt).unwrap();
        assert_eq!((pieces.len(), left_out), (RECTANGLES, 700));
        assert!(pieces.iter().all(|piece| piece.to > 700.0));
    }

    #[test]
    fn no_time_and_no_pes_are_no_excerpt() {
        for jobs in [&[][..], &[job(3.0, 3.0, &[(0, 1)])], &[job(3.0, 4.0, &[])]] {
            assert!(chosen(jobs).is_none());
        }
    }
}
