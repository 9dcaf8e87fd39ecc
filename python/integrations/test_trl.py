"""TRL: twenty steps of GRPO with a tiny model, from nothing that would have to be downloaded."""

import math

import pytest

pytest.importorskip("trl")
import tokenizers
import transformers
import trl
from texgauge.rewards import Reward

import datasets

FORMULAS = ["x^2", "a+b", r"\frac{a}{b}", "y_1", "a=b", "x+1", "b^a", "2x"]


def make_tokenizer():
    model = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="<unk>"))
    model.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    model.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        special_tokens=["<unk>", "<pad>", "<eos>"], vocab_size=300
    )
    model.train_from_iterator([f"Read {formula}: ${formula}$" for formula in FORMULAS], trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=model, unk_token="<unk>", pad_token="<pad>", eos_token="<eos>"
    )


@pytest.mark.filterwarnings("ignore")
def test_twenty_steps_of_grpo(tmp_path):
    tokenizer = make_tokenizer()
    transformers.set_seed(1)
    model = transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            vocab_size=len(tokenizer),
            n_positions=64,
            n_embd=32,
            n_layer=1,
            n_head=2,
            bos_token_id=tokenizer.eos_token_id,
            eos_token_id=tokenizer.eos_token_id,
        )
    )
    data = datasets.Dataset.from_dict(
        {"prompt": [f"Read {f}: " for f in FORMULAS] * 8, "ground_truth": FORMULAS * 8}
    )
    reward = Reward({"edit": 0.5, "exprate": 0.5})
    trainer = trl.GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=reward,
        train_dataset=data,
        args=trl.GRPOConfig(
            output_dir=str(tmp_path),
            max_steps=20,
            per_device_train_batch_size=4,
            num_generations=4,
            max_completion_length=8,
            logging_steps=1,
            save_strategy="no",
            report_to=[],
            use_cpu=True,
            learning_rate=1e-3,
        ),
    )
    trainer.train()
    logged = [row for row in trainer.state.log_history if "reward" in row]
    assert len(logged) == 20
    means = [row[f"rewards/{reward.__name__}/mean"] for row in logged]
    assert all(math.isfinite(mean) and 0 <= mean <= 1 for mean in means)
    assert any(mean > 0 for mean in means)
