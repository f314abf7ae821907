# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""transformers_jobs.py JOB [--truth FILE] [--folder FOLDER] [--wait]: a small language model of the
package transformers, made by its configuration, with random weights.

JOB is `trains` (by its Trainer, which writes into FOLDER), or `generates`.

--truth FILE  writes JSON: {"ops": {name: calls}, "modules": {path: calls}, "log": what the Trainer
              has logged, "samples": rows of its batches, "tokens": their words}. The ops are
              counted by torch.profiler from the import to the end, the modules by hooks.
--wait        prints "ready" once the model is made, and "done" at the end, and waits each time for
              a line of input"""
import argparse
import collections
import json

import torch
import transformers
from transformers import Trainer, TrainingArguments

from torch_jobs import say_and_wait

WORDS, LENGTH, ROWS, NEW = 64, 12, 24, 10
STEPS, ACCUMULATED, BATCH = 5, 2, 4


def model_of(kind):
    """A model of two layers."""
    common = {"vocab_size": WORDS, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": None}
    if kind == "llama":
        return transformers.LlamaForCausalLM(transformers.LlamaConfig(
            hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
            num_key_value_heads=2, **common))
    return transformers.GPT2LMHeadModel(transformers.GPT2Config(
        n_embd=32, n_layer=2, n_head=4, n_positions=64, **common))


class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return ROWS

    def __getitem__(self, index):
        words = torch.arange(index, index + LENGTH) % WORDS
        return {"input_ids": words, "labels": words}


def trains(how, model, truth):
    """Prints what the Trainer prints, and the names of its callbacks."""
    asked = TrainingArguments(
        output_dir=how.folder, max_steps=STEPS, logging_steps=1, report_to=[], use_cpu=True, seed=7,
        per_device_train_batch_size=BATCH, gradient_accumulation_steps=ACCUMULATED,
        save_strategy="steps", save_steps=STEPS, disable_tqdm=True, dataloader_pin_memory=False)

    class Counts(Trainer):
        def training_step(self, model, inputs, *rest):
            truth["samples"] += inputs["input_ids"].size(0)
            truth["tokens"] += inputs["input_ids"].numel()
            return super().training_step(model, inputs, *rest)

    trainer = Counts(model, asked, train_dataset=Rows())
    trainer.train()
    truth["log"] = trainer.state.log_history
    print(trainer.callback_handler.callback_list)
    print(trainer.callback_handler.on_log.__name__, trainer.training_step.__self__ is trainer)


def generates(how, model, truth):  # pylint: disable=unused-argument
    words = torch.arange(1, 1 + LENGTH).repeat(2, 1)
    print(model.eval().generate(words, attention_mask=torch.ones_like(words), do_sample=False,
                                max_new_tokens=NEW).tolist())


def count_modules(model, counts):
    root = type(model).__name__
    for path, one in model.named_modules():
        kind = type(one).__name__
        name = "%s.%s (%s)" % (root, path, kind) if path else root
        one.register_forward_pre_hook(lambda *unused, name=name: counts.update([name]))


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("job", choices=["trains", "generates"])
    asked.add_argument("--model", default="gpt2")
    asked.add_argument("--truth")
    asked.add_argument("--folder")
    asked.add_argument("--wait", action="store_true")
    how = asked.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(7)
    truth, modules = {"samples": 0, "tokens": 0, "log": []}, collections.Counter()
    run = {"trains": trains, "generates": generates}[how.job]
    torch.autograd.profiler_util.EventList._remove_dup_nodes = lambda events: None
    profiler = torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) \
        if how.truth and not how.wait else None
    if profiler:
        profiler.start()
    model = model_of(how.model)
    if how.truth:
        count_modules(model, modules)
    if how.wait:
        say_and_wait("ready")
    run(how, model, truth)
    if how.wait:
        say_and_wait("done")
    if profiler:
        profiler.stop()
        truth["ops"] = {row.key: row.count for row in profiler.key_averages()}
    if how.truth:
        truth["modules"] = modules
        with open(how.truth, "w", encoding="utf-8") as out:
            json.dump(truth, out)


if __name__ == "__main__":
    main()
