# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# bench.awk: reads the rows of several runs of a benchmark (each begins with a line "run"). Prints
# the medians, and whether they meet the target. The columns: bench_row() in tests/bench/bench.h.

$0 == "run" { split("", seen); next }

substr($0, 60, 14) !~ /^ *-?[0-9.]+ ?[A-Za-z%\/]*$/ { next } # a remark

{
    what = substr($0, 1, 58)
    sub(/ +$/, "", what)
    row = what SUBSEP seen[what]++ # a name may be in several parts of the table
    if (!(row in runs)) {
        order[++rows] = row
        target[row] = substr($0, 87)
    }
    split(substr($0, 60, 14), part, " ")
    unit[row] = part[2]
    runs[row]++
    figure[row, runs[row]] = part[1] + 0
    ratio[row, runs[row]] = substr($0, 75, 9) + 0
}

# Sorts the n values of a row. Returns the middle one, or the mean of the two in the middle.
function median(value, row, n,    i, k, one) {
    for (i = 2; i <= n; i++)
        for (k = i; k > 1 && value[row, k] < value[row, k - 1]; k--) {
            one = value[row, k]
            value[row, k] = value[row, k - 1]
            value[row, k - 1] = one
        }
    return (value[row, int((n + 1) / 2)] + value[row, int(n / 2) + 1]) / 2
}

# A target begins with "<= 1.05 x", "<= 32 MB", "0.70 to 1.30 x" or "64 B". It applies to the ratio
# if an x follows, else to the figure.
function verdict(said, figure, ratio,    part, value) {
    if (said !~ /^(<= )?[0-9.]+ (to [0-9.]+ )?[A-Za-z%]/)
        return ""
    sub(/^<= /, "", said)
    split(said, part, " ")
    if (part[2] == "to")
        return ratio >= part[1] + 0 && ratio <= part[3] + 0 ? "met" : "missed"
    value = part[2] == "x" ? ratio : figure
    return value <= part[1] + 0 ? "met" : "missed"
}

# A missed target may be followed by a weaker one: ", held to 3 x the least".
function held(said, figure, ratio,    at) {
    at = index(said, ", held to ")
    return at ? ": " verdict(substr(said, at + 10), figure, ratio) : ""
}

# The head of a target, without a run's addition in brackets or after a semicolon.
function head(said) {
    sub(/ *[(;].*/, "", said)
    return said
}

END {
    for (i = 1; i <= rows; i++) {
        row = order[i]
        split(row, part, SUBSEP)
        n = runs[row]
        f = median(figure, row, n)
        r = median(ratio, row, n)
        by = r > 0 ? sprintf("%.3f x", r) : ""
        least = r > 0 ? ratio[row, 1] : figure[row, 1]
        most = r > 0 ? ratio[row, n] : figure[row, n]
        said = head(target[row])
        printf "%-58s %14s %9s   %-7s %s%s (%d runs: %.4g to %.4g)\n", part[1],
            sprintf("%.4g %s", f, unit[row]), by, verdict(target[row], f, r), said,
            held(said, f, r), n, least, most
    }
}
