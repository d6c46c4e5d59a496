//! Slurm's structures, as `fields.c` gives and takes them.

use std::{
    borrow::Cow,
    ffi::{CStr, CString, c_char, c_int},
    ptr,
};

use bookahead_slurm_protocol::Job;

/// `job_desc_msg_t`, of which only C knows the layout.
#[repr(C)]
pub struct Description {
    _private: [u8; 0],
}

/// As in `fields.c`.
#[repr(C)]
struct Fields {
    features: *const c_char,
    partition: *const c_char,
    reservation: *const c_char,
    comment: *const c_char,
    array: *const c_char,
    job: *const c_char,
    begin: i64,
    deadline: i64,
    uid: u32,
    min_nodes: u32,
    max_nodes: u32,
    limit: u32,
    heterogeneous: u32,
    priority: u32,
}

unsafe extern "C" {
    fn gate_read(job: *const Description, out: *mut Fields);
    fn gate_admit(job: *mut Description, reservation: *const c_char, comment: *const c_char);
    fn gate_tell(message: *mut *mut c_char, text: *const c_char);
    static gate_no_value: u32;
    static gate_refused: c_int;
}

/// Returns what a job asks for.
///
/// # Safety
///
/// It points to a description that nobody changes meanwhile, as Slurm gives it to plugins.
pub unsafe fn read<'a>(job: *const Description) -> Job<'a> {
    let mut fields = Fields {
        features: ptr::null(),
        partition: ptr::null(),
        reservation: ptr::null(),
        comment: ptr::null(),
        array: ptr::null(),
        job: ptr::null(),
        begin: 0,
        deadline: 0,
        uid: 0,
        min_nodes: 0,
        max_nodes: 0,
        limit: 0,
        heterogeneous: 0,
        priority: 0,
    };
    // SAFETY: the caller gives a description, and the fields are C's own structure.
    let no_value = unsafe {
        gate_read(job, &raw mut fields);
        gate_no_value
    };
    // SAFETY: Slurm's texts are null or end with a zero, and live as long as the description.
    let text = |text: *const c_char| match text.is_null() {
        true => Cow::Borrowed(""),
        false => unsafe { CStr::from_ptr(text) }.to_string_lossy(),
    };
    let number = |number: u32| (number != no_value).then_some(number);
    // Slurm has 32 bits of "no value" in its times too.
    let time = |time: i64| if time == i64::from(no_value) { 0 } else { time };
    Job {
        features: text(fields.features),
        partition: text(fields.partition),
        reservation: text(fields.reservation),
        comment: text(fields.comment),
        says: ![
            fields.features,
            fields.partition,
            fields.reservation,
            fields.comment,
        ]
        .iter()
        .all(|text| text.is_null()),
        array: !fields.array.is_null(),
        heterogeneous: number(fields.heterogeneous).is_some(),
        begin: time(fields.begin),
        deadline: time(fields.deadline),
        uid: fields.uid,
        id: text(fields.job),
        min_nodes: number(fields.min_nodes),
        max_nodes: number(fields.max_nodes),
        limit: number(fields.limit),
        priority: number(fields.priority),
    }
}

/// Admits a job to a reservation, or holds it.
///
/// # Safety
///
/// It points to a description that only the caller changes.
pub unsafe fn admit(job: *mut Description, reservation: Option<&str>, comment: &str) {
    let reservation = reservation.map(c_text);
    let name = reservation
        .as_ref()
        .map_or(ptr::null(), |name| name.as_ptr());
    // SAFETY: the texts live until the call is over, which copies them.
    unsafe { gate_admit(job, name, c_text(comment).as_ptr()) }
}

/// Says why a job is refused, and returns the code of that.
///
/// # Safety
///
/// Where there is one, it is a place for a message, as Slurm gives it to plugins.
pub unsafe fn refuse(message: *mut *mut c_char, text: &str) -> c_int {
    if !message.is_null() {
        // SAFETY: the caller gives a place, and the text is copied.
        unsafe { gate_tell(message, c_text(text).as_ptr()) }
    }
    // SAFETY: a constant of C.
    unsafe { gate_refused }
}

/// Without zeros, which no text from C has.
fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}
