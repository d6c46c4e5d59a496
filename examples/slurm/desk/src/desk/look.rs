//! What stands in the book, for people, for Slurm and for the gate.

use super::*;

/// A promise and its place in the book, if it has one.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Its number.
    pub number: u64,
    /// What was promised.
    pub promise: Promise,
    /// Its place.
    pub booked: Option<Booked>,
}

/// Times and nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Booked {
    /// The start.
    pub start: i64,
    /// The end.
    pub end: i64,
    /// The nodes.
    pub nodes: Vec<String>,
    /// Whether the book has started it.
    pub started: bool,
}

impl Desk {
    /// All promises, with where they are in the book.
    pub fn promises(&mut self) -> Result<Vec<Standing>> {
        let axis = self.axis();
        let nodes = &self.nodes;
        let standing = self.store.call_within(0, |(kept, table)| {
            let book = kept.book.view();
            let standing = |(number, promise): (&u64, &Promise)| {
                let booked = match promise.place {
                    Place::Booked(handle) => book.get(handle).ok().map(|row| Booked {
                        start: axis.time(row.window.start),
                        end: axis.time(row.window.end),
                        nodes: book
                            .pes_of(handle)
                            .map(|pes| {
                                pes.map(|pe| nodes[usize::from(pe.get())].name.clone())
                                    .collect()
                            })
                            .unwrap_or_default(),
                        started: row.state != State::Confirmed,
                    }),
                    Place::Waiting(_) => None,
                };
                Standing {
                    number: *number,
                    promise: promise.clone(),
                    booked,
                }
            };
            table.promises().iter().map(standing).collect()
        })?;
        Ok(standing.wait()?)
    }

    /// What is out of service, by name, with its times.
    pub fn out(&mut self) -> Result<Vec<(String, Booked)>> {
        let axis = self.axis();
        let nodes = &self.nodes;
        let out = self.store.call_within(0, |(kept, table)| {
            let book = kept.book.view();
            let parts = table
                .outs()
                .iter()
                .flat_map(|(name, parts)| parts.iter().map(move |part| (name, *part)));
            parts
                .filter_map(|(name, part)| {
                    let row = book.get(part).ok()?;
                    let pes = book.pes_of(part).ok()?;
                    let nodes = pes
                        .map(|pe| nodes[usize::from(pe.get())].name.clone())
                        .collect();
                    Some((
                        name.clone(),
                        Booked {
                            start: axis.time(row.window.start),
                            end: axis.time(row.window.end),
                            nodes,
                            started: row.state != State::Confirmed,
                        },
                    ))
                })
                .collect()
        })?;
        Ok(out.wait()?)
    }

    /// What taking nodes out would do to promises, as sentences. Nothing is changed.
    pub fn drain(
        &mut self,
        names: &[String],
        from: i64,
        until: i64,
        now: i64,
    ) -> Result<Vec<String>> {
        let mut set = vec![0_u32; self.nodes.len().div_ceil(32)];
        for name in names {
            let at = self
                .nodes
                .iter()
                .position(|node| node.name == *name)
                .with_context(|| format!("Slurm has no node {name}"))?;
            set[at / 32] |= 1 << (at % 32);
        }
        let window = Window {
            start: self.axis().slot(from.max(now)),
            end: self.axis().slot_from(until),
        };
        let axis = self.axis();
        let workspace = &mut self.workspace;
        let looked = self
            .store
            .call_within(0, |(kept, table)| -> Result<Vec<String>, Error> {
                let mut book = kept.book.view();
                let (mut parts, mut broken) = (
                    heapless::Vec::<Handle, 1024>::new(),
                    heapless::Vec::<Broken, 1024>::new(),
                );
                let window = Window {
                    start: window.start.max(book.now()),
                    ..window
                };
                let mut transaction = book.transaction(workspace.view(), WORK);
                transaction.take_out(
                    Outage::Maintenance { window },
                    bookahead::Absent::These(&set),
                    &mut parts,
                    &mut broken,
                )?;
                let mut lines = Vec::new();
                for change in transaction.moves() {
                    let (Some(from), Some(number)) = (change.from, number_of(table, change.handle))
                    else {
                        continue;
                    };
                    lines.push(match change.to {
                        Some(to) if to.start == from.start => {
                            format!("promise {number} would move to other nodes")
                        }
                        Some(to) => format!(
                            "promise {number} would move from {} to {}",
                            at(axis.time(from.start)),
                            at(axis.time(to.start))
                        ),
                        None => format!(
                            "promise {number} of {} would be broken",
                            at(axis.time(from.start))
                        ),
                    });
                }
                Ok(lines)
            })?;
        looked.wait()?.context("nothing can be taken out so")
    }

    /// Tells the gate which jobs something is promised to.
    pub fn list_for_gate(&mut self) -> Result<()> {
        let standing = self.promises()?;
        let lines = standing
            .iter()
            .filter_map(|standing| Some((standing.promise.job?, standing.number)));
        let text: String = lines
            .map(|(job, number)| format!("{job} {number}\n"))
            .collect();
        let file = self.folder.join("promised");
        if fs::read_to_string(&file).is_ok_and(|there| there == text) {
            return Ok(());
        }
        let new = self.folder.join("promised.new");
        fs::write(&new, text).with_context(|| new.display().to_string())?;
        fs::rename(&new, &file).with_context(|| file.display().to_string())
    }

    /// The names of the nodes, in the order of the book.
    pub fn node_names(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().map(|node| &*node.name)
    }
}
