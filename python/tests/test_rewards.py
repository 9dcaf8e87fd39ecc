"""Rewards: extraction, reasons, the trainers' signatures, hostile texts."""

import multiprocessing
import pickle
import random
import sys
import threading
import time
import types
import warnings

import pytest
import texgauge
from texgauge import rewards
from texgauge.rewards import Reward, extract_formula

TOKENS = (
    *("<|im_end|>", "<|eot_id|>", "</s>", "<eos>", "<|endoftext|>", "<end_of_turn>"),
    *("<|return|>", "<\uff5cend▁of▁sentence\uff5c>", "<|im_end|>\n<|endoftext|>"),
)


@pytest.mark.parametrize(
    ("completion", "formula", "way"),
    [
        (r"\frac{a}{b}", r"\frac{a}{b}", "bare"),
        (r"\sin x = \text{if } x \text{ is odd}", r"\sin x = \text{if } x \text{ is odd}", "bare"),
        ("TPR = TP/(TP+FN)", "TPR = TP/(TP+FN)", "bare"),
        ("x", "x", "bare"),
        ("nothing here at all", None, "no formula found"),
        ("Sorry.", None, "no formula found"),
        ("The answer is x^2", None, "no formula found"),
        ("Answer: x^2", None, "no formula found"),
        ("答案是x^2", None, "no formula found"),
        (r"so \boxed{a} or \boxed{\frac{1}{2}} done", r"\frac{1}{2}", "boxed"),
        (r"\boxed{\boxed{x} + 1}", r"\boxed{x} + 1", "boxed"),
        (r"\boxed {x\}y}", r"x\}y", "boxed"),
        (r"\boxed{a} then \boxed{never closed", "a", "boxed"),
        ("text\n```latex\nx^2\n```\nmore", "x^2", "fence"),
        ("```\na\n```\n~~~tex\n$$b$$\n~~~", "b", "fence"),
        ("````\n```\nx\n```\n````", "```\nx\n```", "fence"),
        (r"first $$a$$ then $$ b $$ .", "b", "display"),
        (r"first \[ a \] end", "a", "display"),
        (r"a \\[2pt] b $x$", "x", "inline"),
        (
            r"\begin{align*} a &= b \end{align*} ok",
            r"\begin{align*} a &= b \end{align*}",
            "display",
        ),
        (r"costs \$5 and \$6 but $c$", "c", "inline"),
        (r"with \(a\) and \(b\)", "b", "inline"),
        (r"<think>\boxed{1}</think> $2$", "2", "inline"),
        ("<think>$y$</think>\n<answer>\nx^2\n</answer>", "x^2", "bare"),
        ("$y$ <answer>$x$</answer>", "x", "inline"),
        (r"$\boxed{x}+1$", r"\boxed{x}+1", "inline"),
        (r"$$ a + \boxed { x } = 1 $$", r"a + \boxed { x } = 1", "display"),
        (r"\boxed{x}_{1}", r"\boxed{x}_{1}", "bare"),
        (r"$y = a+1 = \boxed{x}$", "x", "boxed"),
        (r"**Answer** - \boxed{x} - is it", "x", "boxed"),
        (r"**\boxed{x}**, *\boxed{x}*. __\boxed{x}__", "x", "boxed"),
        (r"$\boxed{x}$ and $\boxed{y}+1$", "x", "boxed"),
        (r"It is $x^2$: ```" + "\n```python\nprint(x)\n```", "x^2", "inline"),
        ("```\nThe formula is $x^2$.\n```", "x^2", "fence"),
        ("```\na \\text{ if $b$}\n```", r"a \text{ if $b$}", "fence"),
        ("It costs $5 and $6.", None, "no formula found"),
        ("It costs $5-$6.", None, "no formula found"),
        ("It is $ x $ or $ y $.", "y", "inline"),
        ("<thought>$y$</thought>$x$", "x", "inline"),
        ("<Answer>x</Answer>", "x", "bare"),
        *((f"x^2{token}", "x^2", "bare") for token in TOKENS),
        ("<|im_end|>", None, "empty completion"),
        (r"\boxed{y} <answer>in words</answer>", None, "no formula found"),
        ("", None, "empty completion"),
        (" \n ", None, "empty completion"),
        ("<think>x</think>", None, "empty completion"),
        ("<think>It is $x$, wait", None, "empty completion"),
    ],
)
def test_extraction(completion, formula, way):
    assert extract_formula(completion) == (formula, way)


def test_extraction_by_chosen_ways():
    assert extract_formula(r"$a$ \boxed{b}", ["inline", "boxed"]) == ("a", "inline")
    assert extract_formula("no formula", ["boxed", "display"]) == (None, "no formula found")


@pytest.mark.parametrize(
    "unit",
    [
        *(r"\boxed{", r"\boxed", "{", "}", "$", "$$", r"\[", r"\begin{align}", "```\n", "~~~\n"),
        *("<think>", "</think>", "\\", " ", "\0", r"\boxed{}", r"\boxed   ", "</s>", "<", "$5 "),
        *(r"\boxed{}+", r"+\boxed{x}", "<|" * 9, "```python\n", "<\uff5c"),
    ],
)
def test_extraction_of_long_texts_ends_soon(unit):
    """Anything quadratic would take minutes."""
    text = unit * (1_000_000 // len(unit))
    start = time.process_time()
    extract_formula(text)
    assert time.process_time() - start < 5


def test_a_reward_of_each_kind():
    reward = Reward({"exprate": 0.75, "cer": 0.25})
    outcomes = reward.score(
        [r"\boxed{ab}", r"\boxed{ac}", "", r"\boxed{x}", 5], ["ab", "ab", "ab", "", "ab"]
    )
    assert [o.formula for o in outcomes] == ["ab", "ac", None, "x", None]
    assert outcomes[0].reward == 1.0
    assert outcomes[1].reward == 0.25 * 0.5  # one of two characters is wrong
    assert outcomes[2][::2] == (0.0, "empty completion")
    assert outcomes[4][::2] == (0.0, "the completion is no text")


def test_prose_gets_nothing_unless_it_is_wanted():
    prose = ["nothing here at all", "I think that x is the answer"]
    truths = ["x", "x"]
    for metric in ("forte", "edit", "bleu", "texbleu", "cer"):
        outcomes = Reward(metric).score(prose, truths)
        assert [(o.reward, o.formula, o.reason) for o in outcomes] == [
            (0.0, None, "no formula found")
        ] * 2
        assert rewards.compute_score("", prose[0], "x", metric=metric)["score"] == 0.0
    assert Reward("edit", extract="whole").score(prose, truths)[1].formula == prose[1]


def test_an_empty_completion_gets_nothing():
    """Nor does FORTE give an empty prediction anything: a policy must not live on that."""
    assert texgauge.score(reference="x^2", prediction="", metric="forte") == 0
    assert Reward("forte")(completions=["", " "], ground_truth=["x^2", "x^2"]) == [0.0, 0.0]


def test_what_cannot_be_scored():
    """A bad prediction gets 0; a truth that cannot be scored gets None, whatever the model does."""
    reward = Reward("cdm", extract="whole")
    outcomes = reward.score(["a\0b", "x", "x", "a"], ["x", "\ud800", None, "a"])
    assert [outcome.reward for outcome in outcomes] == [0.0, None, None, 1.0]
    assert outcomes[0].reason == "a formula is not UTF-8"
    assert outcomes[1].reason == "the reference cannot be scored: a formula is not UTF-8"
    assert outcomes[2].reason == "the reference cannot be scored: no reference"


def test_trl_calls_with_everything_it_has():
    extra, metrics = {}, {}
    reward = Reward("edit")
    completions = [
        [{"role": "assistant", "content": "$a$"}],
        [{"role": "assistant", "content": [{"type": "text", "text": "$b$"}]}],
    ]
    given = reward(
        prompts=[[{"role": "user", "content": "?"}]] * 2,
        completions=completions,
        completion_ids=[[1], [2]],
        trainer_state=None,
        log_extra=extra.__setitem__,
        log_metric=metrics.__setitem__,
        ground_truth=["a", "a"],
        image=["x", "y"],
    )
    assert given == [1.0, 0.0]
    assert extra["reward_reason"] == ["ok", "nothing agrees with the reference"]
    assert extra["reward_formula"] == ["a", "b"]
    assert metrics == {"texgauge_edit/zeros": 0.5}
    assert reward.__name__ == "texgauge_edit"


def test_the_column_of_truths():
    assert Reward("edit", reference="mine")(completions=["a"], mine=["a"], gt=["b"]) == [1.0]
    assert Reward("edit")(completions=["a"], solution=[["b", "a"]]) == [1.0]
    with pytest.raises(ValueError, match="no column of references"):
        Reward("edit")(completions=["a"], other=["a"])


def test_verl_calls_single_and_batch():
    one = rewards.compute_score("set", "$a$", "a", None, metric="edit", more=1)
    assert one == {"score": 1.0, "reason": "ok", "edit": 1.0}
    many = rewards.compute_score_batch(
        data_sources=["s"] * 2,
        solution_strs=["$a$", ""],
        ground_truths=["a", {"ground_truth": "a"}],
        extra_infos=[None, None],
        metric={"edit": 2, "exprate": 1},
    )
    assert [row["score"] for row in many] == [3.0, 0.0]
    assert many[1]["reason"] == "empty completion"
    assert rewards.compute_score("set", "x", None)["score"] == 0.0


def test_verl_gets_the_same_keys_for_every_sample():
    rows = rewards.compute_score_batch(["s"] * 2, ["$x$"] * 2, ["x", ""], metric={"edit": 1})
    assert [row["score"] for row in rows] == [1.0, 0.0]
    assert rows[0].keys() == rows[1].keys() == {"score", "reason", "edit"}
    assert rewards.compute_score("s", "$y$", "x", metric="reason=edit")["reason"] != 0


def test_a_slip_in_an_arguments_name_is_told():
    with pytest.warns(UserWarning, match="no argument 'metrics': is 'metric' meant"):
        rewards.compute_score("s", "$x$", "x", metrics="edit")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rewards.compute_score("s", "$x$", "x", reward_router_address="x", extra_infos=None)


def test_openrlhf_is_not_paid_for_the_prompt(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(tensor=list))
    prompt = "Write $x$: "
    queries = [f"<s>{prompt}I do not know", f"<s>{prompt}$x$</s>", f"{prompt}{prompt}", "$x$"]
    with pytest.warns(UserWarning, match="not in its query"):
        given = rewards.reward_func(queries, [prompt] * 4, ["x"] * 4)
    assert given["rewards"] == [0.0, 1.0, 1.0, 0.0]
    given = rewards.reward_func(["$x$"] * 2, [""] * 2, ["", "x"], metric="edit")
    assert given["extra_logs"] == {"edit": [0.0, 1.0]}


@pytest.mark.parametrize("truth", ["", " ", "$$", r"\quad", r"\[ \]", ["", "{}"], []])
def test_nothing_is_paid_for_an_empty_reference(truth):
    for completion in ("$x$", "{}", ""):
        (outcome,) = Reward("forte").score([completion], [truth])
        assert outcome.reward is None
        assert outcome.reason == "the reference cannot be scored: no formula is in it"


def test_the_best_of_references_counts_without_empty_ones():
    assert Reward("forte").score(["$x$"], [["", "x"]])[0].reward == 1.0


def test_in_a_thread_and_in_a_process():
    got = []
    thread = threading.Thread(target=lambda: got.append(rewards.compute_score("s", "x", "x")))
    thread.start()
    thread.join()
    assert got[0]["score"] == 1.0
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(rewards.compute_score, ("s", "x", "x"))["score"] == 1.0


def test_rewards_survive_pickling():
    reward = pickle.loads(pickle.dumps(Reward({"edit": 2.0}, extract=["whole"], threads=2)))
    assert reward(completions=["a"], gt=["a"]) == [2.0]


def test_wrong_arguments():
    with pytest.raises(ValueError, match="extract knows boxed"):
        Reward("edit", extract="no")
    with pytest.raises(texgauge.Error):
        Reward("nope")
    with pytest.raises(ValueError, match="1 completions, but 2 references"):
        Reward("edit").score(["a"], ["a", "b"])


def test_an_extraction_that_raises_gets_nothing():
    outcome = Reward("edit", extract=lambda text: 1 / 0).score(["a"], ["a"])[0]
    assert outcome[::2] == (0.0, "extraction raised ZeroDivisionError: division by zero")


@pytest.mark.parametrize("metric", ["forte", "cdm", "olmocr", "bleu", "exprate"])
def test_hostile_texts(metric):
    """Random Unicode, surrogates and NUL among it, and nested braces: no exception, a reason."""
    rng = random.Random(1)
    texts = ["".join(map(chr, rng.choices(range(sys.maxunicode), k=200))) for _ in range(50)]
    texts += ["{" * 5000, "}" * 5000, r"\frac" * 2000, r"\left(" * 2000, "$" * 999, "x^" * 3000]
    texts += [r"\sqrt{" * 400 + "}" * 400, r"\begin{matrix}" * 300, "\\" * 3001, "a" * 300_000]
    outcomes = Reward(metric, threads=2).score(texts, ["x^2"] * len(texts))
    assert all(outcome.reward is not None and 0 <= outcome.reward <= 1 for outcome in outcomes)
    assert all(outcome.reward or outcome.reason != "ok" for outcome in outcomes)


def test_a_pair_that_takes_too_long_gets_nothing():
    slow = " ".join(str(i) for i in range(20_000))
    other = " ".join(str(i) for i in range(20_000, 0, -1))
    reward = Reward("edit:tokenize=words", extract="whole", pair_timeout=0.001)
    (outcome,) = reward.score([slow], [other])
    assert outcome.reward == 0
    assert outcome.reason.startswith("too-long")
    # nor is the reference at fault if it would take as long
    reward = Reward("cdm", extract="whole", pair_timeout=1e-6)
    text = "+".join(f"x_{{{i}}}" for i in range(300))
    (outcome,) = reward.score([f"{text}+y"], [text])
    assert (outcome.reward, outcome.reason[:8]) == (0, "too-long")


def test_olmocr_is_a_reward():
    reward = Reward("olmocr")
    texts = ["$x_2$", "$y$", r"$\mbox{x}^2$", ""]
    assert reward(completions=texts, ground_truth=["x^2"] * 4) == [1.0, 0.0, 0.0, 0.0]
