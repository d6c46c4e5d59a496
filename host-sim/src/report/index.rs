//! The page of several reproductions, each of which has a folder: what became of each, and where its report is.

use std::path::Path;

use maud::{Markup, html};

use super::{
    FILE,
    folder::{self, JudgedClaim},
    metrics_file::MetricsFile,
    page, reproduction, sentences,
    words::plural,
};
use crate::{error::Result, output};

/// The page of the reproductions in these subfolders of `dir`; one that has not begun is named.
pub(super) fn page(dir: &Path, names: &[&str]) -> Result<String> {
    let mut sections = Vec::new();
    let mut all = 0;
    for &name in names {
        let settings = MetricsFile::read(&dir.join(name).join(output::SETTINGS))?;
        let claims = folder::claims(&dir.join(name))?;
        all += claims.as_ref().map_or(0, Vec::len);
        sections.push(section(name, settings.as_ref(), claims.as_deref()));
    }
    let content = html! {
        p.lead { (plural(all, "claim")) " of published papers, each judged by experiment." }
        p { (reproduction::MEANING) }
        @for section in &sections { (section) }
    };
    Ok(page::whole("Reproductions", &content))
}

fn section(name: &str, settings: Option<&MetricsFile>, claims: Option<&[JudgedClaim]>) -> Markup {
    let title = settings.and_then(|settings| settings.text("paper_title"));
    html! {
        section id=(name) {
            h2 { a href=(format!("{name}/{FILE}")) { (title.as_deref().unwrap_or("What the papers have in common")) } }
            @match claims {
                Some(claims) => p { (sentences::judged(claims)) },
                None => p.missing { "Not finished: " (name) "." },
            }
            @if let Some([by, question]) = settings.and_then(reproduction::about) {
                p { (question) }
                p.note { (by) }
            }
            @if let Some((settings, claims)) = settings.zip(claims) { (reproduction::answer(&settings.told(), claims, &format!("{name}/{FILE}"))) }
        }
    }
}
