# Shared by the scripts of this folder; sourced, not run.

fail() {
    echo "error: $*" >&2
    exit 1
}

# A file, so that steps in the background note their results as well. Whoever sources this leaves by `exit` or at its end.
results=$(mktemp)
trap 'rm -f "$results" "$results".*' EXIT

# step NAME COMMAND...: runs the command with errexit on, and notes whether it worked, how long it took, and how long all cores worked for it.
step() {
    local name=$1 began=$SECONDS status worked=$results.$BASHPID
    shift
    echo
    echo "==> $name"
    # Not `if (...)`: a condition would switch errexit off inside.
    set +e
    (
        (
            set -e
            "$@"
        )
        status=$?
        times >"$worked"
        exit "$status"
    )
    status=$?
    set -e
    local took="$((SECONDS - began)) s" cpu
    # The second line is about what was started, minutes and seconds of its own and of the system.
    cpu=$(sed -n '2s/[ms]/ /gp' "$worked" | awk '{ printf "%d s", 60 * $1 + $2 + 60 * $3 + $4 }')
    if [ "$status" -eq 0 ]; then
        echo "<== $name: ok, $took, $cpu of work"
        printf 'ok      %-8s %-8s %s\n' "$took" "$cpu" "$name" >>"$results"
    else
        echo "<== $name: FAILED (status $status), $took, $cpu of work"
        printf 'FAILED  %-8s %-8s %s\n' "$took" "$cpu" "$name" >>"$results"
    fi
}

# summary: one line per step, and the exit status of the whole.
summary() {
    echo
    [ -s "$results" ] || fail "no step ran"
    printf '        %-8s %-8s %s\n' took work step
    cat "$results"
    ! grep -q '^FAILED' "$results"
}

# install_packages ADVICE PACKAGE...: with Debian's package manager, or fails with the advice.
install_packages() {
    local advice=$1
    shift
    command -v apt-get >/dev/null || fail "no apt-get to install $*; $advice"
    [ "$(id -u)" -eq 0 ] || fail "not root, so $* cannot be installed; $advice"
    echo "installing $*"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@"
}
