"""Names of arguments: old ones, and the program's options that they stand for."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from typing import ParamSpec  # Python 3.9 has none

    P = ParamSpec("P")

ONE_PAIR = {
    "gt": "reference",
    "truth": "reference",
    "references": "reference",
    "pred": "prediction",
    "predictions": "prediction",
}
MANY_PAIRS = {
    "gt": "references",
    "truths": "references",
    "reference": "references",
    "pred": "predictions",
    "prediction": "predictions",
}
R = TypeVar("R")


def renamed(**new_names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a TypeError for an argument's old name say the new one."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return function(*args, **kwargs)
            except TypeError:
                for old in new_names.keys() & kwargs.keys():
                    raise TypeError(
                        f"{function.__name__}() has no argument {old!r}; it is called "
                        f"{new_names[old]!r}"
                    ) from None
                raise

        return call

    return decorate


_FIELDS = {"gt": "reference", "pred": "prediction"}
_KEYWORDS = {
    "all": "all_columns",
    "delimiters": "keep_delimiters",
    "gt": "references",
    "map": "reference or prediction",
    "model": "model_name",
    "pred": "predictions",
    "preference": "preferences",
    "summary": "style",
    "tokens": "token_ids",
}
_FLAGS = ("all", "allow-duplicates", "confidence", "detail", "force", "percent", "with-images")
_SWITCHES = {"delimiters": "keep", "tokens": "ids"}
_LISTS = ("by", "columns", "lower")
_MAP = re.compile(r"--map (?:(['\"])(\w+=.*?)\1|(\w+=[^\s,;)]*(?:,\w+=[^\s,;)]+)*))")
_HUMAN = re.compile(r"--human (\w+)=(\w+(?:,\w+)*)")
_OPTION = re.compile(r"(?<![\w-])(?:eval )?--([a-z]+(?:-[a-z]+)*)(?: ([\w.]+(?:=[\w.]+)?))?")
_SUBJECT = re.compile(r"^[a-z]+(?:-[a-z]+)*(?= (?:takes|must be|lies) )")
_NO_VALUES = ("has", "holds", "it", "keeps", "names", "of", "or", "takes", "to", "and")


def in_python(message: str) -> str:
    """Give a message of the library with Python's keywords instead of the program's options.

    >>> in_python("name their field with --map pred=FIELD")
    "name their field with prediction='FIELD'"
    >>> in_python("or use --force")
    'or use force=True'
    """
    message = _SUBJECT.sub(lambda found: _name(found[0]), message)
    message = _HUMAN.sub(_groups, _MAP.sub(_fields, message))
    return _OPTION.sub(_keyword, message)


def _name(option: str) -> str:
    return _KEYWORDS.get(option, option.replace("-", "_"))


def _fields(found: re.Match[str]) -> str:
    mapped = found[2] or found[3]
    if mapped == "id=":  # each row is a pair of its own
        return "allow_duplicates=True"
    pairs = (pair.split("=", 1) for pair in mapped.split(","))
    return ", ".join(f"{_FIELDS.get(role, role)}={name!r}" for role, name in pairs)


def _groups(found: re.Match[str]) -> str:
    return f"human={{{found[1]!r}: {found[2].split(',')!r}}}"


def _keyword(found: re.Match[str]) -> str:
    option, value = found.groups()
    name = _name(option)
    if value is not None and _SWITCHES.get(option) == value:
        return f"{name}=True"
    if option in _FLAGS:
        return f"{name}=True" + (f" {value}" if value else "")
    if value is None or value in _NO_VALUES:
        return name + (f" {value}" if value else "")
    return f"{name}=[{value!r}]" if option in _LISTS else f"{name}={value!r}"
