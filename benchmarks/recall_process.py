"""Asks a repository questions and prints how long each took: `recall_process ROOT COUNT`."""

from __future__ import annotations

import gc
import json
import random
import sys
import time

from grounded_ingest.git.repository import Repo
from grounded_ingest.repository.repository_state import state_of
from grounded_ingest.retrieval.answer import Recall, RecallQuery
from grounded_ingest.retrieval.bm25 import Lexical
from grounded_ingest.retrieval.session import opened
from grounded_ingest.retrieval.store import JudgedState

SEED, WORDS, STATES = 7, 4, 5


def questions(store: JudgedState, count: int) -> list[str]:
    """Each of words of two claims, as one asks who half remembers."""
    chance = random.Random(SEED)
    documents = sorted(store.marks())
    asked = []
    for _ in range(count):
        blobs = chance.sample(documents, 2)
        stored = store.blobs(blobs)
        words = [chance.choice(stored[b].claims).text.strip(".").split() for b in blobs]
        some = [w for part in words for w in chance.sample(part, min(WORDS, len(part)))]
        asked.append(f"What is the {' '.join(some)}?")
    return asked


def main() -> None:
    root, count = sys.argv[1], int(sys.argv[2])
    answers, cpu, states = [], [], []
    with Repo(root, own=False) as repo, opened(repo):
        pass
    gc.set_threshold(500_000, 20, 20)  # as the command line sets it
    for _ in range(STATES):
        with Repo(root, own=False) as repo:
            begin = time.perf_counter()
            state_of(repo)
            states.append(time.perf_counter() - begin)
    with Repo(root, own=False) as repo, opened(repo) as store:
        asked = questions(store, count)
        Recall(store, Lexical(store)).answer(RecallQuery("port"))  # tables of words are made once
        for question in asked:
            begin, used = time.perf_counter(), time.process_time()
            Recall(store, Lexical(store)).answer(RecallQuery(question, pending=True))
            answers.append(time.perf_counter() - begin)
            cpu.append(time.process_time() - used)
    print(json.dumps({"answers": answers, "cpu": cpu, "states": states, "question": asked[0]}))


if __name__ == "__main__":
    main()
