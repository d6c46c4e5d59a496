# Shared by the scripts of this folder; sourced, not run.

fail() {
    echo "error: $*" >&2
    exit 1
}

results=()
failed=0

# step NAME COMMAND...: runs the command with errexit on, and notes how long it took and whether it worked.
step() {
    local name=$1 began=$SECONDS status
    shift
    echo
    echo "==> $name"
    # Not `if (...)`: a condition would switch errexit off inside.
    set +e
    (
        set -e
        "$@"
    )
    status=$?
    set -e
    local took="$((SECONDS - began)) s"
    if [ "$status" -eq 0 ]; then
        echo "<== $name: ok, $took"
        results+=("ok      $took|$name")
    else
        echo "<== $name: FAILED (status $status), $took"
        results+=("FAILED  $took|$name")
        failed=$((failed + 1))
    fi
}

# summary: one line per step, and the exit status of the whole.
summary() {
    echo
    local result
    for result in "${results[@]}"; do
        printf '%-16s %s\n' "${result%%|*}" "${result#*|}"
    done
    [ "${#results[@]}" -gt 0 ] || fail "no step ran"
    [ "$failed" -eq 0 ]
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
