//! Who asks from another machine, as munge says it: the question lies inside a credential, so that nobody can change it or ask it again.

use std::{
    io::{Read as _, Write as _},
    net::{TcpStream, ToSocketAddrs as _},
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use bookahead_slurm_protocol::wire::Message;

/// The word and the key of a sealed question.
const SEALED: [&str; 2] = ["credential", "munge"];

/// Where munged listens, if not at its usual place.
const SOCKET: &str = "BOOKAHEAD_MUNGE_SOCKET";

/// What one of munge's programs answers to a text.
fn munge(program: &str, arguments: &[&str], text: &str) -> Result<(bool, String)> {
    let mut command = Command::new(program);
    command.args(arguments);
    if let Some(socket) = std::env::var_os(SOCKET) {
        command.arg("--socket").arg(socket);
    }
    let command = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut run = command
        .spawn()
        .with_context(|| format!("{program} cannot be started"))?;
    // Longer than what a pipe holds, no question is.
    let written = run.stdin.take().map(|mut to| to.write_all(text.as_bytes()));
    let done = run.wait_with_output()?;
    written.transpose()?;
    let said =
        String::from_utf8(done.stdout).with_context(|| format!("{program}: not in UTF-8"))?;
    Ok((done.status.success(), said))
}

/// Puts a question into a credential.
///
/// # Errors
///
/// When munge does not run here.
pub fn seal(question: &Message) -> Result<Message> {
    let mut text = Vec::new();
    question.write(&mut text)?;
    let (sealed, credential) = munge("munge", &[], &String::from_utf8(text)?)?;
    ensure!(sealed, "munge gives no credential: does munged run?");
    let [word, key] = SEALED;
    Ok(Message::new(word).with(key, credential.trim_end()))
}

/// Returns who has asked, and what.
///
/// # Errors
///
/// For what is no credential of this site, too old, or has come before.
pub fn unseal(sealed: &Message) -> Result<(u32, Message)> {
    let [word, key] = SEALED;
    let credential = sealed.get(key).filter(|_| sealed.word == word);
    let credential = credential.with_context(|| {
        format!("expected a question in a credential of munge: the word {word}, and {key}")
    })?;
    let (sound, said) = munge("unmunge", &["--keys=STATUS,UID"], credential)?;
    let (about, question) = said.split_once("\n\n").unwrap_or((&said, ""));
    let about = |name: &str| {
        let mut lines = about.lines().filter_map(|line| line.split_once(':'));
        let found = lines.find(|(there, _)| *there == name);
        found.map_or("", |(_, value)| value.trim()).to_owned()
    };
    if !sound {
        bail!(
            "munge does not vouch for this credential: {}",
            match about("STATUS") {
                none if none.is_empty() => "does munged run?".into(),
                status => status,
            }
        );
    }
    // A name, and the number in brackets.
    let uid = about("UID");
    let number = uid
        .rsplit_once('(')
        .and_then(|(_, number)| number.strip_suffix(')'));
    let uid = number
        .and_then(|number| number.parse().ok())
        .context("munge says no user")?;
    Ok((uid, Message::read(question.as_bytes())?))
}

/// Asks a desk on another machine, `host:port`.
///
/// # Errors
///
/// When nobody answers there, or munge does not run here.
pub fn ask(desk: &str, question: &Message, patience: Duration) -> Result<Message> {
    let addresses = desk.to_socket_addrs();
    let mut addresses = addresses.with_context(|| format!("{desk}: expected host:port"))?;
    let address = addresses
        .next()
        .with_context(|| format!("{desk}: no such host"))?;
    let stream = TcpStream::connect_timeout(&address, patience)
        .with_context(|| format!("no desk answers on {desk}"))?;
    stream.set_read_timeout(Some(patience))?;
    stream.set_write_timeout(Some(patience))?;
    seal(question)?.write(&stream)?;
    let mut answer = Vec::new();
    (&stream).read_to_end(&mut answer)?;
    Message::read(&answer[..]).context("the desk gave no answer")
}
