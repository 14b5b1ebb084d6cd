#!/bin/sh
# Times the pressure solvers on the CPU: how their cost grows with the cells, how they stand to each other at 512², and, where
# the programs are given, how they stand to those of the article in Taichi on the same velocity field.
#
# usage: solvers.sh EDDY [PYTHON PEERS [ROUNDS]]
#   EDDY    the release binary
#   PYTHON  an interpreter with taichi and numpy
#   PEERS   the folder with dfft_stable_fluid_taichi.py, poisson_filter_taichi.py and stable_fluid_taichi.py
set -eu
if [ $# -lt 1 ] || [ $# -eq 2 ]; then
    sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//' >&2
    exit 2
fi
eddy=$1 python=${2:-} peers=${3:-} rounds=${4:-3}
kinds="jacobi_sweep gauss_seidel_sweep multigrid_solve pcg_solve spectral_solve filter_apply"
times=$(mktemp -d)
trap 'rm -rf "$times"' EXIT

# Median ms of a workload.
ms() {
    "$eddy" bench --workload "$1" --device cpu --frames "$2" --json |
        sed -n 's/.*"ms_median": \([0-9.e-]*\),*/\1/p'
}

echo "## Growth: ns a cell"
printf '| | 128² | 256² | 512² | 1024² | 2048² |\n|---|---|---|---|---|---|\n'
for kind in $kinds; do
    printf '| `%s` |' "$kind"
    for n in 128 256 512 1024 2048; do
        frames=$((2048 / n * 8))
        ms "${kind}_$n" "$frames" | awk -v n="$n" '{ printf " %.2f |", $1 * 1e6 / (n * n) }'
    done
    echo
done

echo
echo "## 512²: ms"
round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    for kind in $kinds; do
        ms "${kind}_512" 60 >>"$times/$kind"
    done
    if [ -n "$python" ]; then
        # One velocity field for all: that of the 60th frame of 160 Jacobi sweeps.
        field="$times/field.npz"
        cd "$peers"
        if [ ! -f "$field" ]; then
            "$python" stable_fluid_taichi.py --residual --dump-ustar "$field" >"$times/log" 2>&1
        fi
        for peer in dfft_stable_fluid poisson_filter; do
            "$python" "${peer}_taichi.py" --load-ustar "$field" |
                sed -n 's/.*"solve_ms_median": \([0-9.]*\).*/\1/p' >>"$times/$peer"
        done
        cd - >"$times/log"
    fi
done
for file in "$times"/*; do
    case $file in
    *.npz | */log) ;;
    *) echo "$(basename "$file"): $(tr '\n' ' ' <"$file")" ;;
    esac
done
best() { sort -g "$times/$1" | head -1; }
awk -v spectral="$(best spectral_solve)" -v jacobi="$(best jacobi_sweep)" -v red="$(best gauss_seidel_sweep)" \
    -v multigrid="$(best multigrid_solve)" 'BEGIN {
    printf "a spectral solve is %.1f Jacobi sweeps\n", spectral / jacobi * 100
    printf "multigrid to a thousandth is %.1f red-black sweeps\n", multigrid / red * 100
}'
if [ -n "$python" ]; then
    awk -v spectral="$(best spectral_solve)" -v dfft="$(best dfft_stable_fluid)" -v filter="$(best filter_apply)" \
        -v peer="$(best poisson_filter)" 'BEGIN {
        printf "the spectral solve of the article takes %.0f times as long\n", dfft / spectral
        printf "its Poisson filter takes %.0f times as long\n", peer / filter
    }'
fi
