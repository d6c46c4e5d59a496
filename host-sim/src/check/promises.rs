//! Each request by itself: what was asked, what was promised, what happened. Rules 1 to 5.

use super::{
    execution,
    findings::{Findings, shown},
    operations::{Ended, Histories, History},
    overlays,
    refusals::Refusals,
    settings::Settings,
    waiting,
};
use crate::{
    engine::OnLate,
    files::{Bit, Job, Price, Profile, Reservation},
};

/// Requests and their jobs, pair by pair.
pub(super) struct Promises<'a> {
    settings: &'a Settings,
    histories: Option<&'a Histories>,
    refusals: Refusals<'a>,
    requests: usize,
    reserved: usize,
    /// What is wrong with keys of requests that wait, and with requests.
    keys: Findings,
    found: Findings,
    parts: Parts<'a>,
}

impl<'a> Promises<'a> {
    /// Of a run with so many jobs of the queue; `kept` are all requests, where these are kept.
    pub(super) fn new(
        queued: usize,
        histories: Option<&'a Histories>,
        kept: &[Reservation],
        settings: &'a Settings,
    ) -> Self {
        let mut keys = Findings::default();
        waiting::keys(kept, settings, &mut keys);
        Self {
            settings,
            histories,
            refusals: Refusals::new(settings, queued, histories),
            requests: 0,
            reserved: 0,
            keys,
            found: Findings::default(),
            parts: Parts {
                parts: histories.map(Histories::parts).unwrap_or_default(),
                rows: 0,
                found: Findings::default(),
            },
        }
    }

    /// The next row of one table or of both.
    pub(super) fn row(&mut self, job: Option<&Job<'_>>, row: Option<&Reservation>) {
        let reserved = job.filter(|job| job.profile == Profile::Reservation);
        self.requests += usize::from(row.is_some());
        self.reserved += usize::from(reserved.is_some());
        if let (Some(job), Some(row)) = (reserved, row) {
            self.request(row, job);
        }
        if let Some(job) = job.filter(|job| job.profile == Profile::Split) {
            self.parts.row(job, self.settings);
        }
    }

    fn request(&mut self, promise: &Reservation, job: &Job<'_>) {
        let (settings, found) = (self.settings, &mut self.found);
        self.refusals.request(promise, found);
        waiting::row(promise, &self.refusals, settings, found);
        let history = self.histories.and_then(|all| all.of(promise.job_id));
        same_request(promise.job_id, promise.arrival, promise.asked(), job, found);
        let never = ["missed", "cancelled"].map(|word| job.metadata.says(word));
        let never = overlays::is_late(promise) && promise.is_overlay() && never.contains(&true);
        let ran = promise.is_accepted() && !never && history.is_none_or(History::has_run);
        let broken = job.metadata.broken().is_some();
        execution::state(job, [ran, broken], found);
        match promise.is_accepted() {
            true => accepted(promise, job, history, settings, found),
            false => refused(promise, job, found),
        }
    }

    /// All rows have come.
    pub(super) fn finish(self, found: &mut Findings) {
        if self.requests != self.reserved {
            let (rows, jobs) = (self.requests, self.reserved);
            let problem = format!("jobs.csv has {jobs} rows, reservations.csv {rows}");
            found.add(None, problem);
        }
        found.append(self.keys);
        found.append(self.found);
        self.parts.finish(found);
    }
}

/// Second parts of splits, which nobody asked for in a row of reservations.csv.
struct Parts<'a> {
    parts: &'a [History],
    rows: usize,
    found: Findings,
}

impl Parts<'_> {
    fn row(&mut self, job: &Job<'_>, settings: &Settings) {
        let (history, found) = (self.parts.get(self.rows), &mut self.found);
        self.rows += 1;
        let Some(history) = history else { return };
        same_request(history.job_id, history.submitted, history.asked, job, found);
        let broken = job.metadata.broken().is_some();
        execution::state(job, [history.has_run(), broken], found);
        followed(history, job, settings, found);
    }

    fn finish(self, found: &mut Findings) {
        if self.rows != self.parts.len() {
            let (rows, parts) = (self.rows, self.parts.len());
            let problem =
                format!("jobs.csv has {rows} second parts, operations.csv splits {parts}");
            found.add(None, problem);
        }
        found.append(self.found);
    }
}

fn same_request(id: u64, arrival: u64, asked: [u64; 2], job: &Job<'_>, found: &mut Findings) {
    let [duration, pes] = asked;
    found.expect(id, "job_id in jobs.csv", job.job_id, id);
    found.expect(id, "submission_time", job.submission_time, arrival);
    let width = job.requested_number_of_resources;
    found.expect(id, "requested_number_of_resources", width, pes);
    found.expect(id, "requested_time", job.requested_time, duration);
}

fn refused(promise: &Reservation, job: &Job<'_>, found: &mut Findings) {
    let id = promise.job_id;
    found.require(id, !promise.reason.is_empty(), || {
        "refused without a reason".to_owned()
    });
    let times = [promise.start, promise.end];
    let optional = [
        promise.granted_duration,
        promise.granted_pes,
        promise.agreed_ready,
        promise.agreed_deadline,
        promise.promised_latest_start,
        promise.final_start,
        promise.fixed_at,
        promise.site,
        promise.actual_end,
        promise.overlaid_pes,
        promise.broken_at,
        promise.promised_at,
    ];
    let empty = times == [None; 2]
        && promise.slowdown.is_none()
        && promise.broken_by.flatten().is_none()
        && promise.price.flatten().is_none()
        && promise.compensation.flatten().is_none()
        && optional.iter().all(|cell| cell.flatten().is_none())
        && execution::is_empty(job);
    found.require(id, empty, || {
        "refused, but cells about a start or a run are not empty".to_owned()
    });
}

fn accepted(
    promise: &Reservation,
    job: &Job<'_>,
    history: Option<&History>,
    settings: &Settings,
    found: &mut Findings,
) {
    let id = promise.job_id;
    found.require(
        id,
        promise.reason.is_empty() || promise.has_waited(),
        || "accepted with a reason for refusal".to_owned(),
    );
    if let (Some(history), Some(window)) = (history, promise.booked()) {
        let last = history.booking.start;
        promised(promise, window, settings, found);
        slowdown(promise, last, found);
        found.expect(id, "final_start", promise.final_start.flatten(), Some(last));
        let fixed_at = Some(history.fixed_at());
        found.expect(id, "fixed_at", promise.fixed_at.flatten(), fixed_at);
        followed(history, job, settings, found);
        return;
    }
    if let (true, Some(window)) = (settings.overlays(), promise.booked()) {
        promised(promise, window, settings, found);
        slowdown(promise, promise.last_start().unwrap_or(window[0]), found);
        overlays::accepted(promise, job, window, settings, found);
        return;
    }
    let unbroken = promise.violated.flatten() != Some(Bit(true));
    found.require(id, unbroken, || {
        "violated, though nothing lies on top of others".to_owned()
    });
    let (Some([start, end]), Some([began, finish])) = (promise.booked(), job.ran()) else {
        found.add(
            Some(id),
            "accepted, but a start or an end is empty".to_owned(),
        );
        return;
    };
    promised(promise, [start, end], settings, found);
    slowdown(promise, start, found);
    found.require(id, began == start, || {
        format!("starts at {began}, promised {start}")
    });
    found.require(id, finish <= end, || {
        format!("is over at {finish}, promised by {end}")
    });
    execution::times(job, [began, finish], found);
    execution::processing_elements(job, promise.granted()[1], settings, found);
}

/// Whether the job did what its booking has become.
fn followed(history: &History, job: &Job<'_>, settings: &Settings, found: &mut Findings) {
    let id = history.job_id;
    let cancelled = matches!(history.ended, Some(Ended::Cancelled { .. }));
    for (word, expected) in [("cancelled", cancelled), ("expired", history.has_expired())] {
        let said = job.metadata.says(word);
        found.expect(id, &format!("{word} in metadata"), said, expected);
    }
    if !history.has_run() {
        found.require(id, execution::is_empty(job), || {
            "never runs, but cells about a start or a run are not empty".to_owned()
        });
        return;
    }
    let Some([began, finish]) = job.ran() else {
        found.add(Some(id), "runs, but a start or an end is empty".to_owned());
        return;
    };
    let booking = history.booking;
    found.require(id, began == booking.start, || {
        format!("starts at {began}, booked in the end {booking}")
    });
    found.require(
        id,
        finish <= booking.end.max(history.stop.unwrap_or(0)),
        || format!("is over at {finish}, booked in the end {booking}"),
    );
    found.require(id, history.stop.is_none_or(|stop| finish <= stop), || {
        format!("is over at {finish}, stopped at {:?}", history.stop)
    });
    execution::times(job, [began, finish], found);
    execution::processing_elements(job, booking.pes, settings, found);
    let given_back = job.metadata.given_back.iter();
    let given_back: Vec<(u64, u64)> = given_back
        .map(|back| (back.until, back.pes.width()))
        .collect();
    found.require(id, given_back == history.given_back, || {
        format!(
            "gave back (when, how many) {given_back:?}, expected {:?}",
            history.given_back
        )
    });
    for back in &job.metadata.given_back {
        execution::on_the_machine(id, &back.pes, settings, found);
    }
}

/// The promise itself: slot edges inside the window, long enough and no longer, at its price.
fn promised(
    promise: &Reservation,
    [start, end]: [u64; 2],
    settings: &Settings,
    found: &mut Findings,
) {
    let id = promise.job_id;
    let [ready, deadline] = promise.window();
    suggested(promise, settings, found);
    found.require(id, start >= ready && start >= promise.arrival, || {
        format!("promised {start}, before its ready time {ready}")
    });
    found.require(id, end <= deadline, || {
        format!("promised to end at {end}, after its deadline {deadline}")
    });
    let slot = settings.slots().0;
    found.require(id, start.is_multiple_of(slot), || {
        format!("promised {start}, which is no edge of a slot of {slot} s")
    });
    let length = promise.granted()[0].div_ceil(slot).saturating_mul(slot);
    found.expect(id, "booked length", end.checked_sub(start), Some(length));
    let (granted, asked) = (promise.granted(), promise.asked());
    match promise.shortest() {
        Some(shortest) => {
            let [seconds, pes] = granted;
            let longest = promise.duration;
            // Whole slots, or all that was asked for.
            let whole = seconds.is_multiple_of(slot) || seconds == longest;
            let right = whole && (shortest..=longest).contains(&seconds) && pes == promise.pes;
            found.require(id, right, || {
                format!(
                    "granted {seconds} s on {pes} PEs of {shortest}-{longest} s on {}",
                    promise.pes
                )
            });
        }
        None if settings.reduces() => reduced(promise, slot, found),
        None => found.expect(id, "granted seconds and PEs", granted, asked),
    }
    if settings.is_rigid() || promise.is_exact() {
        let first = ready.div_ceil(slot).saturating_mul(slot);
        let what = match promise.is_exact() {
            true => "start of exactly these PEs",
            false => "rigid start",
        };
        found.expect(id, what, start, first);
    }
    price(promise, length / slot, settings, found);
}

/// A window that was suggested is as long as the one asked for, and earlier by no more than is allowed.
fn suggested(promise: &Reservation, settings: &Settings, found: &mut Findings) {
    let Some([ready, deadline]) = promise.agreed() else {
        return;
    };
    let slots = settings.slots();
    let asked = [slots.up(promise.ready), slots.down(promise.deadline)];
    let earlier = asked[0].checked_sub(ready).filter(|earlier| *earlier > 0);
    let same = earlier == asked[1].checked_sub(deadline);
    let most = settings
        .suggest_max
        .unwrap_or(0)
        .saturating_mul(slots.up(promise.duration));
    let near = earlier.is_some_and(|earlier| earlier.saturating_mul(100) <= most);
    let right = same && near && promise.is_flexible() && ready >= slots.up(promise.arrival);
    found.require(promise.job_id, right, || {
        format!(
            "agreed on {ready}-{deadline} instead of {}-{}, which nobody may suggest",
            asked[0], asked[1]
        )
    });
}

fn slowdown(promise: &Reservation, start: u64, found: &mut Findings) {
    let expected = promise.slowdown_from(start);
    execution::near(
        promise.job_id,
        "slowdown",
        promise.slowdown,
        expected,
        found,
    );
}

/// The price of the slots booked, where slots have one; of what starts late, unless that is waited for, its compensation instead.
fn price(promise: &Reservation, slots: u64, settings: &Settings, found: &mut Findings) {
    let Some(rate) = settings.price_per_reserved_pe_slot else {
        let priced = promise.price.is_some() || promise.compensation.is_some();
        found.require(promise.job_id, !priced, || {
            "has a price, but metrics.json no price_per_reserved_pe_slot".to_owned()
        });
        return;
    };
    let price = slots as f64 * promise.granted()[1] as f64 * rate;
    let (price, paid) = match settings.on_late() {
        OnLate::Wait => (price, None),
        OnLate::Compensate(_) if !overlays::is_late(promise) => (price, Some(0.0)),
        OnLate::Compensate(factor) => (0.0, Some(price * factor.to_num::<f64>())),
        OnLate::Cancel if !overlays::is_late(promise) => (price, None),
        OnLate::Cancel => (0.0, None),
    };
    let cells = [
        ("price", promise.price, Some(price), 5e-7),
        // The smallest amount more, by rounding.
        ("compensation", promise.compensation, paid, 1.5e-6),
    ];
    for (name, cell, expected, exact) in cells {
        // To the sixth decimal, as far as floats go.
        let near = |cell: f64, expected: f64| (cell - expected).abs() < exact_to(exact, expected);
        let cell = cell.flatten().map(Price::units);
        let right = match (cell, expected) {
            (Some(cell), Some(expected)) => near(cell, expected),
            (cell, expected) => cell.is_none() && expected.is_none(),
        };
        found.require(promise.job_id, right, || match expected {
            Some(expected) => format!("{name}: found {}, expected {expected:.6}", shown(&cell)),
            None => format!("{name}: found {}, expected nothing", shown(&cell)),
        });
    }
}

/// How near to a number another one has to be.
fn exact_to(least: f64, number: f64) -> f64 {
    least.max(1e-12 * number)
}

/// Whoever takes less than was asked takes at least half of it, of the time in whole slots.
fn reduced(promise: &Reservation, slot: u64, found: &mut Findings) {
    let asked = promise.asked();
    let units = [slot, 1];
    let names = ["granted_duration", "granted_pes"];
    for (((name, granted), asked), unit) in names
        .into_iter()
        .zip(promise.granted())
        .zip(asked)
        .zip(units)
    {
        let least = asked.div_ceil(unit).div_ceil(2);
        let fair = granted <= asked && granted.div_ceil(unit) >= least;
        found.require(promise.job_id, fair, || {
            format!("{name}: found {granted} of {asked}, expected at least half and no more")
        });
    }
}
