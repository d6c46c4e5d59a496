//! Claims 5.10 to 5.27, about table IV and figures 9 to 21, each with its rule.

use super::{
    points::{Printed, RATES, SHARES, TABLE_4},
    systems::{LRH, WITHOUT},
    views::{OF_EDS, OF_LRH, Views},
};
use crate::experiment::{At, Claim, Curves, Finding, Kind, Panel, Row, above, claim, parts};
use crate::statistics::{Estimate, Verdict};

const CASES: [[&str; SHARES.len()]; RATES.len()] = [
    ["5.10", "5.11", "5.12", "5.13"],
    ["5.14", "5.15", "5.16", "5.17"],
];
/// The jobs that the text names.
const JOBS: (f64, f64) = (615.0, 800.0);
/// From this share on flexibility is high.
const HIGH: f64 = 75.0;

const POINTS_OR_PERCENT: &str = "The paper does not say whether points or percent are meant, nor when jobs cancel: judged are points, and 2 % cancel between their request and their earliest start.";

/// The claims.
pub(super) fn claims(p: &Views) -> Vec<Claim> {
    use Kind::{Number, Order, Trend};
    let cases = TABLE_4.iter().zip(CASES).enumerate();
    let cases = cases.flat_map(|(rate, (rows, ids))| {
        let rows = rows.iter().zip(ids).enumerate();
        rows.map(move |(share, (printed, id))| case(p, id, rate, share, printed))
    });
    let best = |rate: usize, best: usize| {
        let by_share = &p.by_share[rate];
        let others = (0..SHARES.len()).filter(|other| *other != best);
        let tests: Vec<_> = others.map(|other| above(best, other)).collect();
        by_share
            .everywhere(tests)
            .opening(by_share.overall_values(&[0, 1, 2, 3]))
    };
    let mean = |series, tick, claimed| value(&p.means, (0, series, tick), claimed);
    let mut claims: Vec<Claim> = cases.collect();
    claims.extend(vec![
        claim("5.18", Order, "FCFS-LRH uses more than without reservation in every case (figures 9 to 16).", "FCFS-LRH above without at all 8 points",
            p.used.everywhere([above(LRH, WITHOUT)]).opening(p.used.overall(&[WITHOUT, LRH])))
            .pointwise()
            .remark("A queue knows no flexibility and starts a job whenever there is room, while strict reservations leave gaps: with few flexible users FCFS-LRH uses less than the queue, and more with many.")
            .fails_since("The paper has FCFS-LRH above the queue in all eight cases. Here it is above with many flexible users and below with few, since strict reservations leave gaps, while a queue starts a job whenever there is room."),
        claim("5.19", Order, "With mu = 3 the utilisation of FCFS-LRH is highest, 94.95 %, with 75 % flexible users (figure 17).", "75 % above 25, 50 and 100 %",
            best(0, 2))
            .remark("Here every share uses more than the one before. The printed values differ by 0.07 to 0.52 points, less than single runs do.")
            .fails_since("The paper has more used with 75 % flexible users than with 100 %. Here each share uses more than the one before, since more may be shifted. The printed values differ by less than single runs do, so that their order may be chance."),
        claim("5.20", Order, "With mu = 4 it is highest, 97.43 %, with 100 % flexible users (figure 18).", "100 % above 25, 50 and 75 %",
            best(1, 3)),
        claim("5.21", Number, "With mu = 3 and 75 % flexible users the utilisation increases by 3.97 % (figure 19).", "3.97 %",
            value(&p.gained, (0, 0, 2), 3.97))
            .remark("The paper contradicts itself: its table IV has 3.81 points here, 4.18 % of the utilisation without reservation; 3.965 is the mean of the gains at 75 % with mu = 3 and mu = 4. Judged are points at mu = 3."),
        claim("5.22", Number, "The number of jobs is between 615 and 800.", "615 to 800",
            p.submitted.range(JOBS.0, JOBS.1))
            .with(submitted(&p.submitted))
            .remark("The paper contradicts itself: its table IV has 601 jobs with mu = 3 and 100 %. The fit is to all jobs of the table, so that 609 and 812 are expected.")
            .fails_since("The text has 615 to 800 jobs, while the paper's own table IV has 601. Our jobs are fitted to the whole table, by which 609 are expected with mu = 3 and 812 with mu = 4."),
        claim("5.23", Trend, "The increase in utilisation is strongly influenced by time flexibility (abstract, section IV).", "a greater gain with 75 and 100 % than with 25 and 50 %",
            p.gained.shift(0, HIGH).opening(p.gained.ends(&[0])))
            .remark("The gains of table IV are not monotone themselves: 2.49, 2.32, 3.81, 3.60 with mu = 3 and 3.74, 3.56, 4.12, 4.15 with mu = 4."),
        claim("5.24", Number, "With mu = 3 and 2 % of the jobs cancelled FCFS-LRH uses 1.38 % more than FCFS-EDS on average (figure 20).", "+1.38 %",
            value(&p.mean_cancelled_gain, (0, 0, 0), 1.38))
            .with([relative(p, 0)])
            .remark(POINTS_OR_PERCENT),
        claim("5.25", Number, "With mu = 4 it is 1.79 % (figure 21).", "+1.79 %",
            value(&p.mean_cancelled_gain, (0, 0, 1), 1.79))
            .with([relative(p, 1)])
            .remark(format!("The caption of figure 21 has mu = 4, which is taken; the text has mu = 3. {POINTS_OR_PERCENT}")),
        claim("5.26", Order, "When jobs are cancelled, FCFS-LRH uses more than FCFS-EDS (section IV).", "FCFS-LRH above FCFS-EDS",
            p.cancelled.compare(At::Mean, [above(OF_LRH, OF_EDS)]).opening(p.cancelled.overall(&[OF_EDS, OF_LRH]))),
        claim("5.27", Number, "Averages of table IV: mu = 3 from 91.68 to 94.735 %, mu = 4 from 92.30 to 96.19 %; with FCFS-LRH mu = 4 uses more than mu = 3 in three of four rows.", "91.68 to 94.735; 92.30 to 96.19; 3 of 4",
            parts([
                ("mu = 3, without", mean(0, 0, 91.68)),
                ("mu = 3, FCFS-LRH", mean(1, 0, 94.735)),
                ("mu = 4, without", mean(0, 1, 92.30)),
                ("mu = 4, FCFS-LRH", mean(1, 1, 96.19)),
                ("rows", p.by_rate.mostly(&[(1, 0)])),
            ]))
            .remark("What is fitted is the same as in 5.10.")
            .fails_since("The paper has FCFS-LRH use 94.735 % on average with mu = 3. Here it is less, since FCFS-LRH uses less than the queue where few users are flexible (5.18)."),
    ]);
    claims
}

/// A row of table IV.
fn case(p: &Views, id: &'static str, rate: usize, share: usize, printed: &Printed) -> Claim {
    let Printed {
        without, shifting, ..
    } = *printed;
    // As printed, without what binary fractions add.
    let gain = ((shifting - without) * 100.0).round() / 100.0;
    let place = format!("Table IV, mu = {}, {} %", RATES[rate], SHARES[share]);
    let says = match (rate, share) {
        (0, 0) => {
            format!("{place} flexible users: utilisation without reservation and with FCFS-LRH.")
        }
        _ => format!("{place}."),
    };
    let found = parts([
        (
            "without reservation",
            value(&p.used, (rate, WITHOUT, share), without),
        ),
        ("FCFS-LRH", value(&p.used, (rate, LRH, share), shifting)),
        ("gain", value(&p.gained, (rate, 0, share), gain)),
    ]);
    claim(id, Kind::Number, says, format!("{without:.2} and {shifting:.2} % (+{gain:.2})"), found)
        .pointwise()
        .remark("The jobs and the meaning of \"without reservation\" are fitted to that column of the whole table (see the figure of the fit), and to nothing else of it.")
        .fails_since("Table IV has FCFS-LRH gain two to four points in every row. Here it uses less than the queue with few flexible users, and more than printed with many: strict reservations leave gaps that a queue fills. The paper does not print its jobs; ours are fitted to the column without reservation alone.")
}

/// A number that was printed for one run, at a panel, series and tick. One more run would give it: it lies in the 95 % prediction interval
/// of the replications.
fn value(curves: &Curves, (panel, series, tick): (usize, usize, usize), claimed: f64) -> Finding {
    let name = curves.names(&[series]);
    let mut finding = Finding::default().by_rule(format!(
        "{}: {claimed} among 95 % of single runs with {name}",
        curves.name
    ));
    let Some(panel) = curves.panels.get(panel) else {
        return finding;
    };
    let samples = panel.samples(series, tick);
    let found = Estimate::of(samples);
    // The mean itself is uncertain, too.
    let half = found.half * (samples.len() as f64 + 1.0).sqrt();
    let run = Estimate { half, ..found };
    let inside = (claimed - found.mean).abs() <= half;
    let known = half.is_finite();
    let mean = format!("mean {:.2} {}", found.mean, found.interval());
    finding.measured = Some(format!("{mean}, single runs {}", run.interval()));
    finding.ci95 = found.ci95();
    let what = format!("{name} in a single run");
    let beside = format!("{:.4}, printed {claimed}", found.mean);
    let verdict = Verdict::when(known && inside, known && !inside);
    let row = Row::verdict(what, beside, verdict).at(panel.at(tick));
    finding.decide(row.with_half(run));
    finding
}

/// The printed numbers of jobs beside ours.
fn submitted(curves: &Curves) -> Vec<Row> {
    let row = |(panel, (rate, tick)): (&Panel, (usize, usize))| {
        let jobs = TABLE_4[rate][tick].jobs;
        let value = format!("{:.1}, printed {jobs}", panel.mean(rate, tick));
        let place = format!("{}, {}", panel.at(tick), panel.names[rate]);
        Row::fact("jobs in a run", value).at(place)
    };
    let panels = curves.panels.iter();
    let values = panels.flat_map(|panel| panel.values().map(move |at| (panel, at)));
    values.map(row).collect()
}

/// The gain with cancellations in percent of what FCFS-EDS uses.
fn relative(p: &Views, rate: usize) -> Row {
    let level = p.cancelled.panels.get(rate);
    let level = level.map_or(Vec::new(), |panel| panel.mean_over(OF_EDS, &panel.all()));
    let gain = p.mean_cancelled_gain.first().samples(0, rate);
    let shares = gain.iter().zip(level);
    let shares = shares.map(|(gain, level)| 100.0 * gain / level);
    Row::estimate("gain in % of FCFS-EDS", &shares.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::{CASES, TABLE_4, claims};
    use crate::experiment::{
        Samples,
        claims::tests::verdict,
        pujiyanta::{
            measures::MEASURES,
            points::{Point, RATES, SHARES, grid},
            systems::{LRH, NAMES, WITHOUT},
            views::Views,
        },
    };
    use crate::statistics::Verdict::{Fails, Holds};

    /// Replications about the table, FCFS-LRH so much above what is printed.
    fn views(more: f64) -> Views {
        let value = |system, point: Point| {
            let rate = RATES.iter().position(|rate| *rate == point.rate).unwrap();
            let share = SHARES
                .iter()
                .position(|share| *share == point.share)
                .unwrap();
            let printed = TABLE_4[rate][share];
            match system {
                WITHOUT => printed.without,
                LRH => printed.shifting + more * (1 + share) as f64,
                _ => 50.0,
            }
        };
        let noise = |run: usize| [0.01, -0.01][run % 2];
        Views::of(&Samples::drawn(
            &NAMES,
            &MEASURES,
            grid(),
            |_, system, point, run| value(system, point) + noise(run),
        ))
    }

    #[test]
    fn the_printed_table_confirms_its_claims_and_another_does_not() {
        let (printed, other) = (views(0.0), views(-5.0));
        let cases = CASES.iter().flatten().copied();
        for id in cases.chain(["5.18", "5.19", "5.20", "5.23"]) {
            assert_eq!(verdict(claims, id, &printed), Holds, "{id}");
        }
        let cases = CASES.iter().flatten().copied();
        for id in cases.chain(["5.18", "5.19", "5.20"]) {
            assert_eq!(verdict(claims, id, &other), Fails, "{id}");
        }
        assert_eq!(verdict(claims, "5.21", &other), Fails);
    }
}
