/* The parts of a report's page that are not made from data, as strings: see page/. */
#pragma once

extern const char tg_page_html[]; /**< with @NAME@ where html.c puts what depends on the report */
extern const char tg_page_css[];
extern const char tg_page_js[];
