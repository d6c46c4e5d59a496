//! New histories, drawn by the generator of the random tests.

use std::{error::Error, fmt::Write as _};

use bookahead_commands::{Command, Placed, Reply, open};
use bookahead_oracle::generate::{
    Classes, EVERYTHING, OVERLAID, Profile, Situation, Source, draw, is_no_class,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::head;

/// More bytes than any command is drawn from.
const MOST_BYTES: usize = 4_096;

/// So many commands to a book whose size the text says, each with what the kernel answers; the same seed gives the same ones.
pub fn history(
    size: &str,
    placed: Option<&Placed>,
    commands: u32,
    seed: u64,
) -> Result<String, Box<dyn Error>> {
    let Reply::Size(size) = size.parse()? else {
        return Err(format!("{size} is not the size of a book").into());
    };
    let (mut subject, mut situation) = (open(&size, placed)?, Situation::new(size));
    let mut classes = placed.map(|placed| Classes::new(placed.machine.clone(), placed.order));
    let slots = u16::try_from(size.horizon.get()).unwrap_or(u16::MAX);
    let profile = Profile {
        duration: (slots / 8).max(1),
        width: u16::try_from(size.pes.get())?.div_ceil(2),
        step: 3,
        topics: if size.has_layer { OVERLAID } else { EVERYTHING },
    };
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut text = head(&size, placed);
    let mut left = commands;
    while left > 0 {
        if let Reply::State(state) = subject.perform(&Command::Look) {
            situation.look(&state);
        }
        if let Reply::Requests(requests) = subject.perform(&Command::Requests) {
            situation.requests = requests.into_iter().map(|(ticket, _)| ticket).collect();
        }
        let mut bytes = [0; MOST_BYTES];
        random.fill_bytes(&mut bytes);
        let source = &mut Source::new(&bytes);
        let drawn = match &classes {
            Some(classes) => classes.draw(&profile, &situation, source),
            None => draw(&profile, &situation, source),
        };
        let command = drawn.ok_or("a command needs more bytes")?;
        let reply = subject.perform(&command);
        if is_no_class(&reply) {
            continue;
        }
        left -= 1;
        situation.note(&command, &reply);
        if let Some(classes) = &mut classes {
            classes.note(&command, &reply);
        }
        writeln!(text, "{command}\n= {reply}")?;
    }
    Ok(text)
}
