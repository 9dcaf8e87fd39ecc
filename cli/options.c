/* Options of commands by their tables: parsing, help, and what documents are made of. */
#include "cli/cli.h"

#include <jansson.h>
#include <string.h>

#include "core/fail.h"
#include "core/utf8.h"

typedef struct {
    GPtrArray *plugins; /* of char * */
    CliCall call;
} Parse;

static const TgArg common[] = {
    { "plugin", TG_ARG_LIST, 0,
      "load metrics from a shared object; repeatable; see also TEXGAUGE_PLUGINS", "FILE",
      .file = TG_ARG_READS, .group = "General" },
    { 0 },
};

gboolean cli_given(const CliCall *call, const char *name)
{
    gpointer values = call->values;
    guint place = 0;

    return tg_args_find(call->command->args, name, 0, &values, &place) != NULL &&
           (call->given >> place & 1) != 0;
}

/* Visit the options of @table and those inside it. */
typedef void Visit(const TgArg *arg, guint place, gpointer data);

static void visit_args(const TgArg *table, guint *place, Visit *visit, gpointer data)
{
    for (const TgArg *arg = table; arg->kind != TG_ARG_END; arg++)
        if (arg->kind == TG_ARG_TABLE)
            visit_args(arg->table, place, visit, data);
        else
            visit(arg, (*place)++, data);
}

typedef struct {
    guint64 given;
    guint mode;
    const char *name; /* of the first one that does not act in the mode */
} Acts;

static void check_mode(const TgArg *arg, guint place, gpointer data)
{
    Acts *acts = data;

    if ((acts->given >> place & 1) != 0 && arg->modes != 0 && (arg->modes & acts->mode) == 0 &&
        acts->name == NULL)
        acts->name = arg->name;
}

gboolean cli_check_mode(const CliCall *call, guint mode, const char *why)
{
    Acts acts = { call->given, mode, NULL };
    guint place = 0;

    visit_args(call->command->args, &place, check_mode, &acts);
    if (acts.name == NULL)
        return TRUE;
    g_autofree char *message = g_strdup_printf("--%s %s", acts.name, why);
    cli_usage(message);
    return FALSE;
}

/* ---- parsing ---- */

static gboolean take_option(const char *option, const char *text, gpointer data, GError **error)
{
    Parse *parse = data;
    CliCall *call = &parse->call;
    const char letter = option[1] != '-' ? option[1] : '\0';
    gpointer values = call->values;
    GError *wrong = NULL;
    guint place = 0;

    if (strcmp(option, "--plugin") == 0) {
        g_ptr_array_add(parse->plugins, g_strdup(text));
        return TRUE;
    }
    const TgArg *arg = tg_args_find(call->command->args, option + 2, letter, &values, &place);
    call->given |= (guint64) 1 << place;
    if (tg_arg_set(arg, values, text, call->pool, &wrong))
        return TRUE;
    g_propagate_prefixed_error(error, wrong, "--");
    return FALSE;
}

/* C has no conversion, and GLib no other member for it. */
static const union {
    GOptionArgFunc function;
    gpointer data;
} as_data = { take_option };

static void add_entry(const TgArg *arg, guint place, gpointer entries)
{
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

    g_assert(place < 64); /* bits of CliCall.given */
    g_array_append_val((GArray *) entries, entry);
}

static GOptionContext *new_context(Parse *parse)
{
    const CliCommand *command = parse->call.command;
    const GOptionEntry rest[] = {
        { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &parse->call.words, NULL, NULL },
        { NULL },
    };
    GOptionContext *context = g_option_context_new(NULL);
    GOptionGroup *group = g_option_group_new("", "", "", parse, NULL);
    g_autoptr(GArray) entries = g_array_new(TRUE, TRUE, sizeof(GOptionEntry));
    guint place = 0;

    visit_args(command->args, &place, add_entry, entries);
    visit_args(common, &place, add_entry, entries);
    g_option_group_add_entries(group, (const GOptionEntry *) (void *) entries->data);
    g_option_group_add_entries(group, rest);
    g_option_context_set_main_group(context, group);
    g_option_context_set_help_enabled(context, FALSE);
    return context;
}

static gboolean load_plugins(const GPtrArray *paths, GError **error)
{
    if (!tg_registry_load_environment(error))
        return FALSE;
    for (guint i = 0; i < paths->len; i++)
        if (!tg_registry_load_plugin(paths->pdata[i], error))
            return FALSE;
    return TRUE;
}

/* ---- inputs and outputs ---- */

typedef struct {
    const CliCall *call;
    GPtrArray *inputs, *outputs; /* of const char * */
} Files;

static void collect_files(const TgArg *arg, guint place, gpointer data)
{
    Files *files = data;
    GPtrArray *list = arg->file == TG_ARG_READS ? files->inputs : files->outputs;
    gpointer values = files->call->values;
    guint ignored = 0;

    (void) place;
    if (arg->file == TG_ARG_NO_FILE ||
        tg_args_find(files->call->command->args, arg->name, 0, &values, &ignored) == NULL)
        return;
    gconstpointer member = (const char *) values + arg->offset;
    const char *const alone[] = { *(const char *const *) member, NULL };
    const char *const *texts =
        arg->kind == TG_ARG_LIST ? *(const char *const *const *) member : alone;
    for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
        g_ptr_array_add(list, (gpointer) texts[i]);
}

/* Before anything is read: no output is an input or another output. What is found later, such as
 * the files of a folder, is seen when the output is opened. */
static gboolean check_files(const CliCall *call, const GPtrArray *plugins, GError **error)
{
    g_autoptr(GPtrArray) inputs = g_ptr_array_new(), outputs = g_ptr_array_new();
    Files files = { call, inputs, outputs };
    guint place = 0;

    for (guint i = 0; i < plugins->len; i++)
        g_ptr_array_add(inputs, plugins->pdata[i]);
    visit_args(call->command->args, &place, collect_files, &files);
    for (guint i = 0; call->command->words_are_files && call->words[i] != NULL; i++)
        g_ptr_array_add(inputs, call->words[i]);
    for (guint i = 0; i < inputs->len; i++)
        tg_run_files_note(inputs->pdata[i]);
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

typedef struct {
    GString *out;
    const char *group; /* of the option before; NULL: this is the first */
} Help;

static void append_option(const TgArg *arg, guint place, gpointer data)
{
    Help *help = data;
    const char *group = arg->group != NULL    ? arg->group
                        : help->group != NULL ? help->group
                                              : "Options";
    const char letter[] = { '-', arg->letter, ',', ' ', '\0' };
    g_autofree char *name = g_strdup_printf("  %s--%s%s%s", arg->letter != '\0' ? letter : "",
                                            arg->name, arg->argument != NULL ? "=" : "",
                                            arg->argument != NULL ? arg->argument : "");
    const gboolean fits = strlen(name) + 2 <= HELP_COLUMN;
    g_autofree char *line = g_strdup_printf("%-*s%s", HELP_COLUMN, fits ? name : "", arg->help);

    (void) place;
    if (g_strcmp0(group, help->group) != 0)
        g_string_append_printf(help->out, "\n%s:\n", group);
    help->group = group;
    if (!fits)
        g_string_append_printf(help->out, "%s\n", name);
    tg_wrap_append(help->out, line, HELP_COLUMN, help_width());
}

/* Print the purpose of the command, two examples, all its forms, its options by purpose, the rest.
 */
static int print_help(const CliCommand *command)
{
    g_autoptr(GString) out = g_string_new(NULL);
    g_auto(GStrv) examples = g_strsplit(command->examples, "\n", -1);
    const char *part = strrchr(g_get_prgname(), ' ');
    g_autofree char *owner = g_strndup(g_get_prgname(), (gsize) (part - g_get_prgname()) + 1);
    Help help = { out, NULL };
    guint place = 0;

    append_sentence(out, command->summary);
    g_string_append_c(out, '\n');
    append_examples(out, examples, 0, 2);
    g_string_append_c(out, '\n');
    append_usage(out, "Usage:", strchr(owner, ' ') + 1, command);
    g_string_append_c(out, '\n');
    append_paragraphs(out, command->description);
    visit_args(command->args, &place, append_option, &help);
    visit_args(common, &place, append_option, &help);
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

static void collect_name(const TgArg *arg, guint place, gpointer names)
{
    (void) place;
    g_ptr_array_add(names, (gpointer) arg->name);
}

/* After "Unknown option --NAME", the option of that command that may be meant. */
static void say_nearest(const CliCommand *command, const GError *error)
{
    const char *dashes = strstr(error->message, "--");
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    guint place = 0;

    if (!g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION) || dashes == NULL)
        return;
    visit_args(command->args, &place, collect_name, names);
    visit_args(common, &place, collect_name, names);
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

    g_autoptr(GPtrArray) plugins = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) pool = g_ptr_array_new_with_free_func(g_free);
    g_autofree gpointer values = g_malloc0(command->size);
    Parse parse = { plugins, { .command = command, .values = values, .pool = pool } };
    CliCall *call = &parse.call;
    g_autoptr(GOptionContext) context = new_context(&parse);
    GError *error = NULL;
    int status;

    if (command->initial != NULL)
        memcpy(values, command->initial, command->size);
    tg_args_preset(command->args, values, pool);
    if (asks_for_help(argv))
        return print_help(command);
    const gboolean parsed = g_option_context_parse(context, &argc, &argv, &error);
    if (call->words == NULL)
        call->words = g_new0(char *, 1);
    if (parsed && check_files(call, plugins, &error) && load_plugins(plugins, &error)) {
        status = command->run(call);
    } else {
        g_autoptr(GError) copy = g_error_copy(error);

        status = cli_fail(error);
        say_nearest(command, copy);
        if (!parsed)
            fprintf(stderr, "Try '%s --help'.\n", g_get_prgname());
    }
    g_strfreev(call->words);
    return status;
}

/* ---- what documents are made of ---- */

static void describe_arg(const TgArg *arg, guint place, gpointer list)
{
    const char letter[] = { arg->letter, '\0' };
    static const char *const files[] = { NULL, "input", "output" };
    json_t *json =
        json_pack("{s:s, s:s, s:s?, s:s, s:s*}", "name", arg->name, "letter", letter, "argument",
                  arg->argument, "help", arg->help, "file", files[arg->file]);

    (void) place;
    for (guint i = 0; arg->choices != NULL && arg->choices[i] != NULL; i++) {
        if (i == 0)
            json_object_set_new(json, "choices", json_array());
        json_array_append_new(json_object_get(json, "choices"), json_string(arg->choices[i]));
    }
    json_array_append_new(list, json);
}

static json_t *describe_command(const CliCommand *command, const char *owner)
{
    g_autofree char *name = g_strconcat(owner, *owner != '\0' ? " " : "", command->name, NULL);
    json_t *options = json_array();
    guint place = 0;

    visit_args(command->args, &place, describe_arg, options);
    visit_args(common, &place, describe_arg, options);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s*, s:b, s:o}", "name", name, "summary",
                     command->summary, "usage", command->usage, "description", command->description,
                     "examples", command->examples, "notes", command->notes, "words_are_files",
                     command->words_are_files, "options", options);
}

char *cli_describe(const CliCommand *const *commands)
{
    json_t *all = json_array();

    for (guint i = 0; commands[i] != NULL; i++) {
        const CliCommand *const alone[] = { commands[i], NULL };
        const CliCommand *const *parts = commands[i]->parts != NULL ? commands[i]->parts : alone;

        for (guint k = 0; parts[k] != NULL; k++)
            json_array_append_new(
                all, describe_command(parts[k], parts == alone ? "" : commands[i]->name));
    }
    char *text = json_dumps(all, JSON_INDENT(1));
    json_decref(all);
    char *line = g_strconcat(text, "\n", NULL);
    free(text);
    return line;
}
