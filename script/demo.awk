# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# demo.awk SHOWN JOB: adds the TIME cells of the Op rows in the last refresh of SHOWN, and compares
# the sum with the last `loop time N ns` that the job printed. Prints one line; exit 0 within 2 %.
# Runs with LC_ALL=C, so that characters are bytes for every awk.
function ns(cell,    number, unit) {
    number = cell + 0
    unit = cell
    gsub(/[0-9.]/, "", unit)
    return number * (unit == "ns" ? 1 : unit == "us" ? 1e3 : unit == "ms" ? 1e6 : unit == "s" ? 1e9 : \
        unit == "m" ? 6e10 : -1)
}
FNR == NR && /^ Ops$/ { sum = 0; rows = 0; inside = 1; head = 0; next }
FNR == NR && inside && (/\.\.\. \(remaining/ || /^$/) { inside = 0 }
# Bars of variable length precede the cells, so a cell is found by the end of its title, counted in
# characters. For that, the continuation bytes of UTF-8 characters are removed.
FNR == NR { gsub(/[\200-\277]/, "") }
FNR == NR && inside && !head { head = index($0, " TIME") + 4; next }
FNR == NR && inside {
    cell = substr($0, 1, head)
    sub(/.* /, "", cell)
    sum += ns(cell)
    rows++
}
FNR != NR && /^loop time [0-9]+ ns/ { loop = $3 }
END {
    if (!rows || !loop) {
        print "demo: nothing to compare: " rows + 0 " Op rows, loop time " loop + 0 " ns"
        exit 1
    }
    apart = 100 * (sum - loop) / loop
    printf "check: %d Op rows add up to %.3f s, the job's own loops took %.3f s: %+.2f %%\n", rows, sum / 1e9, loop / 1e9, apart
    exit (apart > 2 || apart < -2)
}
