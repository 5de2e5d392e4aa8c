#!/usr/bin/python3
"""Greedy decoding with a pre-norm Transformer in PyTorch: batch 1, float32, keys and values kept, 20
source words, 20 timesteps, the attention weights of every layer and head returned.

	kv          F.linear for every map, the usual way
	kv_mv       torch.addmv instead: with one row a matrix-vector product is much faster
	kv_mv_jit   the same under torch.jit.script and frozen: the fastest form that was found
"""
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import peer

A = peer.arguments(__doc__, ("kv", "kv_mv", "kv_mv_jit"))

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor
from typing import List, Tuple

SIZES = {"d128_v8000": (128, 2, 4, 512, 8000), "d128_v32000": (128, 2, 4, 512, 32000),
         "d512_v8000": (512, 6, 8, 2048, 8000), "d512_v32000": (512, 6, 8, 2048, 32000)}
S, T = 20, 20


class Map(nn.Module):
    """x [in] → W x + b [out]"""
    mv: torch.jit.Final[bool]

    def __init__(self, mv: bool, n_in: int, n_out: int):
        super().__init__()
        self.mv = mv
        self.W = nn.Parameter(torch.randn(n_out, n_in) / math.sqrt(n_in))
        self.b = nn.Parameter(torch.zeros(n_out))

    def forward(self, x: Tensor) -> Tensor:
        if self.mv:
            return torch.addmv(self.b, self.W, x)
        return F.linear(x.view(1, -1), self.W, self.b).view(-1)


class Layer(nn.Module):
    """One decoder layer for one position; q comes scaled out of its map."""
    heads: torch.jit.Final[int]

    def __init__(self, mv: bool, d: int, heads: int, ff: int):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = Map(mv, d, 3 * d), Map(mv, d, d)
        self.cross_q, self.cross_out = Map(mv, d, d), Map(mv, d, d)
        self.ff1, self.ff2 = Map(mv, d, ff), Map(mv, ff, d)
        self.ln1, self.ln2, self.ln3 = nn.LayerNorm(d), nn.LayerNorm(d), nn.LayerNorm(d)

    def forward(self, x: Tensor, K: Tensor, V: Tensor, CK: Tensor, CV: Tensor, t: int
                ) -> Tuple[Tensor, Tensor, Tensor]:
        qkv = self.qkv(self.ln1(x)).view(3, self.heads, 1, -1)
        K[:, t:t + 1] = qkv[1]
        V[:, t:t + 1] = qkv[2]
        a = torch.softmax(torch.bmm(qkv[0], K[:, :t + 1].transpose(1, 2)), -1)
        x = x + self.out(torch.bmm(a, V[:, :t + 1]).view(-1))
        q = self.cross_q(self.ln2(x)).view(self.heads, 1, -1)
        c = torch.softmax(torch.bmm(q, CK.transpose(1, 2)), -1)
        x = x + self.cross_out(torch.bmm(c, CV).view(-1))
        return x + self.ff2(torch.relu(self.ff1(self.ln3(x)))), a, c


class Step(nn.Module):
    def __init__(self, mv: bool, d: int, layers: int, heads: int, ff: int, vocab: int):
        super().__init__()
        self.layers = nn.ModuleList(Layer(mv, d, heads, ff) for _ in range(layers))
        self.emb = nn.Parameter(torch.randn(vocab, d))
        self.pos = nn.Parameter(torch.randn(T, d))
        self.ln, self.out = nn.LayerNorm(d), Map(mv, d, vocab)

    def forward(self, y: int, t: int, K: List[Tensor], V: List[Tensor], CK: List[Tensor],
                CV: List[Tensor]) -> Tuple[int, List[Tensor], List[Tensor]]:
        x = self.emb[y] + self.pos[t]
        own: List[Tensor] = []
        cross: List[Tensor] = []
        for i, layer in enumerate(self.layers):
            x, a, c = layer(x, K[i], V[i], CK[i], CV[i], t)
            own.append(a)
            cross.append(c)
        return int(torch.argmax(self.out(self.ln(x))).item()), own, cross


def measure(size, mode):
    d, layers, heads, ff, vocab = SIZES[size]
    torch.manual_seed(0)
    step = Step("_mv" in mode, d, layers, heads, ff, vocab).eval()
    if mode.endswith("_jit"):
        step = torch.jit.freeze(torch.jit.script(step))
    CK = [torch.randn(heads, S, d // heads) for _ in range(layers)]
    CV = [torch.randn(heads, S, d // heads) for _ in range(layers)]

    def once():
        K = [torch.empty(heads, T, d // heads) for _ in range(layers)]
        V = [torch.empty(heads, T, d // heads) for _ in range(layers)]
        y, kept = 1, []
        for t in range(T):
            y, own, cross = step(y, t, K, V, CK, CV)
            kept.append((y, own, cross))

    times, others = peer.collect(once, A.budget, 3, 4)
    peer.report({"bench": "decode_transformer", "size": size, "mode": mode, "threads": A.threads,
                 "ms_per_token": round(times[len(times) // 2] / T * 1e3, 4),
                 "ms_per_token_min": round(times[0] / T * 1e3, 4)}, times, others)


torch.set_num_threads(A.threads)
torch.set_grad_enabled(False)
for size in SIZES:
    for mode in A.modes:
        measure(size, mode)
