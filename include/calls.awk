# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# calls.awk HEADER...: prints proftop_calls.h, which defines the calls of the public headers for
# PROFTOP_DYNAMIC and PROFTOP_OFF, from the prototypes that begin with PROFTOP_API.
BEGIN {
    # What a call returns without a library, if not by its type.
    missing["proftop_version"] = "\"\""
    missing["proftop_open"] = "PROFTOP_OPEN_LATE(options)"
    missing["proftop_reason"] = "PROFTOP_WHY_OFF"
    missing["proftop_interval_ns"] = "PROFTOP_UNKNOWN"
    missing["proftop_scope"] = missing["proftop_scope_push"] = "\"<unk>:\""
    print "/* SPDX-FileCopyrightText: 2026 the proftop authors"
    print " * SPDX-License-Identifier: Apache-2.0"
    print " *"
    print " * proftop_calls.h: the calls of the public headers, for PROFTOP_DYNAMIC and PROFTOP_OFF (see"
    print " * proftop_form.h). Made from the prototypes by calls.awk. Each header includes its own part. */"
}

FNR == 1 {
    part = FILENAME
    sub(/.*\//, "", part)
    sub(/\.h$/, "", part)
    part = toupper(part)
    if (parts++)
        print "#endif"
    printf "#if defined(%s_CALLS) && !defined(%s_CALLS_DEFINED)\n", part, part
    printf "#define %s_CALLS_DEFINED\n", part
}

/^PROFTOP_API / { text = "" ; open = 1 }
open {
    text = text " " $0
    if ($0 ~ /;/) {
        open = 0
        call(text)
    }
}
END { print "#endif" }

function trim(s) {
    gsub(/[ \t]+/, " ", s)
    sub(/^ /, "", s)
    sub(/ $/, "", s)
    return s
}

function value_of(type, name) {
    if (name in missing)
        return missing[name]
    if (type ~ /\*$/)
        return "NULL"
    if (type == "proftop_id")
        return "PROFTOP_NONE"
    if (type ~ /^struct proftop_/) {
        sub(/^struct proftop_/, "", type)
        return "proftop_no_" type "()"
    }
    return "0"
}

# call("PROFTOP_API type name(type one, type *two);"): prints its definitions.
function call(text,    head, list, type, name, n, i, word, arguments, first, value) {
    sub(/^ *PROFTOP_API /, "", text)
    head = list = text
    sub(/\(.*/, "", head)
    sub(/^[^(]*\(/, "(", list)
    sub(/;.*/, "", list)
    head = trim(head)
    list = trim(list)
    name = head
    sub(/.*[ *]/, "", name)
    type = trim(substr(head, 1, length(head) - length(name)))
    n = split(substr(list, 2, length(list) - 2), word, ",")
    arguments = ""
    for (i = 1; i <= n; i++) {
        sub(/\[.*/, "", word[i])
        sub(/ $/, "", word[i])
        sub(/.*[ *]/, "", word[i])
        arguments = arguments (i > 1 ? ", " : "") word[i]
    }
    first = word[1]
    value = type == "void" ? "" : " " value_of(type, name)
    print "#if defined(PROFTOP_OFF)"
    printf "PROFTOP_API %s %s%s\n{\n", type, name, list
    if (type == "void")
        printf "    (void)sizeof((%s(%s), 0));\n}\n", name, arguments
    else
        printf "    (void)sizeof(%s(%s));\n    return%s;\n}\n", name, arguments, value
    print "#else"
    printf "PROFTOP_SHARED void *%s_at;\n", name
    printf "PROFTOP_API %s %s%s\n{\n", type, name, list
    printf "    %s (*proftop_call)%s;\n", type, list
    printf "    void *proftop_at = proftop_found(&%s_at, \"%s\", %s);\n", name, name, first
    printf "    if (proftop_at == NULL)\n        return%s;\n", value
    print "    __builtin_memcpy(&proftop_call, &proftop_at, sizeof proftop_call);"
    printf "    %sproftop_call(%s);\n}\n#endif\n", type == "void" ? "" : "return ", arguments
}
