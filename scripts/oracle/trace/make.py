"""Makes core/intake/trace/testdata/browsecomp: runs of an agent as BrowseComp-Plus writes them, and what its evaluation would say of their retrieval.

Usage: python3 make.py REPOSITORY FOLDER

REPOSITORY is a checkout of https://github.com/texttron/BrowseComp-Plus (made with commit 97c637c). The messages are made up here; its own
search_agent/oss_client.py normalises and writes them. Packages that it imports for calling models are not needed and stubbed.
"""
import json
import os
import sys
import types
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from unittest.mock import MagicMock

REPOSITORY, OUT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


class Stub(MetaPathFinder, Loader):
    """Gives a stub for every package that is not there and not the repository's own."""

    def find_spec(self, name, path, target=None):
        return ModuleSpec(name, self) if name.split('.')[0] not in ('utils', 'prompts') else None

    def create_module(self, spec):
        module = MagicMock(name=spec.name)
        module.__spec__, module.__path__ = spec, []
        return module

    def exec_module(self, module):
        pass


sys.meta_path.append(Stub())
sys.path.insert(0, os.path.join(REPOSITORY, 'search_agent'))
sys.path.insert(0, REPOSITORY)
import oss_client  # noqa: E402


def found(*docs):
    return json.dumps([{'docid': d, 'score': 1 / (k + 1), 'snippet': 'text'} for k, d in enumerate(docs)], indent=2)


def run(query, *steps):
    messages = [{'role': 'user', 'content': 'question ' + query}]
    for k, (asked, output) in enumerate(steps):
        messages.append({'type': 'reasoning', 'content': [{'type': 'reasoning_text', 'text': 'thinking'}]})
        messages.append({'type': 'function_call', 'name': 'local_knowledge_base_retrieval', 'call_id': str(k),
                         'arguments': json.dumps({'user_query': asked})})
        messages.append({'type': 'function_call_output', 'call_id': str(k), 'output': output})
    messages.append({'type': 'message', 'content': [{'type': 'output_text', 'text': 'Exact Answer: x [11]'}]})
    oss_client._persist_response(OUT, {'model': 'none', 'reasoning': None}, messages, {'local_knowledge_base_retrieval': len(steps)}, 'completed', query_id=query)


os.makedirs(OUT, exist_ok=True)
run('1', ('first', found('21', '22')), ('second', found('11', '21')), ('third', found('12')))
run('2', ('only', 'Error executing search: timeout'), ('again', found('31', '13', '32')))
run('3', ('nothing', found('41')))
QRELS = {'1': ['11', '12', '14'], '2': ['13'], '3': ['15', '16']}
with open(os.path.join(OUT, '..', 'browsecomp.qrels'), 'w') as f:
    for q, docs in QRELS.items():
        for d in docs:
            f.write(f'{q} 0 {d} 1\n')
recall, names = {}, sorted(n for n in os.listdir(OUT) if n.startswith('run_'))
for at, name in enumerate(names):
    with open(os.path.join(OUT, name)) as f:
        record = json.load(f)
    record['metadata']['output_dir'] = 'runs'
    record['retrieved_docids'].sort()
    q = record['query_id']
    recall[q] = len(set(record['retrieved_docids']) & set(QRELS[q])) / len(QRELS[q])  # as scripts_evaluation/evaluate_run.py
    with open(os.path.join(OUT, f'run_{at + 1}.json'), 'w') as f:
        json.dump(record, f, indent=2)
    os.remove(os.path.join(OUT, name))
with open(os.path.join(OUT, '..', 'browsecomp.json'), 'w') as f:
    json.dump({'commit': '97c637c', 'recall': recall}, f)
