//! Which excerpt of a schedule is drawn: few enough rectangles to read, and neither the emptiest nor the fullest part.

use super::run::Job;

/// The most rectangles a Gantt chart shows.
pub(super) const RECTANGLES: usize = 300;

/// Parts of a schedule are made long enough for about this many rectangles.
const WANTED: usize = 150;

/// An excerpt of time with the words that say how it was chosen.
pub(super) struct Excerpt {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) chosen: String,
}

/// The rectangle of a job on PEs that are drawn beside each other, cut to the excerpt.
pub(super) struct Piece<'a> {
    pub(super) job: &'a Job,
    pub(super) rows: (u32, u32),
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Piece<'_> {
    fn area(&self) -> f64 {
        (self.to - self.from) * width(self.rows)
    }
}

fn width((first, last): (u32, u32)) -> f64 {
    f64::from(last) - f64::from(first) + 1.0
}

/// Chooses an excerpt: everything where that is little, else one of the busier of equally long parts.
pub(super) fn choose(jobs: &[Job]) -> Option<Excerpt> {
    let first = jobs.iter().map(|job| job.start).min_by(f64::total_cmp)?;
    let last = jobs.iter().map(|job| job.finish).max_by(f64::total_cmp)?;
    let rectangles: usize = jobs.iter().map(|job| job.rows.len()).sum();
    if rectangles == 0 || last <= first {
        return None;
    }
    if rectangles <= RECTANGLES {
        return Some(Excerpt {
            from: first,
            to: last,
            chosen: "the whole schedule".to_owned(),
        });
    }
    let parts = rectangles.div_ceil(WANTED);
    let length = (last - first) / parts as f64;
    let from = first + length * upper_quartile(&loads(jobs, first, length, parts)) as f64;
    let mut excerpt = Excerpt {
        from,
        to: from + length,
        chosen: format!("the part at the upper quartile of load among {parts} equally long parts"),
    };
    shorten(jobs, &mut excerpt);
    Some(excerpt)
}

/// PE-seconds used in each part.
fn loads(jobs: &[Job], first: f64, length: f64, parts: usize) -> Vec<f64> {
    let mut loads = vec![0.0; parts];
    for job in jobs {
        let pes: f64 = job.pes.iter().map(|&pes| width(pes)).sum();
        let mut part = ((job.start - first) / length) as usize;
        while part < parts && first + length * part as f64 <= job.finish {
            let begin = first + length * part as f64;
            let inside = job.finish.min(begin + length) - job.start.max(begin);
            loads[part] += inside.max(0.0) * pes;
            part += 1;
        }
    }
    loads
}

fn upper_quartile(loads: &[f64]) -> usize {
    let mut order: Vec<usize> = (0..loads.len()).collect();
    order.sort_by(|&a, &b| loads[a].total_cmp(&loads[b]));
    order[3 * (order.len() - 1) / 4]
}

/// A crowded part is shortened; so many rectangles at one moment that this does not help are left to [`pieces`].
fn shorten(jobs: &[Job], excerpt: &mut Excerpt) {
    for _ in 0..10 {
        if overlapping(jobs, excerpt).count() <= RECTANGLES {
            return;
        }
        excerpt.to = excerpt.from + 0.7 * (excerpt.to - excerpt.from);
    }
}

fn overlapping<'a>(jobs: &'a [Job], excerpt: &Excerpt) -> impl Iterator<Item = Piece<'a>> {
    let (from, to) = (excerpt.from, excerpt.to);
    jobs.iter()
        .filter(move |job| job.start < to && job.finish > from)
        .flat_map(move |job| {
            job.rows.iter().map(move |&rows| Piece {
                job,
                rows,
                from: job.start.max(from),
                to: job.finish.min(to),
            })
        })
}

/// The rectangles of an excerpt, and how many of the smallest were left out.
pub(super) fn pieces<'a>(jobs: &'a [Job], excerpt: &Excerpt) -> (Vec<Piece<'a>>, usize) {
    let mut pieces: Vec<Piece> = overlapping(jobs, excerpt).collect();
    let left_out = pieces.len().saturating_sub(RECTANGLES);
    if left_out > 0 {
        pieces.sort_by(|a, b| b.area().total_cmp(&a.area()));
        pieces.truncate(RECTANGLES);
    }
    (pieces, left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(start: f64, finish: f64, pes: &[(u32, u32)]) -> Job {
        Job {
            id: "1".to_owned(),
            best_effort: false,
            submitted: 0.0,
            start,
            finish,
            pes: pes.to_vec(),
            groups: None,
            broken: None,
            rows: pes.to_vec(),
        }
    }

    #[test]
    fn a_short_schedule_is_drawn_whole() {
        let jobs = [job(5.0, 9.0, &[(0, 3), (5, 5)]), job(7.0, 20.0, &[(4, 4)])];
        let excerpt = choose(&jobs).unwrap();
        assert_eq!((excerpt.from, excerpt.to), (5.0, 20.0));
        assert_eq!(pieces(&jobs, &excerpt).0.len(), 3);
    }

    #[test]
    fn a_long_schedule_gives_one_of_its_busier_parts() {
        // Job n runs alone on n + 1 PEs.
        let jobs: Vec<Job> = (0..1000)
            .map(|n| job(f64::from(n), f64::from(n) + 1.0, &[(0, n)]))
            .collect();
        let excerpt = choose(&jobs).unwrap();
        assert!(excerpt.from > 500.0 && excerpt.to < 1000.0);
        let (pieces, left_out) = pieces(&jobs, &excerpt);
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
        let (pieces, left_out) = pieces(&jobs, &excerpt);
        assert_eq!((pieces.len(), left_out), (RECTANGLES, 700));
        assert!(pieces.iter().all(|piece| piece.to > 700.0));
    }

    #[test]
    fn no_time_and_no_pes_are_no_excerpt() {
        assert!(choose(&[]).is_none());
        assert!(choose(&[job(3.0, 3.0, &[(0, 1)])]).is_none());
        assert!(choose(&[job(3.0, 4.0, &[])]).is_none());
    }
}
