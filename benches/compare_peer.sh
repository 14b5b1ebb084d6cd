#!/bin/sh
# Times a workload of `eddy bench` and the program that it stands for, in turn, and prints the ratio. Both do the same work;
# `eddy bench --help` says which. stable_jacobi_512 stands for stable_fluid_taichi.py, lbm_d2q9_512 for lbm_taichi.py.
#
# usage: compare_peer.sh EDDY PYTHON PEER_PY [ROUNDS] [WORKLOAD]
#   EDDY                    the release binary
#   PYTHON                  an interpreter with taichi and numpy
#   PEER_PY                 the program, which prints one line of JSON with ms_per_step_median
#   WORKLOAD                stable_jacobi_512 if not given
set -eu
if [ $# -lt 3 ]; then
    sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//' >&2
    exit 2
fi
eddy=$1 python=$2 peer=$3 rounds=${4:-3} workload=${5:-stable_jacobi_512}
ours=$(mktemp) theirs=$(mktemp)
trap 'rm -f "$ours" "$theirs"' EXIT
round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    "$eddy" bench --workload "$workload" --device cpu --json >>"$ours"
    (cd "$(dirname "$peer")" && "$python" "$(basename "$peer")") | grep '^{' >>"$theirs"
done
"$python" - "$ours" "$theirs" <<'PY'
import json
import sys

decoder = json.JSONDecoder()
text, runs = open(sys.argv[1]).read().strip(), []
while text:
    result, end = decoder.raw_decode(text)
    runs += result
    text = text[end:].strip()
peers = [json.loads(line) for line in open(sys.argv[2])]
print("round  eddy ms  peer ms  ratio   kernel GB/s  triad GB/s  ratio")
for i, (a, b) in enumerate(zip(runs, peers)):
    ours, theirs = a["ms_median"], b["ms_per_step_median"]
    sweeps, triad = a["bytes_per_s"] / 1e9, a["triad_bytes_per_s"] / 1e9
    print(f"{i + 1:5} {ours:8.2f} {theirs:8.2f} {theirs / ours:6.1f}   {sweeps:11.1f} {triad:11.1f} {sweeps / triad:6.2f}")
ours = min(a["ms_median"] for a in runs)
theirs = min(b["ms_per_step_median"] for b in peers)
print(f" best {ours:8.2f} {theirs:8.2f} {theirs / ours:6.1f}")
PY
