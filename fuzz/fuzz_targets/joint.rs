//! Books that are decided as one, quotas among them, against twins that try every slot.
#![no_main]

use bookahead_oracle::{generate::Source, joint::World};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let mut source = Source::new(bytes);
    let Some(mut world) = World::drawn(&mut source) else {
        return Corpus::Reject;
    };
    while let Some(act) = world.draw(&mut source) {
        world.act(&act);
    }
    Corpus::Keep
});
