//! Lines from the host and to the host, through the emulator's semihosting.

use core::fmt::{self, Write};

use cortex_m_semihosting::{
    debug::{self, EXIT_FAILURE, EXIT_SUCCESS},
    hio::{self, HostStream},
    syscall,
};
use heapless::{String, Vec};

/// The longest line that the host may send.
const LINE: usize = 4096;

/// The host's standard input and output.
pub struct Console {
    input: usize,
    output: HostStream,
    buffer: Vec<u8, LINE>,
    /// What has been handed out of the buffer.
    used: usize,
}

impl Console {
    pub fn open() -> Self {
        let name = b":tt\0";
        // SAFETY: the call takes the address and the length of a name that ends with a zero, and a mode; 0 is reading.
        let input = unsafe { syscall!(OPEN, name.as_ptr(), 0_usize, name.len() - 1) };
        Self {
            input,
            output: hio::hstdout().expect("the emulator has an output"),
            buffer: Vec::new(),
            used: 0,
        }
    }

    /// The next line; `None` at the end.
    pub fn read_line(&mut self) -> Option<String<LINE>> {
        loop {
            let rest = &self.buffer[self.used..];
            if let Some(len) = rest.iter().position(|byte| *byte == b'\n') {
                let line = core::str::from_utf8(&rest[..len]).expect("the host sends text");
                let line = String::try_from(line).expect("a line fits where the buffer does");
                self.used += len + 1;
                return Some(line);
            }
            if !self.fill() {
                return None;
            }
        }
    }

    /// Whether there was more.
    fn fill(&mut self) -> bool {
        self.buffer.copy_within(self.used.., 0);
        let len = self.buffer.len() - self.used;
        self.used = 0;
        self.buffer
            .resize(LINE, 0)
            .expect("the buffer has that capacity");
        let room = LINE - len;
        assert!(room > 0, "a line is too long");
        // SAFETY: the call writes at most `room` bytes to the address given, which is that of as many bytes of the buffer.
        let unread = unsafe { syscall!(READ, self.input, self.buffer[len..].as_mut_ptr(), room) };
        let end = LINE - unread.min(room);
        self.buffer.truncate(end);
        end > len
    }

    /// Answers with a line.
    pub fn answer(&mut self, line: fmt::Arguments<'_>) {
        // One call, or the emulator would write each part by itself.
        let mut text = String::<256>::new();
        writeln!(text, "{line}").expect("an answer is short");
        self.output
            .write_str(&text)
            .expect("the emulator takes what is written");
    }
}

/// Tells a person why the meter stops.
pub fn complain(info: &core::panic::PanicInfo<'_>) {
    if let Ok(mut errors) = hio::hstderr() {
        let _ = writeln!(errors, "{info}");
    }
}

/// Ends the emulator.
pub fn leave(well: bool) -> ! {
    debug::exit(if well { EXIT_SUCCESS } else { EXIT_FAILURE });
    loop {
        core::hint::spin_loop();
    }
}
