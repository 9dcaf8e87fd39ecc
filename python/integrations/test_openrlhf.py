"""OpenRLHF: its own executor loads the reward from a file and calls it in a thread.

Of its package only the module of the executor is imported, which needs no Ray, vLLM or GPU; engine
and tokenizer are stand-ins.
"""

import asyncio
import importlib.util
import pathlib
import sys
import types

import pytest
import texgauge.rewards

PACKAGE = importlib.util.find_spec("openrlhf")
if PACKAGE is None:
    pytest.skip("openrlhf is not installed", allow_module_level=True)
torch = pytest.importorskip("torch")
FOLDER = pathlib.Path(PACKAGE.origin).parent


@pytest.fixture(scope="module")
def agent():
    """openrlhf.utils.agent without openrlhf.utils, which imports the trainers' libraries."""
    sys.modules["openrlhf.utils"] = types.ModuleType("openrlhf.utils")
    sys.modules["openrlhf.utils"].__path__ = [str(FOLDER / "utils")]
    yield importlib.import_module("openrlhf.utils.agent")
    for name in [name for name in sys.modules if name.startswith("openrlhf")]:
        del sys.modules[name]


class Tokenizer:
    """A token is a character."""

    def __call__(self, text, **_):
        return {"input_ids": torch.tensor([[ord(char) for char in text]])}

    def decode(self, tokens, **_):
        return "".join(map(chr, tokens))


class Engine:
    """Answers with what it was made with."""

    def __init__(self, answer):
        self.answer = answer

    async def generate(self, *_, **__):
        tokens = [ord(char) for char in self.answer]
        output = types.SimpleNamespace(token_ids=tokens, finish_reason="stop", logprobs=None)
        return types.SimpleNamespace(outputs=[output])


def run(executor, answer):
    sampling = types.SimpleNamespace(max_tokens=100, logprobs=None)
    return asyncio.run(
        executor.execute("Read $y$: ", "x^{2}", sampling, 1000, Tokenizer(), Engine(answer))
    )


@pytest.fixture(
    params=[
        None,
        "import texgauge.rewards\n"
        "def reward_func(queries, prompts, labels, **more):\n"
        "    metric = {'forte': 0.5, 'cdm': 0.5}\n"
        "    return texgauge.rewards.reward_func(queries, prompts, labels, metric=metric)\n",
    ]
)
def file(request, tmp_path):
    """The file of the package itself, and one that chooses other metrics."""
    if request.param is None:
        return texgauge.rewards.__file__
    path = tmp_path / "my_reward.py"
    path.write_text(request.param, encoding="utf-8")
    return str(path)


def test_ray_calls_it(file):
    """As the trainer does: the module is never in sys.modules."""
    ray = pytest.importorskip("ray")
    spec = importlib.util.spec_from_file_location("reward_func", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)
    try:
        call = ray.remote(module.reward_func).remote(["Q: $x$<|im_end|>"], ["Q: "], ["x"])
        assert ray.get(call, timeout=100)["rewards"].tolist() == [1.0]
    finally:
        ray.shutdown()


def test_a_sample_gets_its_reward(agent, file):
    executor = agent.SingleTurnAgentExecutor(file)
    right, wrong, none = (run(executor, answer) for answer in (r"\boxed{x^2}", "$x_2$", " "))
    assert torch.tensor([right["reward"]]).tolist() == [1.0]
    assert 0 < right["scores"].item() - wrong["scores"].item() < 1
    assert none["reward"].item() == 0
    for output in (right, wrong, none):
        assert {"forte"} <= set(output["extra_logs"])
        for value in output["extra_logs"].values():
            assert isinstance(value.flatten()[0].item(), float)
