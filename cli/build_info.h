/* What the program was built with and finds. */
#pragma once

#include "cli/cli.h"

/** Print the versions of the libraries, and the fonts and data files with their checksums. */
void cli_print_build(void);
