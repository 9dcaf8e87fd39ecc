/* The parts of a report's page that are not made from data: page.css and page.js, as strings. */
#pragma once

extern const char tg_page_css[];
extern const char tg_page_js[];
