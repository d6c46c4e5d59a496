//! Progress on a terminal; silence elsewhere.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Makes progress bars, which are drawn only on a terminal and only when wanted.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    quiet: bool,
}

impl Progress {
    /// `quiet` hides every bar.
    #[must_use]
    pub const fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// A bar for `steps` steps of the work `label`; it vanishes when it is dropped.
    #[must_use]
    pub fn bar(&self, label: &str, steps: u64) -> Bar {
        let template = "{msg:28} {wide_bar} {percent:>3} % {eta:>4} left";
        self.begin(label, Some(steps), template)
    }

    /// The work `label`, of which nobody knows how long it takes, with how long it has taken; it vanishes when it is dropped.
    #[must_use]
    pub fn busy(&self, label: &str) -> Bar {
        self.begin(label, None, "{spinner} {wide_msg} {elapsed:>4} so far")
    }

    fn begin(&self, label: &str, steps: Option<u64>, template: &str) -> Bar {
        // indicatif draws nothing by itself when the error output is no terminal.
        let target = if self.quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(steps, target);
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.set_message(label.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        Bar(bar)
    }
}

/// A progress bar. Ticks may come from any thread.
pub struct Bar(ProgressBar);

impl Bar {
    /// What is being done now.
    pub fn say(&self, label: String) {
        self.0.set_message(label);
    }

    /// One step is done.
    pub fn tick(&self) {
        self.0.inc(1);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
