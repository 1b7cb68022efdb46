# Golden sets as the tools that own the formats write them: ragas.jsonl, llamaindex.json, langsmith.json and
# langsmith-experiment.jsonl of core/intake/golden/testdata.
# usage: python3 make.py OUT   (ragas 0.4.3 with langchain-community<0.4, llama-index-core 0.14.25, langsmith 0.15.1 with
# pandas, and llama-index-finetuning 0.4.2 without its dependencies: the package imports trainers, so its module is loaded alone)
import datetime, importlib.util, json, os, sys, uuid
import llama_index.core
from langsmith import Client, evaluate
from langsmith.schemas import Example
from ragas import EvaluationDataset, SingleTurnSample

OUT = sys.argv[1]


def sample(query, found, expected, response, reference):
    return SingleTurnSample(user_input=query, retrieved_context_ids=found, reference_context_ids=expected, response=response, reference=reference)


EvaluationDataset(samples=[
    sample('forgotten password', ['change-email.md', 'reset-password.md'], ['reset-password.md'], 'Follow the link.', 'Use the link.'),
    sample('refund an order', ['refunds.md'], ['refunds.md'], 'Within 14 days.', '14 days.'),
]).to_jsonl(os.path.join(OUT, 'ragas.jsonl'))

site = os.path.dirname(os.path.dirname(os.path.dirname(llama_index.core.__file__)))
spec = importlib.util.spec_from_file_location('common', os.path.join(site, 'llama_index', 'finetuning', 'embeddings', 'common.py'))
common = importlib.util.module_from_spec(spec)
spec.loader.exec_module(common)
common.EmbeddingQAFinetuneDataset(
    queries={'6f1c': 'forgotten password', '9a2e': 'parcel to an island'},
    corpus={'node-1': 'Choose forgotten password on the sign-in page.', 'node-2': 'Parcels to an island take five days.',
            'node-3': 'We refund an order within 14 days.'},
    relevant_docs={'6f1c': ['node-1'], '9a2e': ['node-2']}).save_json(os.path.join(OUT, 'llamaindex.json'))


def example(name, question, outputs, metadata=None):
    return Example(id=uuid.UUID(name), dataset_id=uuid.UUID('0a1b2c3d-0000-4000-8000-000000000034'), inputs={'question': question},
                   outputs=outputs, metadata=metadata, created_at=datetime.datetime(2026, 11, 26, tzinfo=datetime.timezone.utc))


examples = [example('5f0c9be0-7f3c-4a52-9d6b-0c8e9a1b2c3d', 'forgotten password', {'documents': ['reset-password.md']}, {'split': 'test'}),
            example('a1b2c3d4-0000-4000-8000-000000000001', 'refund an order', {'relevant_chunk_ids': ['refunds.md']})]
with open(os.path.join(OUT, 'langsmith.json'), 'w') as f:
    json.dump([json.loads(e.model_dump_json()) for e in examples], f, indent=2)

# The rows of an experiment that ran here, as its to_pandas has them.
found = {'forgotten password': ['change-email.md', 'reset-password.md'], 'refund an order': ['refunds.md']}


def recall(run, example):
    gold = set(next(iter(example.outputs.values())))
    return {'key': 'recall@10', 'score': len(gold & set(run.outputs['documents'][:10])) / len(gold)}


rows = evaluate(lambda inputs: {'documents': found[inputs['question']]}, data=examples, evaluators=[recall],
                upload_results=False, client=Client(api_url='http://127.0.0.1:1', api_key='none'), max_concurrency=1)
rows.to_pandas().to_json(os.path.join(OUT, 'langsmith-experiment.jsonl'), orient='records', lines=True,
                         default_handler=str)
