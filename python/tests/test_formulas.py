"""canonical, tokens."""

import pytest
import texgauge
from conftest import SAMPLES


def test_canonical_with_and_without_a_rule():
    assert texgauge.canonical(r"a \le b") == r"a\leq b"
    assert texgauge.canonical(r"a \le b", rules="-symbols") == r"a\le b"


def test_canonical_of_unknown_rules():
    with pytest.raises(texgauge.Error, match="nope"):
        texgauge.canonical("a", rules="+nope")


def test_tokens_by_every_rule():
    assert texgauge.tokens(r"\frac a1") == [r"\frac", "a", "1"]
    assert texgauge.tokens("A b", tokenizer="char", lowercase=True) == ["a", "b"]
    with pytest.raises(texgauge.Error, match="nope"):
        texgauge.tokens("a", tokenizer="nope")


def test_a_tokenizer_is_read_once(tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_bytes((SAMPLES.parent / "models/texbleu-default/tokenizer.json").read_bytes())
    first = texgauge.tokens(r"\frac{a}{b}", tokenizer=f"bpe:{path}")
    path.unlink()
    assert "".join(first).replace(" ", "") == r"\frac{a}{b}"
    assert texgauge.tokens(r"\frac{a}{b}", tokenizer=f"bpe:{path}") == first


def test_tokens_of_a_long_text():
    with pytest.raises(texgauge.Error) as caught:
        texgauge.tokens("a" * (1 << 20))
    assert caught.value.code == "data"
