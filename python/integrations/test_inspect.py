"""Inspect: an evaluation with a model that answers from a list."""

import pytest

inspect_ai = pytest.importorskip("inspect_ai")
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from texgauge.integrations.inspect import formula_scorer


# Its own libraries warn, of streams that are not closed and the like.
@pytest.mark.filterwarnings("ignore")
def test_an_evaluation(tmp_path):
    answers = [r"It is \boxed{x^2}.", "$b$"]
    outputs = [ModelOutput.from_content("mockllm/model", text) for text in answers]
    for output in outputs:
        output.usage = ModelUsage()  # else tokens are counted by a table that is downloaded
    model = get_model("mockllm/model", custom_outputs=outputs)
    samples = [Sample(input="?", target="x^{2}"), Sample(input="?", target=["b", "c"])]
    task = inspect_ai.Task(dataset=samples, scorer=formula_scorer("cdm"))
    (log,) = inspect_ai.eval(
        task, model=model, log_dir=str(tmp_path), display="none", max_samples=1
    )
    assert log.status == "success", log.error
    assert log.results.scores[0].metrics["mean"].value == 1.0
    assert {s.scores["texgauge"].answer for s in log.samples} == {"x^2", "b"}
