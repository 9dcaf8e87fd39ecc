/* Options of commands by their tables: parsing, help, and what documents are made of. */
#include "cli/cli.h"

#include <jansson.h>
#include <string.h>

#include "core/fail.h"
#include "core/utf8.h"
#include "eval/results/ratings.h"

/* The values of the options that all commands have. In a call they stand before those of the
 * command. */
typedef struct {
    const char *const *plugins;
} Common;

/* The options of a command, then those of all commands, in a Common with the command's struct after
 * it. (transfer full) */
static TgArg *args_of(const CliCommand *command)
{
    const TgArg both[] = {
        { .kind = TG_ARG_TABLE, .offset = sizeof(Common), .table = command->args },
        { "plugin", TG_ARG_LIST, G_STRUCT_OFFSET(Common, plugins),
          "load metrics from a shared object; repeatable; see also TEXGAUGE_PLUGINS", "FILE",
          .file = TG_ARG_READS, .group = "General" },
        { 0 },
    };

    return tg_args_flatten(both);
}

static Common *common_of(const CliCall *call)
{
    return (Common *) call->values - 1;
}

/* The place of an option that the command has. */
static guint find_option(const CliCall *call, const char *name)
{
    guint i = 0;

    while (strcmp(call->args[i].name, name) != 0)
        i++;
    return i;
}

gboolean cli_given(const CliCall *call, const char *name)
{
    return (call->given >> find_option(call, name) & 1) != 0;
}

gboolean cli_check_mode(const CliCall *call, guint mode, const char *why)
{
    for (guint i = 0; call->args[i].kind != TG_ARG_END; i++) {
        const TgArg *arg = &call->args[i];

        if ((call->given >> i & 1) == 0 || arg->modes == 0 || (arg->modes & mode) != 0)
            continue;
        g_autofree char *message = g_strdup_printf("--%s %s", arg->name, why);
        cli_usage(message);
        return FALSE;
    }
    return TRUE;
}

/* ---- parsing ---- */

static gboolean take_option(const char *option, const char *text, gpointer data, GError **error)
{
    CliCall *call = data;
    const char letter = option[1] != '-' ? option[1] : '\0';
    const TgArg *arg = call->args;
    GError *wrong = NULL;

    while (letter != '\0' ? arg->letter != letter : strcmp(arg->name, option + 2) != 0)
        arg++;
    call->given |= (guint64) 1 << (arg - call->args);
    if (tg_arg_set(arg, common_of(call), text, call->pool, &wrong))
        return TRUE;
    g_propagate_prefixed_error(error, wrong, "--");
    return FALSE;
}

void cli_take_ratings(CliCall *call)
{
    const TgArg *ratings = &call->args[find_option(call, "ratings")];
    guint n = 0;

    if (!cli_given(call, "ratings"))
        return;
    for (guint i = 0; call->words[i] != NULL; i++) {
        char *word = call->words[i];

        if (tg_ratings_recognize(word) ||
            (g_str_has_suffix(word, ".json") && g_file_test(word, G_FILE_TEST_IS_REGULAR) &&
             !tg_results_recognize(word))) {
            tg_arg_set(ratings, common_of(call), word, call->pool, NULL);
            g_free(word);
        } else {
            call->words[n++] = word;
        }
    }
    call->words[n] = NULL;
}

/* C has no conversion, and GLib no other member for it. */
static const union {
    GOptionArgFunc function;
    gpointer data;
} as_data = { take_option };

static GOptionContext *new_context(CliCall *call)
{
    const GOptionEntry rest[] = {
        { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &call->words, NULL, NULL },
        { NULL },
    };
    GOptionContext *context = g_option_context_new(NULL);
    GOptionGroup *group = g_option_group_new("", "", "", call, NULL);
    g_autoptr(GArray) entries = g_array_new(TRUE, TRUE, sizeof(GOptionEntry));

    for (const TgArg *arg = call->args; arg->kind != TG_ARG_END; arg++) {
        const gboolean bytes = arg->kind == TG_ARG_FILE || arg->kind == TG_ARG_LIST ||
                               arg->kind == TG_ARG_NAMES || arg->kind == TG_ARG_JOINED;
        const GOptionEntry entry = {
            .long_name = arg->name,
            .short_name = arg->letter,
            .flags = arg->kind == TG_ARG_FLAG ? G_OPTION_FLAG_NO_ARG
                     : bytes                  ? G_OPTION_FLAG_FILENAME
                                              : 0,
            .arg = G_OPTION_ARG_CALLBACK,
            .arg_data = as_data.data,
        };

        g_array_append_val(entries, entry);
    }
    g_assert(entries->len <= 64); /* bits of CliCall.given */
    g_option_group_add_entries(group, (const GOptionEntry *) (void *) entries->data);
    g_option_group_add_entries(group, rest);
    g_option_context_set_main_group(context, group);
    g_option_context_set_help_enabled(context, FALSE);
    return context;
}

static gboolean load_plugins(const char *const *paths, GError **error)
{
    if (!tg_registry_load_environment(error))
        return FALSE;
    for (; paths != NULL && *paths != NULL; paths++)
        if (!tg_registry_load_plugin(*paths, error))
            return FALSE;
    return TRUE;
}

/* Before anything is read: no output is an input or another output. What is found later, such as
 * the files of a folder, is seen when the output is opened. */
static gboolean check_files(const CliCall *call, GError **error)
{
    g_autoptr(GPtrArray) outputs = g_ptr_array_new();

    for (const TgArg *arg = call->args; arg->kind != TG_ARG_END; arg++) {
        gconstpointer member = (const char *) common_of(call) + arg->offset;
        const char *const alone[] = { arg->file != TG_ARG_NO_FILE ? *(const char *const *) member
                                                                  : NULL,
                                      NULL };
        const char *const *texts =
            arg->kind == TG_ARG_LIST ? *(const char *const *const *) member : alone;

        for (; arg->file != TG_ARG_NO_FILE && texts != NULL && *texts != NULL; texts++)
            if (arg->file == TG_ARG_READS)
                tg_run_files_note(*texts);
            else
                g_ptr_array_add(outputs, (gpointer) *texts);
    }
    for (guint i = 0; call->command->words_are_files && call->words[i] != NULL; i++)
        tg_run_files_note(call->words[i]);
    for (guint i = 0; i < outputs->len; i++) {
        const char *path = outputs->pdata[i];

        if (!tg_output_check(path, NULL, NULL, error))
            return FALSE;
        for (guint k = 0; k < i; k++)
            if (tg_is_same_file(path, outputs->pdata[k]))
                return tg_fail_usage(error, "%s is named for two outputs", path);
    }
    return TRUE;
}

/* ---- help ---- */

enum { HELP_WIDTH = 80, EXAMPLE_INDENT = 2, USAGE_INDENT = 16, HELP_COLUMN = 26 };

static guint help_width(void)
{
    const guint width = cli_width();

    return width > 0 ? MIN(width, HELP_WIDTH) : HELP_WIDTH;
}

/* One paragraph a line. */
static void append_paragraphs(GString *out, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);

    for (guint i = 0; lines[i] != NULL; i++)
        tg_wrap_append(out, lines[i], 0, help_width());
}

/* Commands that may be copied: a shell takes a backslash at the end of a line. */
static void append_examples(GString *out, char **commands, guint from, guint to)
{
    for (guint i = from; i < to && commands[i] != NULL; i++) {
        g_autoptr(GString) wrapped = g_string_new(NULL);
        g_autofree char *line = g_strdup_printf("%*s%s", EXAMPLE_INDENT, "", commands[i]);

        tg_wrap_append(wrapped, line, 2 * EXAMPLE_INDENT, help_width() - 2);
        g_auto(GStrv) lines = g_strsplit(g_strchomp(wrapped->str), "\n", -1);
        g_autofree char *joined = g_strjoinv(" \\\n", lines);
        g_string_append_printf(out, "%s\n", joined);
    }
}

/* "Do this." of "do this" */
static void append_sentence(GString *out, const char *summary)
{
    g_autofree char *sentence = g_strdup_printf("%c%s.", g_ascii_toupper(*summary), summary + 1);

    tg_wrap_append(out, sentence, 0, help_width());
}

/* @head: "Usage:", or spaces where another form of the command is above */
static void append_usage(GString *out, const char *head, const char *owner,
                         const CliCommand *command)
{
    g_auto(GStrv) usages = g_strsplit(command->usage, " | ", -1);

    for (guint i = 0; usages[i] != NULL; i++) {
        g_autofree char *line =
            g_strdup_printf("%s texgauge %s%s [OPTION...] %s", i == 0 ? head : "      ", owner,
                            command->name, usages[i]);

        tg_wrap_append(out, line, USAGE_INDENT, help_width());
    }
}

/* @group: the heading of the options that are above; NULL: none are */
static void append_option(GString *out, const TgArg *arg, const char **group)
{
    const char *heading = arg->group != NULL ? arg->group : *group != NULL ? *group : "Options";
    const char letter[] = { '-', arg->letter, ',', ' ', '\0' };
    g_autofree char *name = g_strdup_printf("  %s--%s%s%s", arg->letter != '\0' ? letter : "",
                                            arg->name, arg->argument != NULL ? "=" : "",
                                            arg->argument != NULL ? arg->argument : "");
    const gboolean fits = strlen(name) + 2 <= HELP_COLUMN;
    g_autofree char *line = g_strdup_printf("%-*s%s", HELP_COLUMN, fits ? name : "", arg->help);

    if (g_strcmp0(heading, *group) != 0)
        g_string_append_printf(out, "\n%s:\n", heading);
    *group = heading;
    if (!fits)
        g_string_append_printf(out, "%s\n", name);
    tg_wrap_append(out, line, HELP_COLUMN, help_width());
}

/* Print the purpose of the command, two examples, all its forms, its options by purpose, the rest.
 */
static int print_help(const CliCommand *command, const TgArg *args)
{
    g_autoptr(GString) out = g_string_new(NULL);
    g_auto(GStrv) examples = g_strsplit(command->examples, "\n", -1);
    const char *part = strrchr(g_get_prgname(), ' ');
    g_autofree char *owner = g_strndup(g_get_prgname(), (gsize) (part - g_get_prgname()) + 1);
    const char *group = NULL;

    append_sentence(out, command->summary);
    g_string_append_c(out, '\n');
    append_examples(out, examples, 0, 2);
    g_string_append_c(out, '\n');
    append_usage(out, "Usage:", strchr(owner, ' ') + 1, command);
    g_string_append_c(out, '\n');
    append_paragraphs(out, command->description);
    for (const TgArg *arg = args; arg->kind != TG_ARG_END; arg++)
        append_option(out, arg, &group);
    tg_wrap_append(out, "  -h, --help              print this help", HELP_COLUMN, help_width());
    if (g_strv_length(examples) > 2)
        g_string_append(out, "\nMore examples:\n");
    append_examples(out, examples, 2, G_MAXUINT);
    if (command->notes != NULL)
        g_string_append_c(out, '\n');
    append_paragraphs(out, command->notes);
    return cli_print(out->str);
}

static gboolean asks_for_help(char **argv)
{
    for (guint i = 1; argv[i] != NULL && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return TRUE;
    return FALSE;
}

/* ---- commands ---- */

const CliCommand *cli_find(const CliCommand *const *commands, const char *name)
{
    for (guint i = 0; name != NULL && commands[i] != NULL; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int run_part(const CliCommand *command, int argc, char **argv)
{
    const CliCommand *part = cli_find(command->parts, argc > 1 ? argv[1] : NULL);
    g_autoptr(GString) help = g_string_new(NULL);

    if (part != NULL) {
        g_autofree char *name = g_strconcat(argv[0], " ", part->name, NULL);

        g_set_prgname(name);
        argv[1] = argv[0];
        return cli_run(part, argc - 1, argv + 1);
    }
    append_sentence(help, command->summary);
    g_string_append_c(help, '\n');
    for (guint i = 0; command->parts[i] != NULL; i++) {
        g_auto(GStrv) examples = g_strsplit(command->parts[i]->examples, "\n", -1);

        append_examples(help, examples, 0, 1);
    }
    g_string_append_c(help, '\n');
    for (guint i = 0; command->parts[i] != NULL; i++) {
        g_autofree char *owner = g_strconcat(command->name, " ", NULL);

        append_usage(help, i == 0 ? "Usage:" : "      ", owner, command->parts[i]);
    }
    g_string_append_printf(help, "\n'texgauge %s PART --help' describes a part.\n", command->name);
    if (asks_for_help(argv))
        return cli_print(help->str);
    cli_message("%s", g_strchomp(help->str));
    return EXIT_USAGE;
}

/* After "Unknown option --NAME", the option of that command that may be meant. */
static void say_nearest(const TgArg *args, const GError *error)
{
    const char *dashes = strstr(error->message, "--");
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    if (!g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION) || dashes == NULL)
        return;
    for (const TgArg *arg = args; arg->kind != TG_ARG_END; arg++)
        g_ptr_array_add(names, (gpointer) arg->name);
    g_ptr_array_add(names, NULL);
    g_autofree char *word = g_strndup(dashes + 2, strcspn(dashes + 2, "= "));
    const char *meant = tg_nearest_name(word, (const char *const *) names->pdata);
    if (meant != NULL)
        fprintf(stderr, "Did you mean '--%s'?\n", meant);
}

int cli_run(const CliCommand *command, int argc, char **argv)
{
    if (command->parts != NULL)
        return run_part(command, argc, argv);

    g_autofree TgArg *args = args_of(command);
    g_autoptr(GPtrArray) pool = g_ptr_array_new_with_free_func(g_free);
    g_autofree Common *common = g_malloc0(sizeof *common + command->size);
    CliCall call = { .command = command, .args = args, .values = common + 1, .pool = pool };
    g_autoptr(GOptionContext) context = new_context(&call);
    GError *error = NULL;
    int status;

    if (asks_for_help(argv))
        return print_help(command, args);
    if (command->initial != NULL)
        memcpy(call.values, command->initial, command->size);
    tg_args_preset(args, common, pool);
    const gboolean parsed = g_option_context_parse(context, &argc, &argv, &error);
    if (call.words == NULL)
        call.words = g_new0(char *, 1);
    if (parsed && check_files(&call, &error) && load_plugins(common->plugins, &error)) {
        status = command->run(&call);
        cli_progress_clear();
    } else {
        g_autoptr(GError) copy = g_error_copy(error);

        status = cli_fail(error);
        say_nearest(args, copy);
        if (!parsed)
            fprintf(stderr, "Try '%s --help'.\n", g_get_prgname());
    }
    g_strfreev(call.words);
    return status;
}

/* ---- what documents are made of ---- */

static json_t *describe_arg(const TgArg *arg)
{
    const char letter[] = { arg->letter, '\0' };
    static const char *const files[] = { NULL, "input", "output" };
    json_t *choices = arg->choices != NULL ? json_array() : NULL;

    for (guint i = 0; choices != NULL && arg->choices[i] != NULL; i++)
        json_array_append_new(choices, json_string(arg->choices[i]));
    return json_pack("{s:s, s:s, s:s?, s:s, s:s*, s:o*}", "name", arg->name, "letter", letter,
                     "argument", arg->argument, "help", arg->help, "file", files[arg->file],
                     "choices", choices);
}

static json_t *describe_command(const CliCommand *command, const char *owner)
{
    g_autofree char *name = g_strconcat(owner, *owner != '\0' ? " " : "", command->name, NULL);
    g_autofree TgArg *args = args_of(command);
    json_t *options = json_array();

    for (const TgArg *arg = args; arg->kind != TG_ARG_END; arg++)
        json_array_append_new(options, describe_arg(arg));
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s*, s:b, s:o}", "name", name, "summary",
                     command->summary, "usage", command->usage, "description", command->description,
                     "examples", command->examples, "notes", command->notes, "words_are_files",
                     command->words_are_files, "options", options);
}

int cli_describe(const CliCommand *const *commands)
{
    json_t *all = json_array();

    for (guint i = 0; commands[i] != NULL; i++) {
        const CliCommand *const alone[] = { commands[i], NULL };
        const CliCommand *const *parts = commands[i]->parts != NULL ? commands[i]->parts : alone;

        for (guint k = 0; parts[k] != NULL; k++)
            json_array_append_new(
                all, describe_command(parts[k], parts == alone ? "" : commands[i]->name));
    }
    return cli_print_json(all, JSON_INDENT(1));
}
