/* Envs as those who call metrics see them; what metrics may ask is in <texgauge/env.h>. */
#pragma once

#include <texgauge/env.h>

#include "core/arena.h"

TgEnv *tg_env_new(void);

/** An env for another thread of the same run: it finds and keeps drawings where @env does. */
TgEnv *tg_env_new_beside(const TgEnv *env);
void tg_env_free(TgEnv *env);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgEnv, tg_env_free)

/**
 * Drop what was made for the pair before: tokens, canonical forms, scratch memory. Called before
 * each pair, not between the metrics of one pair.
 */
void tg_env_next_pair(TgEnv *env);

/**
 * Drop the tokens and canonical forms made so far, of a metric that was cut short. Scratch memory
 * stays: it may hold the pair itself.
 */
void tg_env_forget_texts(TgEnv *env);

/** The arena behind tg_env_scratch(), reset by tg_env_next_pair(). */
TgArena *tg_env_arena(TgEnv *env);
