//! Options of the systems to simulate.

use std::sync::Arc;

use clap::{Args, builder::TypedValueParser};

use super::{
    elastic::ElasticOptions,
    juggle::JuggleOptions,
    layout::PlacingOptions,
    memory::Memory,
    moving::MovingOptions,
    overlay::OverlayOptions,
    placement::{Placement, Settings},
    prices::PriceOptions,
    shift::ShiftOptions,
    values,
};
use crate::{
    engine::{Binding, Strategy, System},
    error::{Error, Result},
    layout::Layout,
    report::words::plural,
};

/// Most processing elements the kernel can count.
pub(super) const MOST_PES: u64 = u16::MAX as u64;

/// Slots that can be booked ahead where nothing else is said. Of one second each they are some 34 hours, which hold the longest window that
/// the usual factors make of a job of three hours.
pub(super) const SLOTS: u32 = 122_880;

/// Under which its options stand in the help.
pub(super) const HEADING: &str = "Machine";

/// How long a slot is, in every sub-command alike. A second loses no request to rounding and means what a file of requests in seconds says;
/// longer slots are cheaper and are asked for.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = HEADING)]
pub(super) struct SlotLength {
    /// Length of a slot in seconds
    #[arg(long = "slot-seconds", value_name = "S", default_value_t = 1, value_parser = slot_seconds)]
    pub(super) seconds: u32,
}

/// How starts are chosen and when processing elements are assigned.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Strategy")]
pub(super) struct Strategies {
    #[command(flatten)]
    placement: Placement,
    /// When PEs are assigned; one or more separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = bindings(), default_value = "early")]
    binding: Vec<Bindings>,
    #[command(flatten)]
    elastic: ElasticOptions,
    #[command(flatten)]
    shift: ShiftOptions,
    #[command(flatten)]
    juggle: JuggleOptions,
    #[command(flatten)]
    moving: MovingOptions,
    #[command(flatten)]
    placing: PlacingOptions,
    #[command(flatten)]
    overlay: OverlayOptions,
    #[command(flatten)]
    prices: PriceOptions,
    #[command(flatten)]
    pub(super) memory: Memory,
}

/// The size of the machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) pes: u16,
    pub(super) slots: u32,
    pub(super) slot_seconds: u32,
}

impl Strategies {
    /// Every strategy with every binding and, on a machine with a layout, every preference, each once; what is random in a strategy has this
    /// seed.
    pub(super) fn systems(
        &self,
        size: Size,
        layout: Option<&Arc<Layout>>,
        seed: u64,
    ) -> Result<Vec<System>> {
        let tariff = self.prices.tariff(size.slot_seconds)?;
        let bindings = values::each_once(
            self.binding
                .iter()
                .flat_map(|names| names.0.iter().copied()),
        );
        let mut systems = Vec::new();
        for strategy in self.strategies(seed) {
            for &binding in &bindings {
                let system = System {
                    tariff,
                    sites: self.overlay.sites,
                    redundancy: self.overlay.redundancy,
                    pull_forward: self.moving.pull_forward && strategy.leaves_starts(),
                    ..size.system(strategy, binding)
                };
                system.check()?;
                systems.push(system);
            }
        }
        self.placing.on(systems, layout)
    }

    fn strategies(&self, seed: u64) -> Vec<Strategy> {
        self.placement.strategies(&Settings {
            elastic: self.elastic.elastic(),
            shift: self.shift.shift(),
            juggle: self.juggle.juggle(seed),
            moving: [false, true].map(|shifts| self.moving.moving(shifts)),
            overlay: self.overlay.overlay(),
        })
    }

    /// An option without effect would be taken for one with effect.
    pub(super) fn check_options(&self) -> Result<()> {
        self.idle()
            .next()
            .map_or(Ok(()), |problem| Err(Error::Usage(problem)))
    }

    /// What to say of options that no strategy has.
    pub(super) fn idle(&self) -> impl Iterator<Item = String> {
        let strategies = self.strategies(0);
        type Has = fn(&Strategy) -> bool;
        let given: [(_, _, Has); 6] = [
            (self.overlay.first_given(), "overlay", |strategy| {
                strategy.overlay().is_some()
            }),
            (self.elastic.first_given(), "elastic", |strategy| {
                matches!(strategy, Strategy::Elastic(_))
            }),
            (
                self.shift.first_given(),
                "shift or juggle-shift",
                |strategy| strategy.shift().is_some(),
            ),
            (
                self.juggle.first_given(),
                "juggle or juggle-shift",
                |strategy| strategy.juggle().is_some(),
            ),
            (
                self.moving.first_given(),
                "juggle, shift or juggle-shift",
                |strategy| strategy.moving().is_some(),
            ),
            (
                self.moving.pull_forward.then_some("--pull-forward"),
                "fit, juggle, shift or juggle-shift",
                |strategy| strategy.leaves_starts(),
            ),
        ];
        let depth = self.shift.is_depth_idle();
        let depth = depth.then(|| "--depth is only for --insertion slides".to_owned());
        let idle = given.into_iter().filter_map(move |(option, names, has)| {
            let option = option.filter(|_| !strategies.iter().any(has))?;
            Some(format!("{option} is only for --strategy {names}"))
        });
        idle.chain(depth)
    }
}

impl Size {
    /// The number of processing elements that is said, or that a layout has; where both are there, they are the same.
    pub(super) fn pes(said: Option<u16>, layout: &Layout) -> Result<u16> {
        let has = u16::try_from(layout.pes()).unwrap_or(u16::MAX);
        match said {
            Some(pes) if pes != has => Err(Error::Usage(format!(
                "--pes {pes}: the layout has {has} PEs; leave out --pes"
            ))),
            _ => Ok(has),
        }
    }

    pub(super) fn system(self, strategy: Strategy, binding: Binding) -> System {
        System::new(self.pes, self.slots, self.slot_seconds, strategy, binding)
    }
}

/// The processing elements and the slots of a system in words.
pub(super) fn size(system: &System) -> [String; 2] {
    let pes = plural(usize::from(system.pes), "PE");
    let pes = match system.sites {
        1 => pes,
        sites => format!("{} of {pes}", plural(usize::from(sites), "site")),
    };
    [pes, plural(system.slots as usize, "slot")]
}

/// What a name among bindings stands for.
#[derive(Clone, Copy, Debug)]
struct Bindings(&'static [Binding]);

fn bindings() -> impl TypedValueParser<Value = Bindings> {
    values::one_of(vec![
        values::named(
            "early",
            "when the reservation is made",
            Bindings(&[Binding::Early]),
        ),
        values::named("late", "when the job starts", Bindings(&[Binding::Late])),
        values::named("all", "both", Bindings(&[Binding::Early, Binding::Late])),
    ])
}

/// A number of processing elements that the kernel can count.
pub(super) fn pes(text: &str) -> std::result::Result<u16, String> {
    values::whole(1..=MOST_PES)(text)
}

/// A number of slots that the kernel can cover.
pub(super) fn slots(text: &str) -> std::result::Result<u32, String> {
    values::whole(1..=u64::from(System::MOST_SLOTS))(text)
}

/// The length of a slot.
fn slot_seconds(text: &str) -> std::result::Result<u32, String> {
    values::whole(1..=u32::MAX.into())(text)
}
