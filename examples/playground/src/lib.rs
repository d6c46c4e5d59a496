//! The kernel for a page in a browser: text in, text out, in the words of `bookahead-commands`.
//!
//! The module imports nothing. The page makes a [`Desk`] by [`desk`], writes a text where [`room`] says, and calls [`say`]; the answer lies where
//! [`answer`] says. A text that begins with `size` is the head of a history and opens a new book. Any other is commands, a line each.
//! The answer has a line for each: the reply in the words of a history, or `misread` and what is wrong with the line. Behind the word `try` a command is
//! performed on a copy of the book, and a second line shows the copy as `look` does.
#![no_std]

extern crate alloc;

use alloc::{boxed::Box, format, string::String, string::ToString as _, vec::Vec};

use bookahead_commands::{Command, History, Subject, open};
use dlmalloc::GlobalDlmalloc;

#[global_allocator]
static HEAP: GlobalDlmalloc = GlobalDlmalloc;

/// A book, what was said to it and what it answered last.
#[derive(Default)]
pub struct Desk {
    book: Option<Box<dyn Subject>>,
    said: Vec<u8>,
    answer: String,
}

impl Desk {
    /// What comes of a text.
    fn hear(&mut self, text: &str) -> String {
        if text.starts_with("size") {
            return match opened(text) {
                Ok(book) => {
                    self.book = Some(book);
                    String::from("open")
                }
                Err(why) => format!("misread {why}"),
            };
        }
        let lines = text.lines().map(|line| self.perform(line));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn perform(&mut self, line: &str) -> String {
        let Some(book) = &mut self.book else {
            return String::from("misread no book is open");
        };
        let tried = line.strip_prefix("try ");
        match tried.unwrap_or(line).parse::<Command>() {
            Ok(command) if tried.is_some() => {
                let mut copy = book.copy();
                let reply = copy.perform(&command);
                format!("{reply}\n{}", copy.perform(&Command::Look))
            }
            Ok(command) => book.perform(&command).to_string(),
            Err(misread) => format!("misread {misread}"),
        }
    }
}

fn opened(head: &str) -> Result<Box<dyn Subject>, String> {
    let history = History::of(head).map_err(|misread| misread.to_string())?;
    open(history.size(), history.placed()).map_err(|error| error.to_string())
}

/// A desk without a book, which lives as long as the module.
#[unsafe(no_mangle)]
pub extern "C" fn desk() -> *mut Desk {
    Box::into_raw(Box::default())
}

/// Where a text of so many bytes is to be written before [`say`].
///
/// # Safety
///
/// `desk` comes from [`desk`], and no other call on it is under way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn room(desk: *mut Desk, bytes: usize) -> *mut u8 {
    // SAFETY: `desk` made it of a box that is never freed. A page has one thread, and no function here calls back into it, so that nobody else has
    // a reference to it.
    let desk = unsafe { &mut *desk };
    desk.said = alloc::vec![0; bytes];
    desk.said.as_mut_ptr()
}

/// Does what the text says. The length of the answer in bytes.
///
/// # Safety
///
/// As for [`room`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn say(desk: *mut Desk) -> usize {
    // SAFETY: as in `room`.
    let desk = unsafe { &mut *desk };
    let said = core::mem::take(&mut desk.said);
    let answer = desk.hear(&String::from_utf8_lossy(&said));
    desk.answer = answer;
    desk.answer.len()
}

/// Where the answer is, until the next call.
///
/// # Safety
///
/// As for [`room`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn answer(desk: *const Desk) -> *const u8 {
    // SAFETY: as in `room`.
    let desk = unsafe { &*desk };
    desk.answer.as_ptr()
}

/// Ends the call. The page sees that as an exception, and begins with a fresh module.
#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
