/* The classes that TeX puts atoms into: spacing between atoms follows from them. */
#pragma once

/** Class of an atom (The TeXbook, chapter 17); the order is that of its table of spaces. */
typedef enum {
    TG_CLASS_ORD,   /**< x, 1, \alpha, a {group} */
    TG_CLASS_OP,    /**< \sum, \lim */
    TG_CLASS_BIN,   /**< + */
    TG_CLASS_REL,   /**< = */
    TG_CLASS_OPEN,  /**< ( */
    TG_CLASS_CLOSE, /**< ) */
    TG_CLASS_PUNCT, /**< , */
    TG_CLASS_INNER, /**< \left..\right, \ldots */
    TG_CLASS_NONE,  /**< no atom, or one whose class is that of its body */
} TgMathClass;
