# What a node of Elasticsearch says of the run of conventions_ids.json when it is asked by _rank_eval: the figures
# behind its convention in core/measure, and the request and answer in core/intake/golden/testdata.
# usage: rank_eval.py URL LISTS OUT GOLDEN   (URL is a node that scripts/cluster/Elasticsearch.java started, LISTS is
# core/measure/testdata/conventions_ids.json, OUT conventions_rank_eval.json beside it, GOLDEN core/intake/golden/testdata)
import json, os, sys, urllib.request
URL, LISTS, OUT, GOLDEN = sys.argv[1:5]


def ask(method, path, body=None, kind='application/json'):
    data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
    request = urllib.request.Request(f'{URL}/{path}', data, {'content-type': kind}, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def load(index, docs):
    """Index documents by id."""
    lines = [json.dumps(x) for i, d in docs.items() for x in ({'index': {'_id': i}}, d)]
    if not lines:
        ask('PUT', index)
        return
    done = ask('POST', f'{index}/_bulk?refresh', ('\n'.join(lines) + '\n').encode(), 'application/x-ndjson')
    assert not done['errors'], done


version = ask('GET', '')['version']['number']
ask('DELETE', 'list-*')
# An index has no document twice, so the lists in which documents repeat are left out.
lists = [l for l in json.load(open(LISTS))['lists'] if len(set(l['ids'])) == len(l['ids'])]
requests = []
for l in lists:
    order = sorted(range(len(l['ids'])), key=lambda i: -l['scores'][i])  # stable, as the file has them
    index = 'list-' + l['query']
    load(index, {l['ids'][i]: {'list': l['query'], 'rank': rank} for rank, i in enumerate(order)})
    # A list without documents has no field to sort by.
    requests.append({'id': l['query'], 'request': {'query': {'term': {'list.keyword': l['query']}},
                                                   'sort': [{'rank': {'order': 'asc', 'unmapped_type': 'long'}}]},
                     'ratings': [{'_index': index, '_id': d, 'rating': g}
                                 for d, g in zip(l['judged_ids'], l['judged'])]})
values = {}
for k in (3, 5, 10):
    for ours, name, metric in (
            ('nDCG', f'dcg (normalize, k={k})', {'dcg': {'k': k, 'normalize': True}}),
            ('DCG', f'dcg (k={k})', {'dcg': {'k': k}}),
            ('P', f'precision (k={k})', {'precision': {'k': k}}),
            ('P(rel=2)', f'precision (k={k}, relevant_rating_threshold=2)',
             {'precision': {'k': k, 'relevant_rating_threshold': 2}}),
            ('R', f'recall (k={k})', {'recall': {'k': k}}),
            ('R(rel=2)', f'recall (k={k}, relevant_rating_threshold=2)',
             {'recall': {'k': k, 'relevant_rating_threshold': 2}}),
            ('RR', f'mean_reciprocal_rank (k={k})', {'mean_reciprocal_rank': {'k': k}}),
            ('ERR(max_rel=3)', f'expected_reciprocal_rank (k={k}, maximum_relevance=3)',
             {'expected_reciprocal_rank': {'k': k, 'maximum_relevance': 3}}),
            # grades reach 3
            ('ERR(max_rel=2)', f'expected_reciprocal_rank (k={k}, maximum_relevance=2)',
             {'expected_reciprocal_rank': {'k': k, 'maximum_relevance': 2}})):
        answer = ask('POST', 'list-*/_rank_eval', {'requests': requests, 'metric': metric})
        assert not answer['failures'], answer
        values[f'{ours}@{k}'] = {'as': name, 'per_query': {q: d['metric_score'] for q, d in answer['details'].items()},
                                 'mean': answer['metric_score'], 'decimals': 0}
with open(OUT, 'w') as f:
    f.write('{\n"versions":' + json.dumps({'Elasticsearch': version}) + ',\n"lists":[\n'
            + ',\n'.join(json.dumps(l) for l in lists) + '\n],\n"values":{"Elasticsearch":{\n'
            + ',\n'.join(f'{json.dumps(m)}:{json.dumps(v)}' for m, v in sorted(values.items())) + '\n}}\n}\n')

# The golden set of the format: the request as it is, over the help centre, and what the node answers.
ask('DELETE', 'help*')
docs = os.path.join(GOLDEN, 'docs')
load('help', {name: {'text': open(os.path.join(docs, name)).read()} for name in sorted(os.listdir(docs))})
request = json.load(open(os.path.join(GOLDEN, 'rank-eval.json')))
answer = ask('POST', 'help/_rank_eval', request)
assert not answer['failures'], answer
with open(os.path.join(GOLDEN, 'rank-eval-answer.json'), 'w') as f:
    json.dump({'elasticsearch': version, **answer}, f, indent=2)
    f.write('\n')
print(version, len(lists), len(values), answer['metric_score'])
