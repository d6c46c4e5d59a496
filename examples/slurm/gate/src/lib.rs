//! The gate of slurmctld: a job with a deadline gets in with a token of the desk, into the reservation of its promise, and in no other way.
//!
//! It waits for nobody and asks nobody: the token proves what was promised. It runs while slurmctld holds locks that every submission wants.

mod fields;

use std::{
    collections::BTreeMap,
    env,
    ffi::{c_char, c_int, c_void},
    fs,
    io::Write as _,
    path::PathBuf,
    sync::Mutex,
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use bookahead_slurm_protocol::{Gate, Verdict};
pub use fields::Description;

/// What the plugin knows while slurmctld runs.
struct Plugin {
    gate: Gate,
    /// The file in which the desk lists the jobs to which something is promised.
    promised: PathBuf,
    /// Where the nanoseconds of each submission are written to, for measuring.
    times: Option<fs::File>,
}

static PLUGIN: Mutex<Option<Plugin>> = Mutex::new(None);

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() as i64)
}

/// A line for each job: its number and that of the promise.
fn promised(text: &str) -> BTreeMap<u32, u64> {
    let pair = |line: &str| {
        let (job, number) = line.split_once(' ')?;
        Some((job.parse().ok()?, number.parse().ok()?))
    };
    text.lines().filter_map(pair).collect()
}

/// The name that Slurm shows.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static plugin_name: [u8; 32] = *b"Gate of promises by bookahead\0\0\0";
/// What kind of plugin this is.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static plugin_type: [u8; 21] = *b"job_submit/bookahead\0";
/// The Slurm with whose headers it was built.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static plugin_version: u32 = match u32::from_str_radix(env!("SLURM_VERSION"), 10) {
    Ok(version) => version,
    Err(_) => panic!("the build script gives a number"),
};

/// Reads the key: `BOOKAHEAD_FOLDER` says where it lies, `/etc/bookahead` otherwise. Without one, jobs with a deadline are refused.
#[unsafe(no_mangle)]
pub extern "C" fn init() -> c_int {
    let folder =
        PathBuf::from(env::var_os("BOOKAHEAD_FOLDER").unwrap_or_else(|| "/etc/bookahead".into()));
    let Ok(key) = fs::read(folder.join("key")) else {
        eprintln!(
            "job_submit/bookahead: cannot read {}",
            folder.join("key").display()
        );
        return -1;
    };
    let times = env::var_os("BOOKAHEAD_GATE_TIMES");
    let times = times.and_then(|file| {
        fs::File::options()
            .append(true)
            .create(true)
            .open(file)
            .ok()
    });
    let plugin = Plugin {
        gate: Gate::new(key, now()),
        promised: folder.join("promised"),
        times,
    };
    if let Ok(mut place) = PLUGIN.lock() {
        *place = Some(plugin);
    }
    0
}

/// There is nothing to end.
#[unsafe(no_mangle)]
pub const extern "C" fn fini() -> c_int {
    0
}

/// Slurm asks about a submission.
///
/// # Safety
///
/// Called by Slurm, with a description that nobody else changes and a place for a message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn job_submit(
    job: *mut Description,
    _uid: u32,
    message: *mut *mut c_char,
) -> c_int {
    let began = Instant::now();
    let Ok(mut plugin) = PLUGIN.lock() else {
        return -1;
    };
    let Some(plugin) = plugin.as_mut() else {
        return -1;
    };
    // SAFETY: as this function.
    let verdict = plugin.gate.submit(&unsafe { fields::read(job) }, now());
    // SAFETY: as this function.
    let code = match verdict {
        Verdict::Leave => 0,
        Verdict::Admit(reservation, comment) => {
            unsafe { fields::admit(job, reservation.as_deref(), &comment) };
            0
        }
        Verdict::Refuse(why) => unsafe { fields::refuse(message, why) },
    };
    if let Some(file) = &mut plugin.times {
        // After what is measured; Slurm ends without a word to its plugins.
        let _ = writeln!(file, "{}", began.elapsed().as_nanos());
    }
    code
}

/// Slurm asks about a change.
///
/// # Safety
///
/// Called by Slurm, with a description that nobody else changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn job_modify(
    change: *mut Description,
    _job: *mut c_void,
    uid: u32,
) -> c_int {
    let Ok(plugin) = PLUGIN.lock() else { return -1 };
    let Some(plugin) = plugin.as_ref() else {
        return -1;
    };
    let known = fs::read_to_string(&plugin.promised).unwrap_or_default();
    // SAFETY: as this function.
    match plugin.gate.modify(
        &unsafe { fields::read(change) },
        uid,
        &promised(&known),
        now(),
    ) {
        None => 0,
        // SAFETY: no place for a message.
        Some(why) => unsafe { fields::refuse(std::ptr::null_mut(), why) },
    }
}
