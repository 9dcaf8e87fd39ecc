"""The reward for verl, loaded from its path by verl's own loader, and called as verl calls it.

Of verl's package only the module of the loader is imported, which needs no torch and no Ray.
"""

import importlib.util
import pathlib

import pytest
import texgauge.rewards

PACKAGE = importlib.util.find_spec("verl")
if PACKAGE is None:
    pytest.skip("verl is not installed", allow_module_level=True)


@pytest.fixture(scope="module")
def load():
    path = pathlib.Path(PACKAGE.origin).parent / "utils/import_utils.py"
    spec = importlib.util.spec_from_file_location("verl_import_utils", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return lambda name: module.load_extern_object(
        module_path=texgauge.rewards.__file__, object_name=name
    )


def test_one_sample(load):
    """As NaiveRewardManager.run_single() calls custom_reward_function, with its reward_kwargs."""
    result = load("compute_score")(
        data_source="crohme",
        solution_str=r"The formula is \boxed{x_2}.",
        ground_truth="x_{2}",
        extra_info={"num_turns": None, "rollout_reward_scores": {}},
        reward_router_address="localhost:1",
        reward_model_tokenizer=None,
        metric={"cdm": 0.5, "forte": 0.5},
    )
    assert result["score"] == 1
    assert result["reason"] == "ok"


def test_a_batch(load):
    results = load("compute_score_batch")(
        data_sources=["a", "b"],
        solution_strs=["$x^2$", "I cannot read it"],
        ground_truths=["x^{2}", "y"],
        extra_infos=[{}, {}],
        metric="cdm",
    )
    assert [result["score"] for result in results] == [1, 0]
    assert results[1]["reason"] != "ok"
