# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# libproftop.awk: makes libproftop(3) of the public headers, in the order in which they are given:
#   awk -f libproftop.awk proftop.h ...
# What a header says of a call is what the manual says of it. A header is made of comments that
# begin in the first column, and of the declarations that follow each; a comment that is a line of
# dashes begins a section.

function escape(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    if (text ~ /^[.']/)
        text = "\\&" text
    return text
}

# Running text: a sentence begins a line, as mdoc wants it.
function prose(text)
{
    text = escape(text)
    gsub(/\. +/, ".\n", text)
    return text
}

# Adds to the page. A gap that is due stands in front of it, but for the first words of a section.
function put(text)
{
    if (gap && !fresh)
        body = body ".Pp\n"
    body = body text
    gap = fresh = 0
}

function begin_section(title)
{
    gap = 0
    put(".Ss " title "\n")
    fresh = 1
}

# Ends whatever block of text is open.
function end_block()
{
    if (block == "list")
        put(".El\n")
    if (block == "literal")
        put(".Ed\n")
    block = ""
}

function begin_block(kind)
{
    if (block == kind)
        return
    end_block()
    block = kind
    if (kind == "list")
        put(".Bl -bullet -compact\n")
    if (kind == "literal")
        put(".Bd -literal -compact\n")
}

# One line of a comment: a bullet, the rest of one, a line of a table, an end of a paragraph, text.
function put_line(line)
{
    if (line ~ /^ - /) {
        begin_block("list")
        put(".It\n" prose(substr(line, 4)) "\n")
    } else if (block == "list" && line ~ /^   /) {
        sub(/^ */, "", line)
        put(prose(line) "\n")
    } else if (line ~ /^   ?[^ ]/ || (block == "literal" && line ~ /^ /)) {
        begin_block("literal")
        put(escape(line) "\n")
    } else if (line == "") {
        end_block()
        gap = 1
    } else {
        end_block()
        put(prose(line) "\n")
    }
}

function put_comment(    n, line, i)
{
    n = split(comment, line, "\n")
    for (i = 1; i <= n; i++)
        put_line(line[i])
    end_block()
    comment = ""
}

# Splits at the commas that no bracket holds. Gives how many parts there are.
function split_top(text, part,    i, n, depth, c)
{
    n = 1
    part[1] = ""
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        depth += (c == "(") - (c == ")")
        if (c == "," && depth == 0)
            part[++n] = ""
        else
            part[n] = part[n] c
    }
    for (i = 1; i <= n; i++)
        gsub(/^ +| +$/, "", part[i])
    return n
}

# The prototype of a call, as mdoc has it.
function prototype(text,    head, type, name, argument, n, i, out)
{
    head = text
    sub(/\(.*/, "", head)
    name = head
    sub(/.*[ *]/, "", name)
    type = substr(head, 1, length(head) - length(name))
    sub(/ $/, "", type)
    sub(/^[^(]*\(/, "", text)
    sub(/\)$/, "", text)
    out = ".Ft \"" type "\"\n.Fo " name "\n"
    n = split_top(text, argument)
    for (i = 1; i <= n; i++)
        out = out ".Fa \"" argument[i] "\"\n"
    return out ".Fc\n"
}

function put_call(declaration,    text, proto)
{
    text = declaration
    sub(/^PROFTOP_API /, "", text)
    sub(/;[^;]*$/, "", text)
    gsub(/\n */, " ", text)
    proto = prototype(text)
    synopsis = synopsis proto
    gap = 1
    put(proto)
    gap = 1
    put_comment()
}

# What is no call is shown as it stands.
function put_type(declaration)
{
    gsub(/\\/, "\\e", declaration)
    gap = 1
    put_comment()
    gap = 0
    put(".Bd -literal\n" declaration ".Ed\n")
}

# A line that a preprocessor directive or a body of an inline function makes: not for readers.
function is_hidden(line)
{
    return line ~ /^#(ifndef|ifdef|if|endif|else|include|elif)/ || line ~ /^extern "C"/ ||
           line ~ /^}$/ || line ~ /^#define PROFTOP_[A-Z_]*(H|CALLS)$/
}

FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
    includes = includes ".In " name "\n"
    state = "none"
    head = 1
}

state == "none" && /^\/\* -+ / {
    end_block()
    title = $0
    gsub(/^\/\* -+ *| *-*( \*\/)?$/, "", title)
    gsub(/;.*/, "", title)
    begin_section(toupper(substr(title, 1, 1)) substr(title, 2))
    if ($0 !~ /\*\/ *$/) { # the words of the whole section follow
        comment = ""
        state = "comment"
        section = 1
    }
    next
}

state == "none" && /^\/\*/ {
    comment = ""
    state = "comment"
}

state == "comment" {
    line = $0
    last = line ~ /\*\/ *$/
    sub(/ *\*\/ *$/, "", line)
    sub(/^(\/\* ?| \* ?| \*$)/, "", line)
    if (line !~ /^SPDX/)
        comment = comment (comment == "" ? "" : "\n") line
    if (!last)
        next
    state = "none"
    if (head) { # the header's own words: "name: purpose", then the rules
        sub(/^\n*/, "", comment)
        sub(/^[a-z_]*\.h: /, "", comment)
        comment = toupper(substr(comment, 1, 1)) substr(comment, 2)
        begin_section(name)
        put_comment()
        head = 0
    } else if (section) {
        sub(/^\n*/, "", comment)
        put_comment()
        section = 0
    }
    next
}

state == "none" && (is_hidden($0) || $0 == "") {
    if ($0 == "")
        comment = ""
    next
}

state == "none" && /^static inline/ {
    state = "inline"
    comment = ""
    next
}

state == "inline" {
    if ($0 ~ /^}/)
        state = "none"
    next
}

state == "none" && /^#define/ {
    declaration = ""
    state = "macro"
}

state == "macro" {
    declaration = declaration $0 "\n"
    if ($0 ~ /\\$/)
        next
    state = "none"
    put_type(declaration)
    next
}

state == "none" {
    declaration = ""
    state = "declaration"
}

state == "declaration" {
    declaration = declaration $0 "\n"
    if ($0 !~ /;( *\/\*.*)?$/ || $0 ~ /^ .*[^)];/)
        next
    state = "none"
    if (declaration ~ /^PROFTOP_API/)
        put_call(declaration)
    else
        put_type(declaration)
}

END {
    print ".\\\" Made by docs/libproftop.awk of the public headers. Licence: Apache-2.0."
    print ".Dd " date
    print ".Dt LIBPROFTOP 3"
    print ".Os proftop"
    print ".Sh NAME"
    print ".Nm libproftop"
    print ".Nd publish the op timings of a running graph program"
    print ".Sh LIBRARY"
    print "libproftop (\\-lproftop; flags from pkg\\-config proftop)"
    print ".Sh SYNOPSIS"
    printf "%s%s", includes, synopsis
    print ".Sh DESCRIPTION"
    printf "%s", body
    print ".Sh SEE ALSO"
    print ".Xr proftop 1"
}
