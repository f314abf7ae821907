/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * completion.c: the completion of bash, zsh and fish, generated from the tables of options,
 * commands, controls and columns.
 */
#include "config.h"

#include "tui/cli/options.h"

#include <string.h>

#include "model/column.h"

#define QUOTE      "'\\''"
#define QUOTE_FISH "\\'"

/* How a value is completed that is not one of a few words. */
enum kind { KIND_OTHER, KIND_FILE, KIND_PID, KIND_HOST, KIND_COLUMN, KIND_WORDS };

static enum kind kind_of(const struct tui_option *option)
{
    static const struct {
        const char *value;
        enum kind kind;
    } kinds[] = {
        {"FILE", KIND_FILE}, {"PID", KIND_PID}, {"HOST", KIND_HOST}, {"COLUMN", KIND_COLUMN}};
    if (option->words)
        return KIND_WORDS;
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].value, option->value) == 0)
            return kinds[i].kind;
    return KIND_OTHER;
}

/* Prints the names of all columns, separated by blanks. */
static void print_columns(FILE *file)
{
    const char *before = "";
    for (unsigned i = 0; i < model_columns_count; i++) {
        if (!model_columns[i].title || !model_columns[i].title[0])
            continue;
        fprintf(file, "%s%s", before, model_columns[i].id);
        before = " ";
    }
}

/* Prints the commands, separated by blanks. */
static void print_commands(FILE *file)
{
    for (unsigned i = 0; i < tui_commands_count; i++)
        fprintf(file, "%s%s", i ? " " : "", tui_commands[i].word);
}

/* Prints the controls of ctl, separated by blanks. */
static void print_controls(FILE *file)
{
    for (unsigned i = 0; i < tui_controls_count; i++)
        fprintf(file, "%s%s", i ? " " : "", tui_controls[i].name);
}

/* Prints a text inside single quotes. `quote` is what the shell reads as such a quote there. The
 * characters of `drop` become blanks: the shell would read them as its own. */
static void print_quoted(FILE *file, const char *text, const char *quote, const char *drop)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs(quote, file);
        else
            fputc(strchr(drop, *text) ? ' ' : *text, file);
    }
}

/* ---------------------------------------------------------------------------------------- bash */

/* Prints "--pid|-p": a pattern for one option. */
static void print_pattern(FILE *file, const struct tui_option *option)
{
    fprintf(file, "--%s", option->name);
    if (option->letter)
        fprintf(file, "|-%c", option->letter);
}

static void print_bash_values(FILE *file)
{
    static const char *const commands[] = {
        [KIND_OTHER] = "return 0",
        [KIND_FILE] = "COMPREPLY=($(compgen -f -- \"$word\")); return 0",
        [KIND_PID] = "COMPREPLY=($(compgen -W \"$(_proftop_pids)\" -- \"$word\")); return 0",
        [KIND_HOST] = "COMPREPLY=($(compgen -A hostname -- \"$word\")); return 0",
    };
    for (unsigned i = 0; i < tui_options_count; i++) {
        const struct tui_option *option = &tui_options_table[i];
        if (!option->value)
            continue;
        const enum kind kind = kind_of(option);
        fputs("    ", file);
        print_pattern(file, option);
        if (kind < KIND_COLUMN) {
            fprintf(file, ") %s ;;\n", commands[kind]);
            continue;
        }
        fputs(") COMPREPLY=($(compgen -W \"", file);
        if (kind == KIND_COLUMN)
            print_columns(file);
        else
            fputs(option->words, file);
        fputs("\" -- \"$word\")); return 0 ;;\n", file);
    }
}

static void print_bash(FILE *file)
{
    fputs("# Completion of proftop for bash. proftop --print-completion bash makes it.\n"
          "_proftop_pids() {\n"
          "    proftop -l 2>/dev/null | sed -n 's/^ *\\([0-9][0-9]*\\) .*/\\1/p'\n"
          "}\n"
          "_proftop() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} i run=\n"
          "    COMPREPLY=()\n"
          "    # Behind run and its options there is another command.\n"
          "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
          "        case ${COMP_WORDS[i]} in\n"
          "        ",
          file);
    const char *bar = "";
    for (unsigned i = 0; i < tui_options_count; i++) {
        if (!tui_options_table[i].value)
            continue;
        fputs(bar, file);
        print_pattern(file, &tui_options_table[i]);
        bar = "|";
    }
    fputs(") ((i++)) ;;\n"
          "        --) [ -z \"$run\" ] || { ((i++)); break; } ;;\n"
          "        -*) ;;\n"
          "        *) [ -z \"$run\" ] || break; [ \"${COMP_WORDS[i]}\" != run ] || run=yes ;;\n"
          "        esac\n"
          "    done\n"
          "    if [ -n \"$run\" ] && ((i < COMP_CWORD)) && declare -F _command_offset >/dev/null; "
          "then\n"
          "        _command_offset \"$i\"\n"
          "        return\n"
          "    elif [ -n \"$run\" ] && ((i < COMP_CWORD)); then\n"
          "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
          "        return\n"
          "    elif [ -n \"$run\" ] && ((i == COMP_CWORD)) && [[ $word != -* ]]; then\n"
          "        COMPREPLY=($(compgen -c -f -- \"$word\"))\n"
          "        return\n"
          "    fi\n"
          "    case $before in\n",
          file);
    print_bash_values(file);
    fputs("    ctl) COMPREPLY=($(compgen -W \"", file);
    print_controls(file);
    fputs("\" -- \"$word\")); return 0 ;;\n"
          "    esac\n"
          "    if [[ $word == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"",
          file);
    for (unsigned i = 0; i < tui_options_count; i++) {
        const struct tui_option *option = &tui_options_table[i];
        fprintf(file, "%s--%s", i ? " " : "", option->name);
        if (option->letter)
            fprintf(file, " -%c", option->letter);
    }
    fputs("\" -- \"$word\"))\n"
          "    elif ((COMP_CWORD == 1)) || [ \"$before\" = help ]; then\n"
          "        COMPREPLY=($(compgen -W \"",
          file);
    print_commands(file);
    fputs(" $(_proftop_pids)\" -- \"$word\"))\n"
          "    else\n"
          "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
          "    fi\n"
          "}\n"
          "complete -o filenames -F _proftop proftop\n",
          file);
}

/* ----------------------------------------------------------------------------------------- zsh */

/* Prints the specification of an option for _arguments. */
static void print_zsh_option(FILE *file, const struct tui_option *option, bool letter)
{
    static const char *const actions[] = {[KIND_OTHER] = " ",
                                          [KIND_FILE] = "_files",
                                          [KIND_PID] = "_proftop_pids",
                                          [KIND_HOST] = "_hosts"};
    if (letter)
        fprintf(file, "        '*-%c[", option->letter);
    else
        fprintf(file, "        '*--%s%s[", option->name, option->value ? "=" : "");
    print_quoted(file, option->help, QUOTE, "[]:");
    fputs("]", file);
    if (option->value) {
        const enum kind kind = kind_of(option);
        fprintf(file, ":%s:", option->value);
        if (kind < KIND_COLUMN)
            fputs(actions[kind], file);
        else if (kind == KIND_WORDS)
            fprintf(file, "(%s)", option->words);
        else {
            fputc('(', file);
            print_columns(file);
            fputc(')', file);
        }
    }
    fputs("' \\\n", file);
}

static void print_zsh(FILE *file)
{
    fputs("#compdef proftop\n"
          "# Completion of proftop for zsh. proftop --print-completion zsh makes it.\n"
          "_proftop_pids() {\n"
          "    compadd -- ${(f)\"$(proftop -l 2>/dev/null | sed -n 's/^ *\\([0-9][0-9]*\\) "
          ".*/\\1/p')\"}\n"
          "}\n"
          "_proftop_words() {\n"
          "    local -a commands=(\n",
          file);
    for (unsigned i = 0; i < tui_commands_count; i++) {
        fprintf(file, "        '%s:", tui_commands[i].word);
        print_quoted(file, tui_commands[i].help, QUOTE, ":");
        fputs("'\n", file);
    }
    fputs("    )\n"
          "    _describe command commands\n"
          "    _proftop_pids\n"
          "}\n"
          "_proftop_rest() {\n"
          "    case $words[1] in\n"
          "    run) shift words; ((CURRENT--)); _normal ;;\n"
          "    ctl) ((CURRENT == 2)) && compadd -- ",
          file);
    print_controls(file);
    fputs(" || _files ;;\n"
          "    help) compadd -- ",
          file);
    print_commands(file);
    fputs(" ;;\n"
          "    *) _files ;;\n"
          "    esac\n"
          "}\n"
          "_proftop() {\n"
          "    _arguments \\\n",
          file);
    for (unsigned i = 0; i < tui_options_count; i++) {
        if (tui_options_table[i].letter)
            print_zsh_option(file, &tui_options_table[i], true);
        print_zsh_option(file, &tui_options_table[i], false);
    }
    fputs("        '1: :_proftop_words' \\\n"
          "        '*:: :_proftop_rest'\n"
          "}\n"
          "_proftop \"$@\"\n",
          file);
}

/* ---------------------------------------------------------------------------------------- fish */

static void print_fish(FILE *file)
{
    fputs("# Completion of proftop for fish. proftop --print-completion fish makes it.\n"
          "function __proftop_pids\n"
          "    proftop -l 2>/dev/null | string match -rg '^ *([0-9]+) '\n"
          "end\n",
          file);
    for (unsigned i = 0; i < tui_commands_count; i++) {
        fprintf(file, "complete -c proftop -f -n __fish_use_subcommand -a %s -d '",
                tui_commands[i].word);
        print_quoted(file, tui_commands[i].help, QUOTE_FISH, "");
        fputs("'\n", file);
    }
    fputs("complete -c proftop -f -n __fish_use_subcommand -a '(__proftop_pids)'\n"
          "complete -c proftop -f -n '__fish_seen_subcommand_from ctl' -a '",
          file);
    print_controls(file);
    fputs("'\n"
          "complete -c proftop -n '__fish_seen_subcommand_from run' -a "
          "'(__fish_complete_subcommand)'\n",
          file);
    for (unsigned i = 0; i < tui_options_count; i++) {
        const struct tui_option *option = &tui_options_table[i];
        fprintf(file, "complete -c proftop -l %s", option->name);
        if (option->letter)
            fprintf(file, " -s %c", option->letter);
        if (option->value) {
            const enum kind kind = kind_of(option);
            fputs(kind == KIND_FILE ? " -r -F" : " -x", file);
            if (kind == KIND_PID)
                fputs(" -a '(__proftop_pids)'", file);
            if (kind == KIND_HOST)
                fputs(" -a '(__fish_print_hostnames)'", file);
            if (kind >= KIND_COLUMN) {
                fputs(" -a '", file);
                if (kind == KIND_WORDS)
                    fputs(option->words, file);
                else
                    print_columns(file);
                fputc('\'', file);
            }
        }
        fputs(" -d '", file);
        print_quoted(file, option->help, QUOTE_FISH, "");
        fputs("'\n", file);
    }
}

void tui_completion_print(FILE *file, const char *shell)
{
    static const struct {
        const char *shell;
        void (*print)(FILE *file);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (unsigned i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(shells[i].shell, shell) == 0)
            shells[i].print(file);
}
