/* The parts of a document that are not text: comments, code, package code. */
#pragma once

#include <glib.h>

/**
 * Overwrite with spaces what is not text: comments with the end of their line, `\iffalse` to `\fi`,
 * verbatim text, package code. Every other byte keeps its position.
 */
void tg_document_clean_latex(char *text, gsize len);

/** The same for code, in blocks and in lines, and HTML comments. */
void tg_document_clean_markdown(char *text, gsize len);
