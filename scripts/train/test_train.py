"""Tests of the trainer: python -m unittest discover scripts/train. Those that need MiniLM's weights run where RANKBOX_WEIGHTS is the folder in which
scripts/embed keeps its packages."""

import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "embed")]
import embed  # noqa: E402
import pairs  # noqa: E402


class Pairs(unittest.TestCase):
    def test_sentences(self):
        self.assertEqual(pairs.sentences("Lift grew. It fell (p = 0.05) again.  3 wings were tried."), ["Lift grew.", "It fell (p = 0.05) again.", "3 wings were tried."])
        self.assertEqual(pairs.sentences("  "), [])

    def test_thinned_keeps_order_and_six_words(self):
        words = "a b c d e f g h i j k l".split()
        for seed in range(50):
            kept = pairs.thinned(" ".join(words), random.Random(seed)).split()
            self.assertGreaterEqual(len(kept), 6)
            self.assertEqual(kept, sorted(kept))
        self.assertEqual(pairs.thinned("a b c.", random.Random(1)), "a b c")

    def test_queries_come_from_the_documents_alone_and_again_the_same(self):
        records = [(f"d{i}", f"title number {i} of these", f"The first sentence of document {i} has words. The second of number {i} has some words more.") for i in range(60)]
        made = pairs.queries(records, 1, 7)
        self.assertEqual(made, pairs.queries(records, 1, 7))
        self.assertNotEqual(made, pairs.queries(records, 1, 8))
        self.assertEqual({q["source"] for q in made if q["dev"]}, {0, 30})
        for q in made:
            _, title, text = records[q["source"]]
            self.assertLessEqual(set(q["text"].rstrip(".").split()), set((title + " " + text).replace(".", "").split()))


@unittest.skipUnless(os.environ.get("RANKBOX_WEIGHTS"), "RANKBOX_WEIGHTS is not set: the folder in which scripts/embed keeps the packages of weights")
class Training(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.path = Path(made.name)
        chance = random.Random(3)
        words = "wing flow heat lift drag wave shock layer plate cone speed mach nose tail skin tube".split()
        say = lambda n: " ".join(chance.choice(words) for _ in range(n)).capitalize()
        with open(self.path / "corpus.jsonl", "w") as out:
            for i in range(40):
                out.write(json.dumps({"_id": f"d{i}", "title": say(4), "text": f"{say(9)}. {say(9)}. {say(9)}."}) + "\n")
        for name, rows in (("pairs", range(30)), ("dev", range(30, 34))):
            with open(self.path / f"{name}.jsonl", "w") as out:
                for i in rows:
                    pool = [i, *chance.sample([d for d in range(40) if d != i], 25)]
                    out.write(json.dumps({"text": say(8), "source": i, "cut": 0, "pool": pool, "teacher": [3 - k / 10 for k in range(26)], "far": 39}) + "\n")

    def train(self, work, steps):
        work.mkdir(exist_ok=True)
        for name in ("pairs.jsonl", "dev.jsonl"):
            (work / name).write_text((self.path / name).read_text())
        done = subprocess.run([sys.executable, str(HERE / "train.py"), str(self.path), "--work", str(work), "--steps", str(steps), "--queries", "2", "--candidates", "4", "--tokens", "32",
                               "--freeze", "5", "--every", "2", "--dev", "2", "--cache", os.environ["RANKBOX_WEIGHTS"]], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return work / "model"

    def test_a_run_that_was_stopped_ends_as_one_that_was_not(self):
        whole = self.train(self.path / "whole", 8)
        self.train(self.path / "parts", 2)
        import torch
        kept = self.path / "parts" / "checkpoint.pt"
        state = torch.load(kept)
        state["steps"] = 8  # stopped after two of eight: until its last quarter a run does not depend on how many there are
        torch.save(state, kept)
        parts = self.train(self.path / "parts", 8)
        self.assertEqual(*((folder / "model.onnx").read_bytes() for folder in (whole, parts)))

    def test_what_is_written_scores_as_what_was_trained(self):
        import onnx
        import onnxruntime
        import torch

        from crossencoder import CrossEncoder, export
        parts = embed.fetch(embed.MODELS["all-MiniLM-L6-v2"], Path(os.environ["RANKBOX_WEIGHTS"]))
        model = CrossEncoder(parts["onnx"], 6)
        with torch.no_grad():  # a head that is not the one before training
            generator = torch.Generator().manual_seed(5)
            for p in (model.product, model.linear):
                p += torch.randn(p.shape, generator=generator)
            model.bias += 0.5
        ids = torch.from_numpy(np.random.default_rng(1).integers(1000, 30000, (4, 24)))
        mask, types = torch.ones_like(ids), torch.zeros_like(ids)
        mask[1, 20:], types[:, 8:] = 0, 1
        types[1, 20:] = 0
        with torch.no_grad():
            want = model(ids, mask, types).numpy()
        session = onnxruntime.InferenceSession(export(model, parts["onnx"]).SerializeToString(), providers=["CPUExecutionProvider"])
        got = session.run(None, {"input_ids": ids.numpy(), "attention_mask": mask.numpy(), "token_type_ids": types.numpy()})[0][:, 0]
        np.testing.assert_allclose(got, want, atol=0.1)  # training runs in bfloat16, of 8 bits
        self.assertGreater(np.ptp(got), 0.5)


if __name__ == "__main__":
    unittest.main()
