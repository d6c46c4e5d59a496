# What the scripts of this folder share; sourced, not run.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

# Slurm, and what its programs and the gate need.
packages=(slurmctld slurmd slurm-client slurm-wlm-basic-plugins libslurm-dev munge lua-socket)

install_slurm() {
    local missing=() package
    for package in "${packages[@]}"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ "${#missing[@]}" -gt 0 ] || return 0
    command -v apt-get >/dev/null || fail "Slurm 22.05 is wanted, as Debian 12 has it: ${missing[*]}"
    echo "installing ${missing[*]}"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$folder/log/apt" 2>&1 ||
        fail "could not install ${missing[*]}, see $folder/log/apt"
}

# begin NAME COMMAND...: starts a program and keeps its number, by which it is ended.
begin() {
    local name=$1
    shift
    # A group of its own, so that nothing typed into this terminal ends it.
    setsid "$@" >>"$folder/log/$name.out" 2>&1 </dev/null &
    echo $! >"$folder/pid/$name"
}

# end NAME: ends a program that was begun, and waits for it.
end() {
    local number left=100
    [ -f "$folder/pid/$1" ] || return 0
    number=$(cat "$folder/pid/$1")
    kill "$number" 2>/dev/null || true
    while kill -0 "$number" 2>/dev/null && [ "$left" -gt 0 ]; do
        sleep 0.1
        left=$((left - 1))
    done
    kill -9 "$number" 2>/dev/null || true
    rm -f "$folder/pid/$1"
}

# await WHAT COMMAND...: until it succeeds, for at most half a minute.
await() {
    local what=$1 left=150
    shift
    until "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || fail "$what did not come up within 30 s, see $folder/log"
        sleep 0.2
    done
}

# Seconds by which a promised job may start late.
guard=${GUARD:-3}

begin_slurmctld() {
    BOOKAHEAD_FOLDER=$folder/desk BOOKAHEAD_GATE_TIMES=$folder/log/gate-times begin slurmctld /usr/sbin/slurmctld -D -f "$SLURM_CONF" "$@"
}

begin_desk() {
    BOOKAHEAD_MUNGE_SOCKET=$folder/munge/socket begin desk "$here/target/release/bookahead-slurm" --folder "$folder/desk" serve --listen "$(cat "$folder/address")" --slot 1 --horizon 3600 --guard "$guard" --look 50 --audit "$folder/log/refusals-$(date +%s%N)" "$@"
}
