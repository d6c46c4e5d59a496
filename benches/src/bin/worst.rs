//! Looks for the states and requests on which the searches take longest, and prints them.

use bookahead_benches::{Stopwatch, worst};

fn main() {
    let watch = Stopwatch::calibrated();
    for (structure, found) in [
        ("count", worst::counts(&watch)),
        ("pe", worst::sets(&watch)),
    ] {
        for worst in found {
            let name = worst.name;
            println!(
                "{structure}_worst_{name}_over_floor_ratio {:.3}  {:.0} ns: {}",
                worst.over_floor, worst.ns, worst.on
            );
        }
    }
}
