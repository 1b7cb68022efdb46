# What other tools say of one small run: the figures behind the conventions of core/measure.
# usage: conventions.py WHEELS OUT   (WHEELS holds the unpacked wheels of beir and mteb in folders of those names)
import json, random, sys, types, importlib.util, numpy as np, warnings, logging
warnings.filterwarnings('ignore'); logging.disable(logging.CRITICAL)
WHEELS, OUT = sys.argv[1], sys.argv[2]
random.seed(7)
lists=[]
def add(q, ids, scores, jids, j): lists.append(dict(query=q,ids=ids,scores=scores,judged_ids=jids,judged=j))
names=[f"d{i}" for i in range(1,31)]
for n in range(1,13):
    q=f"q{n}"
    pool=random.sample(names, 18)
    ids=pool[:random.choice([6,10,12,14])]
    step=random.choice([1.0,0.5,2.0])
    scores=[round(random.randint(1,6)*step,2) for _ in ids]
    if n==3: ids=sorted(ids); scores=[10-1e-8*i for i,_ in enumerate(ids)]     # equal in single precision
    if n==5: scores=[-s for s in scores]
    jids=random.sample(names, random.randint(4,10)); 
    j=[random.choice([0,0,1,1,2,3]) for _ in jids]
    if max(j)==0: j[0]=1
    if n==6: j=[1 for _ in j]
    if n==7: j=[2 for _ in j]
    if n==8: ids,scores=[],[]
    if n in (4,9):   # document with the query's id
        ids[1]=q; 
        if n==9: jids[0]=q; j[0]=3
    if n==10: ids=ids[:3]; scores=scores[:3]
    if n==11: jids=[x for x in names if x not in ids][:4]; j=[1,2,0,1]
    add(q,ids,scores,jids,j)
run={l['query']:dict(zip(l['ids'],l['scores'])) for l in lists if l['ids']}
qrels={l['query']:dict(zip(l['judged_ids'],l['judged'])) for l in lists}
import copy
values={}
def put(conv, notation, as_, pq, mean, dec=0):
    values.setdefault(conv,{})[notation]=dict(per_query=pq, mean=float(mean), decimals=dec); values[conv][notation]['as']=as_
# pytrec_eval
import pytrec_eval
def trec(run,names): 
    ev=pytrec_eval.RelevanceEvaluator(qrels,set(names)); return ev.evaluate(copy.deepcopy(run))
T={'nDCG@10':('ndcg_cut_10','ndcg_cut.10'),'nDCG':('ndcg','ndcg'),'AP':('map','map'),'AP@5':('map_cut_5','map_cut.5'),'RR':('recip_rank','recip_rank'),'P@5':('P_5','P.5'),'R@5':('recall_5','recall.5'),'Bpref':('bpref','bpref'),'infAP':('infAP','infAP'),'IPrec@0.3':('iprec_at_recall_0.30','iprec_at_recall.0.3'),'Success@5':('success_5','success.5'),'SetF':('set_F','set_F'),'binG':('binG','binG'),'G':('G','G'),'Rndcg':('Rndcg','Rndcg'),'relative_P@5':('relative_P_5','relative_P.5'),'11pt_avg':('11pt_avg','11pt_avg'),'utility':('utility','utility')}
for k,(nm,arg) in T.items():
    r=trec(run,[arg]); pq={q:v[nm] for q,v in r.items()}
    put('pytrec_eval',k,nm,pq,sum(pq.values())/len(pq))
# ir_measures
import ir_measures
from ir_measures import parse_measure
for nm in ['nDCG@10','nDCG','AP','AP@5','RR','RR@10','RR(rel=2)','RR(rel=2)@3','P@5','R@5','R(rel=2)@5','Bpref','IPrec@0.3','Success@5','SetF(beta=0.5)','Judged@10','Judged','Compat','Compat(p=0.5)','RBP(rel=1)','RBP(rel=1,p=0.99)','NumRet','NumRel','NumQ','INST(max_rel=3)','INSQ(max_rel=3)','BPM(max_rel=3)@5','SDCG(max_rel=3)@5','NERR8(max_rel=3)@5','NERR9(max_rel=3)@5','NERR10(max_rel=3)','NERR11(max_rel=3)','nDCG(judged_only=True)@5','P(judged_only=True)@5']:
    m=parse_measure(nm)
    res=list(ir_measures.iter_calc([m],copy.deepcopy(qrels),copy.deepcopy(run)))
    pq={x.query_id:float(x.value) for x in res}
    put('ir_measures',nm,nm,pq,ir_measures.calc_aggregate([m],copy.deepcopy(qrels),copy.deepcopy(run))[m])
# accuracy divides by zero if a list is all relevant; guard
m=parse_measure('Accuracy')
try:
    pq={x.query_id:float(x.value) for x in ir_measures.iter_calc([m],copy.deepcopy(qrels),copy.deepcopy(run))}
    put('ir_measures','Accuracy','Accuracy',pq,sum(pq.values())/len(pq))
except ZeroDivisionError: print('accuracy: division by zero')
# PyTerrier: pt.Experiment on a table, which needs no Terrier
import pyterrier as pt, pandas as pd
frame=pd.DataFrame([(l['query'],d,s) for l in lists for d,s in zip(l['ids'],l['scores'])],columns=['qid','docno','score'])
frame['rank']=frame.groupby('qid')['score'].rank(ascending=False,method='first').astype(int)-1
args=([frame],pd.DataFrame([(l['query'],'x') for l in lists],columns=['qid','query']),pd.DataFrame([(l['query'],d,g) for l in lists for d,g in zip(l['judged_ids'],l['judged'])],columns=['qid','docno','label']))
for nm in ['nDCG@10','RR','RR@10','AP','P@5','R@5','Judged@10','Compat','RBP(rel=1)']:
    m=parse_measure(nm)
    pq={x.qid:float(x.value) for x in pt.Experiment(*args,[m],perquery=True).itertuples()}
    put('PyTerrier',nm,nm,pq,pt.Experiment(*args,[m])[nm][0])
# ranx
from ranx import Qrels, Run, evaluate
rq=Qrels(copy.deepcopy(qrels)); rr=Run(copy.deepcopy(run)); 
rr=rr.make_comparable(rq) if True else rr
R={'nDCG@10':'ndcg@10','nDCG':'ndcg','nDCG(dcg=\'exp-log2\')@10':'ndcg_burges@10','AP':'map','AP@5':'map@5','RR':'mrr','RR@10':'mrr@10','P@5':'precision@5','R@5':'recall@5','F@5':'f1@5','Success@3':'hit_rate@3','Rprec':'r-precision','SetP':'precision','SetR':'recall','SetF':'f1','NumRet(rel=1)':'hits','RBP':'rbp.8','P(rel=2)@5':'precision@5-l2','AP(rel=2)':'map-l2','DCG@5':'dcg@5','Bpref':'bpref',"DCG(dcg='exp-log2')@5":'dcg_burges@5'}
for k,nm in R.items():
    ok=True
    try: s=evaluate(rq,rr,[nm,'mrr@77'],return_mean=False,save_results_in_run=False)[nm]
    except Exception as e:
        print('ranx',nm,e); continue
    qs=list(rq.keys()); assert list(rr.keys())==qs
    pq={q:float(x) for q,x in zip(sorted(qs),s) if x==x}   # bpref is not a number where no judged document is not relevant
    put('ranx',k,nm,pq,sum(pq.values())/len(pq))
# BEIR
sys.path.insert(0,WHEELS+'/beir')
def load(path,name):
    spec=importlib.util.spec_from_file_location(name,path); mod=importlib.util.module_from_spec(spec); sys.modules[name]=mod; spec.loader.exec_module(mod); return mod
for n in ['beir','beir.retrieval','beir.retrieval.search']:
    mod=types.ModuleType(n); mod.__path__=[]; sys.modules[n]=mod
b=types.ModuleType('beir.retrieval.search.base'); b.BaseSearch=object; sys.modules['beir.retrieval.search.base']=b
load(WHEELS+'/beir/beir/retrieval/custom_metrics.py','beir.retrieval.custom_metrics')
be=load(WHEELS+'/beir/beir/retrieval/evaluation.py','beir.retrieval.evaluation')
r2=copy.deepcopy(run)
nd,ma,re,pr=be.EvaluateRetrieval.evaluate(qrels,r2,[3,5,10])
for d,ours,theirs in ((nd,'nDCG','NDCG'),(ma,'AP','MAP'),(re,'R','Recall'),(pr,'P','P')):
    for k in (3,5,10): put('BEIR',f'{ours}@{k}',f'{theirs}@{k}',{},d[f'{theirs}@{k}'],5)
for metric,ours,theirs in (('mrr','RR','MRR'),('r_cap','relative_P','R_cap'),('accuracy','Success','Accuracy')):
    d=be.EvaluateRetrieval.evaluate_custom(qrels,r2,[3,5,10],metric)
    for k in (3,5,10): put('BEIR',f'{ours}@{k}',f'{theirs}@{k}',{},d[f'{theirs}@{k}'],5)
# MTEB
for n in ['mteb']:
    mod=types.ModuleType(n); mod.__path__=[]; sys.modules[n]=mod
from typing import NamedTuple, Any
mt=types.ModuleType('mteb.types')
class RER(dict):
    def __init__(self,**k): super().__init__(k)
mt.RetrievalEvaluationResult=RER; sys.modules['mteb.types']=mt
me=load(WHEELS+'/mteb/mteb/_evaluators/retrieval_metrics.py','mteb_rm')
res=me.calculate_retrieval_scores(copy.deepcopy(run),qrels,[3,5,10])
sc=res['all_scores']
for key,ours,theirs,tk in (('ndcg','nDCG','NDCG','ndcg_cut_'),('map','AP','MAP','map_cut_'),('recall','R','Recall','recall_'),('precision','P','P','P_'),('hit_rate','Success','HitRate','success_')):
    for k in (3,5,10):
        put('MTEB',f'{ours}@{k}',{'ndcg':'ndcg','map':'map','recall':'recall','precision':'precision','hit_rate':'hit_rate'}[key]+f'_at_{k}',{q:v[tk+str(k)] for q,v in sc.items()},res[key][f'{theirs}@{k}'],5)
mr=me.mrr(qrels,run,[3,5,10])
for k in (3,5,10): put('MTEB',f'RR@{k}',f'mrr_at_{k}',dict(zip(run.keys(),mr[f'MRR@{k}'])),res['mrr'][f'MRR@{k}'],0)
# sklearn
from sklearn.metrics import ndcg_score, dcg_score, average_precision_score, roc_auc_score
for k in (None,3,10):
    pq={};pd={}
    for q,d in run.items():
        y=[[max(0,qrels[q].get(x,0)) for x in d]]; s=[list(d.values())]
        if len(d)<2: continue
        pq[q]=float(ndcg_score(y,s,k=k)); pd[q]=float(dcg_score(y,s,k=k))
    put('sklearn','nDCG'+(f'@{k}' if k else ''),f'ndcg_score({"k=%d"%k if k else ""})',pq,sum(pq.values())/len(pq))
    put('sklearn','DCG'+(f'@{k}' if k else ''),f'dcg_score({"k=%d"%k if k else ""})',pd,sum(pd.values())/len(pd))
pq={q:float(average_precision_score([int(qrels[q].get(x,0)>0) for x in d],list(d.values()))) for q,d in run.items()}
put('sklearn','AP','average_precision_score',pq,sum(pq.values())/len(pq))
pq={}
for q,d in run.items():
    y=[int(qrels[q].get(x,0)>0) for x in d]
    if 0<sum(y)<len(y): pq[q]=float(roc_auc_score(y,list(d.values())))
put('sklearn','Accuracy','roc_auc_score',pq,sum(pq.values())/len(pq))
versions={'pytrec_eval':'0.5.11','ir_measures':'0.4.3','ranx':'0.3.21','BEIR':'2.2.0','MTEB':'2.26.24','sklearn':'1.9.1','PyTerrier':'1.0'}
def rnd(o):
    return o
out=dict(versions=versions,lists=lists,values=values)
import os
with open(OUT,'w') as f:
    f.write('{\n"versions":'+json.dumps(versions)+',\n"lists":[\n'+',\n'.join(json.dumps(l) for l in lists)+'\n],\n"values":{\n')
    f.write(',\n'.join(json.dumps(c)+':{\n'+',\n'.join(json.dumps(k)+':'+json.dumps(v) for k,v in sorted(ms.items()))+'\n}' for c,ms in sorted(values.items())))
    f.write('\n}\n}\n')
print({c:len(m) for c,m in values.items()})
