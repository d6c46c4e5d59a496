//! Writes inputs of the targets of books as histories in text: `convert TARGET FILE...` writes each into `FILE.txt` of the working directory.

use std::{any::Any, cell::RefCell, fmt::Write as _, fs, path::Path, rc::Rc};

use arbitrary::{Arbitrary, Unstructured};
use bookahead::{Discipline, Insertion, JobQueue, raw::BulkScan};
use bookahead_commands::{Command, Kernel, Reply, Scanned, Subject};
use bookahead_fuzz::{
    damage::{Blow, How},
    fold::Size,
    list::{Few, Rest},
    scene::{Scene, Shape},
};
use bookahead_heap::{BoxedCountBook, BoxedOverlayBook, BoxedPeBook, Sizes};
use bookahead_oracle::{Ask, Harness, Inquiry, Operation};

/// A side that writes down what it is given.
struct Recorder {
    inner: Box<dyn Subject>,
    given: Rc<RefCell<Vec<String>>>,
}

impl Subject for Recorder {
    fn perform(&mut self, command: &Command) -> Reply {
        let asked_by_harness = match command {
            Command::Remember
            | Command::IsUnchanged
            | Command::Look
            | Command::Size
            | Command::Queue(_)
            | Command::Get(_)
            | Command::PesOf(_)
            | Command::Find(..)
            | Command::CandidateStarts(_)
            | Command::FreeDuring(_)
            | Command::Rectangle(..) => true,
            Command::ShiftIn(_, rules, ..) => !matches!(rules.insertion, Insertion::Slides { .. }),
            _ => false,
        };
        if !asked_by_harness {
            self.given.borrow_mut().push(command.to_string());
        }
        self.inner.perform(command)
    }

    fn copy(&self) -> Box<dyn Subject> {
        Box::new(Self {
            inner: self.inner.clone(),
            given: Rc::clone(&self.given),
        })
    }

    fn equals(&self, other: &dyn Subject) -> bool {
        let other: &dyn Any = other;
        other
            .downcast_ref::<Self>()
            .is_some_and(|other| *self.inner == *other.inner)
    }
}

#[derive(Arbitrary, Debug)]
struct Damaged {
    early: bool,
    pes: u16,
    slots: u16,
    rows: u8,
    jobs: u8,
    easy: bool,
    before: Few<Operation, 24>,
    blows: Few<Blow, 8>,
    queue_blows: Few<Blow, 3>,
    ask: Ask,
    inquiry: Inquiry,
    after: Rest<Operation, 24>,
}

struct Recording {
    harness: Harness,
    given: Rc<RefCell<Vec<String>>>,
    text: String,
}

impl Recording {
    fn of(kind: &str, sizes: Sizes, jobs: usize, discipline: Discipline) -> Self {
        let queue = JobQueue::<6>::new(discipline);
        let inner: Box<dyn Subject> = match kind {
            "count_book" => Box::new(Kernel::new(
                Scanned::<_, BulkScan>::new(BoxedCountBook::new(sizes).unwrap()),
                queue,
            )),
            "overlay_book" => Box::new(Kernel::new(
                Scanned::<_, BulkScan>::new(BoxedOverlayBook::new(sizes).unwrap()),
                queue,
            )),
            _ => Box::new(Kernel::new(
                Scanned::<_, BulkScan>::new(BoxedPeBook::<u32>::new(sizes).unwrap()),
                queue,
            )),
        };
        let mut text = String::new();
        let rings = if matches!(kind, "count_book" | "overlay_book") {
            "counts"
        } else {
            "sets"
        };
        let layer = if kind == "overlay_book" { "yes" } else { "no" };
        writeln!(
            text,
            "size {rings} {} {} {} {} {jobs} {layer}",
            sizes.pes,
            sizes.slots,
            sizes.reservations,
            discipline.name()
        )
        .unwrap();
        let given = Rc::default();
        let recorder = Recorder {
            inner,
            given: Rc::clone(&given),
        };
        Self {
            harness: Harness::new(Box::new(recorder)),
            given,
            text,
        }
    }

    fn apply(&mut self, operation: &Operation) {
        let _ = self.harness.apply(operation);
        for line in self.given.borrow_mut().drain(..) {
            writeln!(self.text, "{line}").unwrap();
        }
    }
}

fn scene(target: &str, bytes: &[u8]) -> Option<String> {
    let shapes: [Shape; 3] = match target {
        "count_book" => [(4, 64, 4), (33, 128, 24), (9, 256, 16)],
        "overlay_book" => [(4, 64, 4), (9, 128, 16), (33, 128, 24)],
        "pe_book_u32" => [(32, 64, 4), (40, 128, 16), (9, 256, 12)],
        _ => [(70, 64, 8), (9, 192, 16), (600, 64, 12)],
    };
    let scene = Scene::arbitrary_take_rest(Unstructured::new(bytes)).ok()?;
    let (pes, slots, reservations) = shapes[usize::from(scene.shape % 3)];
    let size = Size::within(scene.pes, scene.slots, Size { pes, slots });
    let sizes = Sizes {
        pes: size.pes,
        slots: size.slots.into(),
        reservations,
    };
    let discipline = if scene.easy {
        Discipline::Easy
    } else {
        Discipline::Fcfs
    };
    let mut recording = Recording::of(target, sizes, 6, discipline);
    recording.apply(&Operation::AdvanceTo {
        to: scene.from,
        room: u8::MAX,
    });
    for operation in &scene.operations.0 {
        recording.apply(&size.operation(*operation));
    }
    Some(recording.text)
}

fn how(blow: &Blow) -> String {
    let how = match blow.how {
        How::Set(bits) => format!("set {bits}"),
        How::Flip(bit) => format!("flip {bit}"),
        How::Copy => "copy".into(),
        How::Swap => "swap".into(),
    };
    format!("{} {} {} {how}", blow.array, blow.place, blow.other)
}

fn damaged(bytes: &[u8]) -> Option<String> {
    let input = Damaged::arbitrary_take_rest(Unstructured::new(bytes)).ok()?;
    let size = Size::within(
        input.pes,
        input.slots,
        Size {
            pes: 40,
            slots: 130,
        },
    );
    let sizes = Sizes {
        pes: size.pes,
        slots: size.slots.into(),
        reservations: usize::from(input.rows % 17),
    };
    let discipline = if input.easy {
        Discipline::Easy
    } else {
        Discipline::Fcfs
    };
    let kind = if input.early {
        "pe_book_u32"
    } else {
        "count_book"
    };
    let mut recording = Recording::of(kind, sizes, usize::from(input.jobs % 9), discipline);
    for operation in &input.before.0 {
        recording.apply(&size.operation(*operation));
    }
    for blow in &input.blows.0 {
        writeln!(recording.text, "strike book {}", how(blow)).unwrap();
    }
    for blow in &input.queue_blows.0 {
        writeln!(recording.text, "strike queue {}", how(blow)).unwrap();
    }
    recording.apply(&Operation::Explain {
        ask: input.ask,
        room: 4,
    });
    recording.apply(&Operation::Query(input.inquiry));
    for operation in &input.after.0 {
        recording.apply(&size.operation(*operation));
    }
    Some(recording.text)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let target = arguments.next().expect("a target");
    for file in arguments {
        let bytes = fs::read(&file).expect("it is there");
        let text = match &*target {
            "damaged_book" => damaged(&bytes),
            target => scene(target, &bytes),
        };
        if let Some(text) = text {
            let name = Path::new(&file)
                .file_name()
                .expect("a file")
                .display()
                .to_string();
            fs::write(format!("{name}.txt"), text).expect("it can be written");
        }
    }
}
