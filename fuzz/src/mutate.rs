//! Histories are changed line by line, so that what comes of it is a history again: commands are drawn for the book as the lines before
//! have left it, lines are removed, repeated or swapped, and numbers changed.

use bookahead::{Discipline, PeCount, Span};
use bookahead_commands::{Command, History, Kind, Machine, Placed, Reply, Size, Subject, open};
use bookahead_oracle::generate::{
    CROWDED, Classes, EVERYTHING, FLEXIBLE, OVERLAID, PREEMPTED, PULLED, Profile, QUEUEING, RULED,
    Situation, Source, draw,
};
use bookahead_oracle::{is_for, is_modest, is_small};

use crate::damage;

/// The histories of a target.
#[derive(Clone, Copy, Debug)]
pub struct Histories {
    /// How the books bind.
    pub kinds: &'static [Kind],
    /// Whether they have a layer for overlays.
    pub has_layer: bool,
    /// The sizes: PEs, slots and rows, each at most.
    pub shapes: &'static [(u16, u16, usize)],
    /// Whether something writes to the memory in between.
    pub is_damaged: bool,
    /// Whether the books are on machines with layouts.
    pub on_layouts: bool,
}

/// More lines would only make inputs slow.
const MOST_LINES: usize = 60;

/// Numbers that follow from a seed.
struct Random(u64);

impl Random {
    /// The next number of SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// Up to `most`, and small as often as large: most of what matters happens between small numbers.
    fn scaled(&mut self, most: u16) -> u16 {
        let limit = [most.min(4), most / 8, most / 2, most][self.below(4)];
        self.below(usize::from(limit.max(1))) as u16 + 1
    }

    /// The bytes that a command is drawn from.
    fn bytes(&mut self) -> Vec<u8> {
        (0..64).flat_map(|_| self.next().to_le_bytes()).collect()
    }
}

impl Histories {
    /// Changes the history in the first `size` bytes, and says how long it is then. What is no history is replaced by a fresh one.
    pub fn mutate(&self, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
        let mut random = Random(seed.into());
        let text = str::from_utf8(&data[..size]).unwrap_or_default();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        if book_of(&lines).is_none() {
            lines = self.fresh(&mut random);
        }
        for _ in 0..=random.below(3) {
            self.change(&mut lines, &mut random);
        }
        let mut length = 0;
        for line in lines {
            let end = length + line.len() + 1;
            if end > max_size.min(data.len()) {
                break;
            }
            data[length..end - 1].copy_from_slice(line.as_bytes());
            data[end - 1] = b'\n';
            length = end;
        }
        length
    }

    /// An empty book of a size that fits, often a small one, at any time.
    fn fresh(&self, random: &mut Random) -> Vec<String> {
        let (pes, slots, rows) = self.shapes[random.below(self.shapes.len())];
        let placed = self.on_layouts.then(|| machine(random));
        let pes = match &placed {
            Some(placed) => placed.machine.layout(&placed.machine.fewer()).pes(),
            None => random.scaled(pes),
        };
        let size = Size {
            kind: self.kinds[random.below(self.kinds.len())],
            pes: PeCount::new(pes.into()),
            horizon: Span::new(random.scaled(slots).into()),
            capacity: rows,
            discipline: Discipline::ALL[random.below(Discipline::ALL.len())],
            jobs: 6,
            has_layer: self.has_layer,
        };
        let from = [0, random.below(500) as u64, random.next()][random.below(3)];
        let lines = [
            Some(Reply::Size(size).to_string()),
            placed.map(|placed| placed.to_string()),
        ];
        let begin = format!("advance {from} 4096");
        lines.into_iter().flatten().chain([begin]).collect()
    }

    fn change(&self, lines: &mut Vec<String>, random: &mut Random) {
        // What the book is stands before its commands.
        let first = 1 + usize::from(self.on_layouts);
        let place = first + random.below((lines.len() + 1).saturating_sub(first));
        let is_line = place < lines.len();
        match random.below(16) {
            0..8 if lines.len() < MOST_LINES => {
                let place = if random.below(4) > 0 {
                    lines.len()
                } else {
                    place.min(lines.len())
                };
                self.insert(lines, place, random);
            }
            8..10 if is_line => drop(lines.remove(place)),
            10 if is_line => lines.insert(place, lines[place].clone()),
            11 if is_line => {
                let other = first + random.below(lines.len() - first);
                lines.swap(place, other);
            }
            12..15 if is_line => change_number(&mut lines[place], random),
            15 if random.below(4) == 0 => {
                let fresh = self.fresh(random).into_iter().take(first);
                lines.splice(..first, fresh);
            }
            _ => lines.truncate(place),
        }
    }

    /// Inserts some commands in a row, each drawn for the book as it is there.
    fn insert(&self, lines: &mut Vec<String>, place: usize, random: &mut Random) {
        if self.is_damaged && random.below(3) == 0 {
            let strike = damage::Strike::draw(&mut || random.next());
            return lines.insert(place, strike.to_string());
        }
        let Some(Fresh {
            mut subject,
            mut situation,
            mut classes,
        }) = book_of(lines)
        else {
            return;
        };
        let first = 1 + usize::from(classes.is_some());
        for line in &lines[first..place] {
            let command = line.parse().ok();
            // A number that was changed may ask for more memory than there is.
            if let Some(command) = command.filter(|command| is_modest(command, &situation.size)) {
                let reply = subject.perform(&command);
                situation.note(&command, &reply);
                if let Some(classes) = &mut classes {
                    classes.note(&command, &reply);
                }
            }
        }
        let profile = self.profile(&situation.size, random);
        let mut drawn = Vec::new();
        for _ in 0..=random.below(4) {
            if let Reply::State(state) = subject.perform(&Command::Look) {
                situation.look(&state);
            }
            let bytes = random.bytes();
            let source = &mut Source::new(&bytes);
            let next = match &classes {
                Some(classes) => classes.draw(&profile, &situation, source),
                None => draw(&profile, &situation, source),
            };
            if let Some(command) = next {
                let reply = subject.perform(&command);
                situation.note(&command, &reply);
                if let Some(classes) = &mut classes {
                    classes.note(&command, &reply);
                }
                drawn.push(command.to_string());
            }
        }
        lines.splice(place..place, drawn);
    }

    /// How the book is used from there on: for anything, or mostly for what moves reservations or waits.
    fn profile(&self, size: &Size, random: &mut Random) -> Profile {
        let (pes, slots) = (size.pes.get() as u16, size.horizon.get() as u16);
        let share = |most: u16, random: &mut Random| (most / [1, 2, 4, 8][random.below(4)]).max(1);
        let topics = match random.below(7) {
            0..4 if size.kind.has_rules() => RULED,
            0 => FLEXIBLE,
            1 if self.has_layer => OVERLAID,
            1 if self.on_layouts => CROWDED,
            2 => QUEUEING,
            3 => PULLED,
            4 => PREEMPTED,
            _ => EVERYTHING,
        };
        Profile {
            duration: share(slots, random),
            width: share(pes, random),
            step: share(slots.div_ceil(4), random),
            topics,
        }
    }
}

/// A machine on which the twin answers soon.
fn machine(random: &mut Random) -> Placed {
    let groups = 1 + random.below(5) as u16;
    let kinds: &[u8] = [&[4, 2][..], &[3], &[2, 1, 5], &[1], &[16, 8]][random.below(5)];
    let levels: &[u16] = [&[2][..], &[], &[2, 4]][random.below(3)];
    let missing = match random.below(3) {
        // Some of the first group's last kind, or all.
        0 if groups > 1 => vec![(0, 1, kinds.len() as u8 - 1, 0)],
        _ => Vec::new(),
    };
    Placed {
        machine: Machine {
            groups,
            kinds: kinds.to_vec(),
            missing,
            levels: levels.to_vec(),
        },
        classes: 1 + random.below(6),
        order: random.below(5),
    }
}

/// A book before anything has happened in it.
struct Fresh {
    subject: Box<dyn Subject>,
    situation: Situation,
    /// On a machine with a layout.
    classes: Option<Classes>,
}

/// The book that the first lines say.
fn book_of(lines: &[String]) -> Option<Fresh> {
    let head = lines.get(..lines.len().min(2))?.join("\n");
    let history = History::of(&head).ok()?;
    let (size, placed) = (*history.size(), history.placed().cloned());
    if !is_small(&size) || placed.as_ref().is_some_and(|placed| !is_for(placed, &size)) {
        return None;
    }
    let subject = open(&size, placed.as_ref()).ok()?;
    let classes = placed.map(|placed| Classes::new(placed.machine, placed.order));
    Some(Fresh {
        subject,
        situation: Situation::new(size),
        classes,
    })
}

/// Changes one of the numbers in a line: by a little, to an extreme, or to any other.
fn change_number(line: &mut String, random: &mut Random) {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let numbers: Vec<usize> = (0..words.len())
        .filter(|place| words[*place].parse::<u64>().is_ok())
        .collect();
    let Some(place) = numbers.get(random.below(numbers.len())) else {
        return;
    };
    let number: u64 = words[*place].parse().expect("it is one");
    let other = numbers[random.below(numbers.len())];
    let other: u64 = words[other].parse().expect("it is one");
    let changed = match random.below(8) {
        0..3 => number.saturating_add(1 + random.below(3) as u64),
        3..6 => number.saturating_sub(1 + random.below(3) as u64),
        6 => other,
        _ => [0, u64::MAX, u32::MAX.into(), u16::MAX.into(), random.next()][random.below(5)],
    };
    words[*place] = changed.to_string();
    *line = words.join(" ");
}
