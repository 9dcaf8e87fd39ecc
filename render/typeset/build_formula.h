/* The builder of each kind of node. */
#pragma once

#include "render/typeset/layout_state.h"

G_BEGIN_DECLS

extern const TgBuildNode tg_builders[TG_N_NODE_KINDS];

G_END_DECLS
