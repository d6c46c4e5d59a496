//! The C libraries as a C programmer meets them: built, installed, and used by programs in C99 and C++17.
//!
//! Needs a C and a C++ compiler that know the address sanitizer (`CC` and `CXX`, or `cc` and `c++`), `nm` and `pkg-config`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::OnceLock,
};

/// As strict as is asked of the header.
const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
/// What would go unnoticed otherwise.
const SANITIZERS: [&str; 3] = [
    "-g",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
];

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Runs a command to its end.
fn output(command: &mut Command) -> Output {
    let done = command.output();
    done.unwrap_or_else(|error| panic!("{command:?} cannot be run, is it installed? {error}"))
}

/// Runs a command that has to work, and gives what it printed.
fn run(command: &mut Command) -> String {
    let done = output(command);
    assert!(
        done.status.success(),
        "{command:?} ended with {}\n{}{}",
        done.status,
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8(done.stdout).expect("programs print text")
}

/// One of the scripts of this crate, with a folder of the target folder to build in: whoever builds such libraries there afterwards finds them
/// built. Libraries of other features have another folder, since they have the same names.
fn script(name: &str, folder: &str) -> Command {
    let mut command = Command::new(crate_folder().join(name));
    let target = scratch().parent().expect("it lies in the target folder");
    command.env("CARGO_TARGET_DIR", target.join(folder));
    command
}

/// Where the libraries are installed, once for all tests.
fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| installed("capi", ""))
}

/// The same of libraries with more, as the page has them.
fn prefix_of_more() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        installed(
            "capi-more",
            "journal,outages,placement,plan,quota,risk,units",
        )
    })
}

/// Builds libraries in a folder of that name, and installs them in another.
fn installed(folder: &str, features: &str) -> PathBuf {
    let prefix = scratch().join(folder);
    let _ = fs::remove_dir_all(&prefix);
    let mut install = script("install", folder);
    run(install
        .args(["--features", features, "--prefix"])
        .arg(&prefix));
    prefix
}

/// The languages that the header is for: how to compile, and what makes a compiler take a file ending in `.c` for it.
#[derive(Clone, Copy)]
enum Language {
    C99,
    Cpp17,
}

impl Language {
    fn compiler(self) -> Command {
        let (variable, usual, options) = match self {
            Self::C99 => ("CC", "cc", ["-x", "c", "-std=c99"]),
            Self::Cpp17 => ("CXX", "c++", ["-x", "c++", "-std=c++17"]),
        };
        let mut command = Command::new(env::var_os(variable).unwrap_or_else(|| usual.into()));
        command.args(options).args(WARNINGS);
        command
    }
}

/// Compiles a program of `tests/c` in both languages, with both libraries below this prefix, and hands each to `use_it`.
fn each_build(name: &str, prefix: &Path, use_it: impl Fn(Command)) {
    let source = crate_folder().join(format!("tests/c/{name}.c"));
    let lib = prefix.join("lib");
    for (language, ending) in [(Language::C99, "c99"), (Language::Cpp17, "cpp17")] {
        for library in ["libbookahead.a", "libbookahead.so"] {
            let program = scratch().join(format!("{name}-{ending}-{library}"));
            let mut compiler = language.compiler();
            compiler
                .args(SANITIZERS)
                .arg("-I")
                .arg(prefix.join("include"));
            compiler
                .arg(&source)
                .args(["-x", "none"])
                .arg(lib.join(library));
            run(compiler.arg("-o").arg(&program));
            let mut program = Command::new(program);
            program.env("LD_LIBRARY_PATH", &lib);
            use_it(program);
        }
    }
}

#[test]
fn every_function_answers() {
    each_build("surface", prefix(), |mut program| {
        assert!(run(&mut program).contains("every function"));
    });
}

#[test]
fn every_mistake_is_noticed() {
    each_build("hostile", prefix(), |mut program| {
        assert!(run(&mut program).contains("every mistake"));
    });
}

#[test]
fn several_books_do_what_was_worked_out() {
    each_build("several", prefix(), |mut program| {
        assert!(run(&mut program).contains("what was worked out"));
    });
}

#[test]
fn layouts_rules_quotas_and_units_do_what_was_worked_out() {
    for name in ["layouts", "rules", "quotas", "units"] {
        each_build(name, prefix_of_more(), |mut program| {
            assert!(run(&mut program).contains("what was worked out"));
        });
    }
}

/// The sanitizers are on: the same program with a step beyond an array ends otherwise.
#[test]
fn a_step_beyond_the_memory_is_seen() {
    let source = scratch().join("beyond.c");
    let text = "#include <bookahead.h>\n#include <stdlib.h>\nint main(void) { \
        struct bookahead_book *book; void *memory = malloc(100); \
        return (int)bookahead_init(memory, 100000, 1, 8, 64, 8, &book); }\n";
    fs::write(&source, text).expect("the program can be written");
    let program = scratch().join("beyond");
    let mut compiler = Language::C99.compiler();
    compiler
        .args(SANITIZERS)
        .arg("-I")
        .arg(prefix().join("include"))
        .arg(&source);
    compiler
        .args(["-x", "none"])
        .arg(prefix().join("lib/libbookahead.a"));
    run(compiler.arg("-o").arg(&program));
    let done = output(&mut Command::new(program));
    let complaint = String::from_utf8_lossy(&done.stderr);
    assert!(complaint.contains("heap-buffer-overflow"), "{done:?}");
}

/// Compiles an example of at most so many lines by `pkg-config`, in both languages, and hands each to `use_it`: its empty folder, and how it is run there.
fn each_example(
    name: &str,
    most_lines: usize,
    prefix: &Path,
    use_it: impl Fn(&Path, &dyn Fn(&[&str]) -> Command),
) {
    let source = crate_folder().join(format!("examples/{name}.c"));
    let text = fs::read_to_string(&source).expect("the example is there");
    let lines = text.lines().count();
    assert!(
        lines <= most_lines,
        "{name}: {lines} lines are more than anybody wants to copy"
    );
    let mut pkg_config = Command::new("pkg-config");
    pkg_config.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    let flags = run(pkg_config.args(["--cflags", "--libs", "bookahead"]));
    for (language, ending) in [(Language::C99, "c99"), (Language::Cpp17, "cpp17")] {
        let folder = scratch().join(format!("example-{name}-{ending}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).expect("the folder can be made");
        let mut compiler = language.compiler();
        compiler
            .arg(&source)
            .args(["-x", "none"])
            .args(flags.split_whitespace());
        run(compiler.current_dir(&folder));
        use_it(&folder, &|arguments| {
            let mut program = Command::new(folder.join("a.out"));
            program.env("LD_LIBRARY_PATH", prefix.join("lib"));
            program.args(arguments).current_dir(&folder);
            program
        });
    }
}

#[test]
fn instruments_and_licences_are_booked_together() {
    each_example("instruments", 70, prefix_of_more(), |_, program| {
        let page = fs::read_to_string(crate_folder().join("README.md")).expect("it is there");
        let said = run(&mut program(&[]));
        assert!(page.contains(&format!("```output\n{said}```")), "{said}");
    });
}

#[test]
fn nodes_licences_and_a_quota_are_decided_as_one() {
    each_example("site", 50, prefix_of_more(), |_, program| {
        let page = crate_folder().join("../../docs/several.md");
        let page = fs::read_to_string(page).expect("it is there");
        let said = run(&mut program(&[]));
        assert!(page.contains(&format!("```output\n{said}```")), "{said}");
    });
}

#[test]
fn the_plugin_starts_jobs() {
    each_example("plugin", 40, prefix(), |_, program| {
        let said = run(&mut program(&[]));
        assert!(
            said.contains("starts in minute 2") && said.contains("started"),
            "{said}"
        );
        // One is booked for the present minute alone.
        assert!(
            said.contains("starts in minute 0") && !said.contains("missed"),
            "{said}"
        );
    });
}

/// Whatever the last life was writing when it was killed, or the disk has changed of it, the next one knows what was told before, and decides the same again.
#[test]
fn a_desk_keeps_its_promises_over_restarts() {
    each_example("restart", 70, prefix_of_more(), |folder, program| {
        let file = folder.join("bookings");
        let read = || fs::read(&file).expect("the desk has kept it");
        let seconds = ["1700000600", "1700000660", "1700036000"];
        let lives = seconds.map(|seconds| (run(&mut program(&[seconds])), read()));
        let [(first, told), (second, both), (third, all)] = &lives;
        assert_eq!(first, "job 1 is promised slot 11\n");
        assert_eq!(
            second,
            "job 1 runs until slot 71: launch it, unless an earlier life has\njob 2 is promised slot 71\n"
        );
        assert_eq!(
            third,
            "job 1 is over\njob 2 is over\njob 3 is promised slot 601\n"
        );
        let live_with = |bytes: &[u8], seconds| {
            fs::write(&file, bytes).expect("it can be written");
            run(&mut program(&[seconds]))
        };
        // Where the last frame begins.
        let length = |at: usize| u32::from_le_bytes(both[at + 4..at + 8].try_into().unwrap());
        let mut last = 0;
        while last + 24 + (length(last) as usize) < both.len() {
            last += 24 + length(last) as usize;
        }
        assert!(
            last > told.len(),
            "a frame for time, and one for the booking"
        );
        for at in (told.len()..both.len()).step_by(7) {
            let mut changed = both.clone();
            changed[at] ^= 0x10;
            assert_eq!(live_with(&both[..at], seconds[1]), *second);
            assert!(read() == *both, "what is kept is another book");
            if at >= last {
                assert_eq!(live_with(&changed, seconds[1]), *second);
                assert!(read() == *both, "what is kept is another book");
            }
        }
        // A whole frame behind what is damaged: nothing is thrown away.
        for at in (0..last).step_by(11) {
            let mut changed = both.clone();
            changed[at] ^= 0x10;
            fs::write(&file, &changed).expect("it can be written");
            let done = output(&mut program(&[seconds[1]]));
            let said = String::from_utf8_lossy(&done.stderr);
            assert!(
                !done.status.success() && said.contains("!sound(at)"),
                "{at}: {said}"
            );
            assert!(read() == changed, "{at}: it was written to");
        }
        // Nor is anything of a file of somebody else's, nor done with a clock in milliseconds.
        for (bytes, seconds) in [(&b"hello"[..], seconds[1]), (both, "1700000600000")] {
            fs::write(&file, bytes).expect("it can be written");
            assert!(!output(&mut program(&[seconds])).status.success());
            assert!(read() == bytes, "{seconds}: it was written to");
        }
        // Nothing is left of what stood behind, and time is not forgotten with the booking.
        assert_eq!(
            live_with(&[&both[..], &[0xFF; 5_000]].concat(), seconds[2]),
            *third
        );
        assert!(read() == *all, "another file");
        assert_eq!(live_with(&both[..both.len() - 1], seconds[0]), *second);
    });
}

#[test]
fn install_says_what_it_takes() {
    for (arguments, code, said) in [
        (vec!["--help"], 0, "--features LIST"),
        (vec!["--prefix"], 2, "--prefix: expected a value"),
        (
            vec!["--libdir", "/lib", "--prefixes", "/usr"],
            2,
            "--prefixes",
        ),
    ] {
        let done = output(script("install", "capi").args(&arguments));
        let text = [done.stdout, done.stderr].concat();
        assert_eq!(done.status.code(), Some(code), "{arguments:?}");
        assert!(
            String::from_utf8_lossy(&text).contains(said),
            "{arguments:?}"
        );
    }
}

#[test]
fn the_libraries_need_five_functions_of_libc_only() {
    let wanted = |library: &str, options: &[&str]| {
        let mut nm = Command::new("nm");
        let symbols = run(nm.args(options).arg(prefix().join("lib").join(library)));
        let name = |line: &str| {
            let symbol = line.trim_start().strip_prefix("U ")?;
            Some(symbol.split('@').next()?.to_owned())
        };
        symbols.lines().filter_map(name).collect::<Vec<_>>()
    };
    let mut shared = wanted("libbookahead.so", &["-D", "--undefined-only"]);
    shared.sort();
    // As the README says.
    assert_eq!(shared, ["bcmp", "memcpy", "memmove", "memset", "strlen"]);
    // In the archive stand the compiler's functions too, and what they need of each other.
    let archive = wanted("libbookahead.a", &["--undefined-only"]);
    let panics = |symbol: &&String| symbol.contains("panic");
    assert!(
        archive.contains(&"memset".to_owned()),
        "nm lists them: {archive:?}"
    );
    assert_eq!(archive.iter().find(panics), None);
}

/// The proof can fail: with an unchecked access the shared library does not link, and for that reason.
#[test]
fn a_planted_panic_is_found() {
    let mut build = script("build", "capi-planted");
    let done = output(build.args(["--features", "planted"]));
    assert!(
        !done.status.success(),
        "a library with a planted panic links"
    );
    let complaint = String::from_utf8_lossy(&done.stderr);
    assert!(
        complaint.contains("a_bookahead_function_can_panic"),
        "{complaint}"
    );
}
