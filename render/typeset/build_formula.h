/* Which builder stands for which kind of node: the first file to open of this pass. */
#pragma once

#include "render/typeset/layout_state.h"

G_BEGIN_DECLS

extern const TgBuildNode tg_builders[TG_N_NODE_KINDS];

G_END_DECLS
