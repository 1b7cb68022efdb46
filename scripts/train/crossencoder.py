"""A small cross-encoder in torch, over the layers of an exported BERT, and its way back into ONNX.

A pair runs as [CLS] query [SEP] document [SEP]. The score is read off the last hidden states in three ways that are added up: the product,
component by component, of the two parts' mean vectors of length 1; for the query's tokens, the mean of their greatest cosine with a token of
the document; and a linear function of the mean of all. Before training the first is the cosine of a bi-encoder, so that training starts from
what the encoder already knows rather than from chance.
"""

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import TensorProto, helper, numpy_helper
from torch import nn

HEADS = 12
SCALE = 10.0  # of the two cosines before training


def weights(graph):
    """The initialisers of a BERT exported from torch by readable names; a matrix that multiplies from the right is named by its node."""
    given = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    named = {}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in given and node.input[1].startswith("onnx::"):
            named[node.name.strip("/").removesuffix("/MatMul").replace("/", ".") + ".weight"] = node.input[1]
    for name in given:
        if not name.startswith("onnx::"):
            named[name] = name
    return {short: (full, given[full]) for short, full in named.items()}


class Layer(nn.Module):
    """One layer of BERT; attention and feed-forward, each with its sum and normalisation."""

    def __init__(self, w, at):
        super().__init__()
        take = lambda name: nn.Parameter(torch.from_numpy(np.array(w[f"encoder.layer.{at}.{name}"][1])))
        self.names, self.p = [], nn.ParameterList()
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "attention.output.LayerNorm",
                     "intermediate.dense", "output.dense", "output.LayerNorm"):
            for kind in ("weight", "bias"):
                self.names.append(f"encoder.layer.{at}.{part}.{kind}")
                self.p.append(take(f"{part}.{kind}"))

    def forward(self, x, mask):
        qw, qb, kw, kb, vw, vb, ow, ob, n1w, n1b, iw, ib, dw, db, n2w, n2b = self.p
        b, n, d = x.shape
        heads = lambda w, bias: (x @ w + bias).view(b, n, HEADS, d // HEADS).transpose(1, 2)
        a = F.scaled_dot_product_attention(heads(qw, qb), heads(kw, kb), heads(vw, vb), attn_mask=mask)
        x = F.layer_norm(x + (a.transpose(1, 2).reshape(b, n, d) @ ow + ob), (d,), n1w, n1b, 1e-12)
        return F.layer_norm(x + (F.gelu(x @ iw + ib) @ dw + db), (d,), n2w, n2b, 1e-12)


class CrossEncoder(nn.Module):
    """Token ids, attention mask and token types (0 query, 1 document) to one score a row. The first `freeze` layers and the embeddings stay."""

    def __init__(self, onnx_bytes, freeze):
        super().__init__()
        w = weights(onnx.load_from_string(onnx_bytes).graph)
        self.tables = {n: torch.from_numpy(np.array(w[f"embeddings.{n}"][1])) for n in
                       ("word_embeddings.weight", "position_embeddings.weight", "token_type_embeddings.weight", "LayerNorm.weight", "LayerNorm.bias")}
        layers = sum(1 for n in w if n.endswith("attention.self.query.bias"))
        self.freeze = freeze
        self.layers = nn.ModuleList(Layer(w, i) for i in range(layers))
        for layer in self.layers[:freeze]:
            layer.requires_grad_(False)
        d = self.tables["LayerNorm.weight"].shape[0]
        self.product = nn.Parameter(torch.full((d,), SCALE))
        self.greatest = nn.Parameter(torch.tensor([SCALE]))
        self.linear = nn.Parameter(torch.zeros(d))
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, ids, mask, types):
        t = self.tables
        with torch.no_grad():
            # The encoder knows one type only: both parts get its vector.
            x = t["word_embeddings.weight"][ids] + t["position_embeddings.weight"][: ids.shape[1]] + t["token_type_embeddings.weight"][0]
            x = F.layer_norm(x, x.shape[-1:], t["LayerNorm.weight"], t["LayerNorm.bias"], 1e-12)
        hide = torch.zeros(mask.shape, dtype=x.dtype).masked_fill(mask == 0, -1e4)[:, None, None, :]
        with torch.autocast("cpu", torch.bfloat16):
            for i, layer in enumerate(self.layers):
                with torch.set_grad_enabled(torch.is_grad_enabled() and i >= self.freeze):
                    x = layer(x, hide.to(torch.bfloat16))
        x = x.float()
        of_query, of_document = (mask * (1 - types)).float(), (mask * types).float()
        mean = lambda part: (x * part[:, :, None]).sum(1) / part.sum(1, keepdim=True)
        product = F.normalize(mean(of_query), dim=-1) * F.normalize(mean(of_document), dim=-1)
        rows = F.normalize(x, dim=-1)
        cosines = rows @ rows.transpose(1, 2) - 4 * (1 - of_document)[:, None, :]
        greatest = (cosines.max(2).values * of_query).sum(1) / of_query.sum(1)
        return product @ self.product + greatest * self.greatest + mean(mask.float()) @ self.linear + self.bias

    def groups(self, rate, head_rate):
        return [{"params": [p for layer in self.layers[self.freeze:] for p in layer.parameters()], "rate": rate},
                {"params": [self.product, self.greatest, self.linear, self.bias], "rate": head_rate}]


def export(model, onnx_bytes):
    """The trained weights in the encoder's own graph, with the score behind it: inputs input_ids, attention_mask, token_type_ids; output logits [rows, 1]."""
    whole = onnx.load_from_string(onnx_bytes)
    graph = whole.graph
    w = weights(graph)
    new = {}
    for layer in model.layers:
        new |= {w[name][0]: p.detach().numpy() for name, p in zip(layer.names, layer.p)}
    types = w["embeddings.token_type_embeddings.weight"]
    new[types[0]] = np.repeat(types[1][:1], 2, axis=0)
    for i in graph.initializer:
        if i.name in new:
            i.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(new[i.name], dtype=np.float32), i.name))

    def const(name, values, kind=np.float32):
        graph.initializer.append(numpy_helper.from_array(np.array(values, dtype=kind), name))
        return name

    def node(kind, *inputs, **attributes):
        out = f"score/{kind}_{len(graph.node)}"
        graph.node.append(helper.make_node(kind, list(inputs), [out], **attributes))
        return out

    hidden = graph.output[0].name
    one, four, tiny = const("score/one", 1.0), const("score/four", 4.0), const("score/tiny", 1e-12)
    mask = node("Cast", "attention_mask", to=TensorProto.FLOAT)
    kind = node("Cast", "token_type_ids", to=TensorProto.FLOAT)
    of_document = node("Mul", mask, kind)
    of_query = node("Sub", mask, of_document)
    unit = lambda x: node("Div", x, node("Max", node("ReduceL2", x, axes=[-1], keepdims=1), tiny))

    def mean(part):
        total = node("Squeeze", node("MatMul", node("Unsqueeze", part, axes=[1]), hidden), axes=[1])
        return node("Div", total, node("ReduceSum", part, axes=[1], keepdims=1))

    product = node("Mul", unit(mean(of_query)), unit(mean(of_document)))
    rows = unit(hidden)
    cosines = node("MatMul", rows, node("Transpose", rows, perm=[0, 2, 1]))
    cosines = node("Sub", cosines, node("Unsqueeze", node("Mul", node("Sub", one, of_document), four), axes=[1]))
    best = node("ReduceMax", cosines, axes=[2], keepdims=0)
    greatest = node("Div", node("ReduceSum", node("Mul", best, of_query), axes=[1], keepdims=1), node("ReduceSum", of_query, axes=[1], keepdims=1))
    column = lambda name, p: const(name, p.detach().numpy().reshape(-1, 1))
    parts = [node("MatMul", product, column("score/product", model.product)), node("Mul", greatest, const("score/greatest", [[float(model.greatest.detach())]])),
             node("MatMul", mean(mask), column("score/linear", model.linear))]
    total = node("Add", node("Add", node("Add", parts[0], parts[1]), parts[2]), const("score/bias", [[float(model.bias.detach())]]))
    graph.node.append(helper.make_node("Identity", [total], ["logits"]))
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1]))
    onnx.checker.check_model(whole)
    return whole
