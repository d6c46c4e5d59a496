//! A schedule as a drawing: a line for each node.

use anyhow::{Context, Result};

use bookahead_slurm_protocol::wire::Message;

use crate::desk::at;

/// How wide the drawing is in a terminal.
const COLUMNS: i64 = 72;

/// What is drawn.
pub struct Plan {
    from: i64,
    until: i64,
    nodes: Vec<String>,
    bars: Vec<Bar>,
}

struct Bar {
    ours: bool,
    name: String,
    start: i64,
    end: i64,
    nodes: Vec<String>,
}

impl Plan {
    /// Reads the rows that the desk sends. Without minutes, as far as anything is planned.
    pub fn read(answer: &Message, minutes: i64) -> Result<Self> {
        let from = answer.number("now")?;
        let mut bars = Vec::new();
        for line in answer.all("bar") {
            let parts: Vec<&str> = line.split('\t').collect();
            let [kind, name, start, end, nodes] = parts[..] else {
                anyhow::bail!("the desk sent a bar of {} parts", parts.len())
            };
            bars.push(Bar {
                ours: kind == "promise",
                name: name.into(),
                start: start.parse().context("a start")?,
                end: end.parse().context("an end")?,
                nodes: nodes.split(',').map(String::from).collect(),
            });
        }
        let last = bars
            .iter()
            .filter(|bar| bar.ours)
            .map(|bar| bar.end)
            .max()
            .unwrap_or(from + 3_600);
        let until = if minutes > 0 {
            from + 60 * minutes
        } else {
            last.max(from + 60)
        };
        Ok(Self {
            from,
            until,
            nodes: answer.all("node").map(String::from).collect(),
            bars,
        })
    }

    /// A letter for each promise, `#` for what else is taken, and a point for what is free.
    pub fn text(&self) -> String {
        let letters: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
        let width = self.nodes.iter().map(String::len).max().unwrap_or(0);
        let step = (self.until - self.from).max(1);
        let mut text = format!("{:width$} {} to {}\n", "", at(self.from), at(self.until));
        let mut legend = Vec::new();
        let mut named = self.bars.iter().filter(|bar| bar.ours).collect::<Vec<_>>();
        named.sort_by_key(|bar| bar.start);
        for (place, bar) in named.iter().enumerate() {
            legend.push(format!(
                "{} {} ({} to {})",
                letters[place % letters.len()],
                bar.name,
                at(bar.start),
                at(bar.end)
            ));
        }
        for node in &self.nodes {
            let column = |column: i64| {
                let time = self.from + column * step / COLUMNS;
                let there =
                    |bar: &&Bar| bar.start <= time && time < bar.end && bar.nodes.contains(node);
                let mark = named
                    .iter()
                    .position(there)
                    .map(|place| letters[place % letters.len()]);
                mark.unwrap_or(if self.bars.iter().any(|bar| there(&bar)) {
                    '#'
                } else {
                    '.'
                })
            };
            text.push_str(&format!(
                "{node:width$} {}\n",
                (0..COLUMNS).map(column).collect::<String>()
            ));
        }
        for line in legend {
            text.push_str(&format!("{:width$} {line}\n", ""));
        }
        text
    }

    /// The same as a picture.
    pub fn svg(&self) -> String {
        let (left, row, width) = (90, 16, 900);
        let height = row * (self.nodes.len() as i64 + 2);
        let step = (self.until - self.from).max(1);
        let x = |time: i64| left + (time.clamp(self.from, self.until) - self.from) * width / step;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {height}\" font-family=\"sans-serif\" font-size=\"11\"><title>Promises from {} to {}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
            left + width + 10,
            at(self.from),
            at(self.until)
        );
        text.push_str(&format!("<text x=\"{left}\" y=\"11\">{}</text><text x=\"{}\" y=\"11\" text-anchor=\"end\">{}</text>\n", at(self.from), left + width, at(self.until)));
        for (line, node) in self.nodes.iter().enumerate() {
            let y = row * (line as i64 + 1);
            text.push_str(&format!("<text x=\"4\" y=\"{}\">{node}</text><line x1=\"{left}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#ddd\"/>\n", y + 12, left + width));
            for bar in self.bars.iter().filter(|bar| {
                bar.nodes.contains(node) && bar.end > self.from && bar.start < self.until
            }) {
                let (from, to) = (x(bar.start), x(bar.end));
                let fill = if bar.ours { "#2b6cb0" } else { "#bbb" };
                text.push_str(&format!("<rect x=\"{from}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\" stroke=\"#fff\"><title>{}</title></rect>\n", y + 2, (to - from).max(1), row - 4, bar.name));
                if bar.ours && to - from > 30 {
                    text.push_str(&format!(
                        "<text x=\"{}\" y=\"{}\" fill=\"#fff\">{}</text>\n",
                        from + 3,
                        y + 12,
                        bar.name
                    ));
                }
            }
        }
        text.push_str("</svg>\n");
        text
    }
}
