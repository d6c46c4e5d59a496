# Which compiler builds for microcontrollers, and which QEMU runs what it built; sourced after lib.sh, not run.
#
# Uses the targets of rustup where they are installed (`rustup target add TARGET...`). Otherwise builds `core` and `alloc` from Debian's source
# with Debian's compiler, which is installed when it is missing and this runs as root.

# Apart from other builds, whose compiler may be another.
export CARGO_TARGET_DIR=$PWD/target/bare-metal

has_rustup_targets() {
    command -v rustup >/dev/null || return 1
    local installed target
    installed=$(rustup target list --installed)
    for target in "$@"; do
        grep -qx "$target" <<<"$installed" || return 1
    done
}

has_debian_compiler() {
    [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && [ -x /usr/bin/lld-22 ] && [ -x /usr/bin/clippy-driver ] &&
        [ -f /usr/lib/rustlib/src/rust/library/core/src/lib.rs ]
}

# linted COMMAND...: what it compiles or checks of a workspace, Clippy looks at, in the way in which `cargo clippy` has it look. Where something is built anyway, a
# check apart would compile the standard library for that as well.
linted() {
    RUSTC_WORKSPACE_WRAPPER=$clippy CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__ "$@"
}

# choose_toolchain TARGET...: defines bare_cargo, which takes what cargo takes, and the compiler's version.
choose_toolchain() {
    if has_rustup_targets "$@"; then
        compiler=$(rustc --version)
        clippy=clippy-driver
        echo "rustup: $compiler"
        bare_cargo() {
            cargo "$@"
        }
        return
    fi
    if ! has_debian_compiler; then
        local advice="install the targets with: rustup target add $*"
        install_packages "$advice" rustc-web rust-web-src cargo-web rust-web-clippy lld-22
        has_debian_compiler || fail "the packages are installed but not what is expected in /usr/bin and /usr/lib/rustlib; $advice"
    fi
    compiler=$(/usr/bin/rustc --version)
    clippy=/usr/bin/clippy-driver
    echo "Debian: $compiler"
    # -Zbuild-std is not stable, hence the second variable.
    bare_cargo() {
        RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 /usr/bin/cargo "$@" -Zbuild-std=core,alloc
    }
}

# need_qemu MACHINE...: a QEMU for each of them (arm, riscv32), installed where one is missing.
need_qemu() {
    local machine missing=() packages=(qemu-system-arm qemu-system-misc)
    for machine in "$@"; do
        command -v "qemu-system-$machine" >/dev/null || missing+=("qemu-system-$machine")
    done
    [ "${#missing[@]}" -gt 0 ] || return 0
    local advice="install QEMU for arm and riscv32: ${packages[*]} on Debian"
    # Where qemu-utils comes from elsewhere, as on some images, the packages cannot stand beside it.
    (install_packages "$advice" "${packages[@]}") || install_packages "$advice" "${packages[@]}" qemu-utils-
    for machine in "${missing[@]}"; do
        command -v "$machine" >/dev/null || fail "the packages are installed but not $machine; $advice"
    done
}
