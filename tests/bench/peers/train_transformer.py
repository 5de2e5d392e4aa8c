#!/usr/bin/python3
"""Training steps of a pre-norm Transformer in PyTorch: 2+2 layers, d 128, 4 heads, feed-forward 512,
1000 words on both sides, 64 sentences of 10 words that are to be reversed, Adam, no dropout, float32.

	custom   layers written out, queries, keys and values from one map; the weights are at hand
	nn       torch.nn.Transformer, attention weights not kept
"""
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import peer

A = peer.arguments(__doc__, ("custom", "nn"))

import torch
import torch.nn as nn
import torch.nn.functional as F

D, HEADS, LAYERS, FF, V, B, N = 128, 4, 2, 512, 1000, 64, 10


def positions():
    """[N,D] sinusoidal"""
    p = torch.arange(float(N))[:, None] * 10000.0 ** (-torch.arange(0, D, 2) / D)
    return torch.stack([torch.sin(p), torch.cos(p)], -1).view(N, D)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(D, 3 * D), nn.Linear(D, D)

    def split(self, x):
        return x.view(x.shape[0], N, HEADS, -1).transpose(1, 2)

    def forward(self, x, memory=None, mask=None):
        if memory is None:
            q, k, v = self.qkv(x).chunk(3, -1)
        else:
            q = F.linear(x, self.qkv.weight[:D], self.qkv.bias[:D])
            k, v = F.linear(memory, self.qkv.weight[D:], self.qkv.bias[D:]).chunk(2, -1)
        e = self.split(q) @ self.split(k).transpose(2, 3) * (D // HEADS) ** -0.5
        alpha = torch.softmax(e if mask is None else e + mask, -1)
        return self.out((alpha @ self.split(v)).transpose(1, 2).reshape(x.shape))


class Layer(nn.Module):
    def __init__(self, decoder):
        super().__init__()
        self.own, self.ln1, self.ln3 = Attention(), nn.LayerNorm(D), nn.LayerNorm(D)
        if decoder:
            self.cross, self.ln2 = Attention(), nn.LayerNorm(D)
        self.ff = nn.Sequential(nn.Linear(D, FF), nn.ReLU(), nn.Linear(FF, D))

    def forward(self, x, memory=None, mask=None):
        x = x + self.own(self.ln1(x), mask=mask)
        if memory is not None:
            x = x + self.cross(self.ln2(x), memory)
        return x + self.ff(self.ln3(x))


class Custom(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.ModuleList(Layer(False) for _ in range(LAYERS))
        self.dec = nn.ModuleList(Layer(True) for _ in range(LAYERS))
        self.enc_ln, self.dec_ln = nn.LayerNorm(D), nn.LayerNorm(D)

    def forward(self, x, y, mask):
        for layer in self.enc:
            x = layer(x)
        memory = self.enc_ln(x)
        for layer in self.dec:
            y = layer(y, memory, mask)
        return self.dec_ln(y)


class Model(nn.Module):
    def __init__(self, mode):
        super().__init__()
        self.src, self.tgt, self.out = nn.Embedding(V, D), nn.Embedding(V, D), nn.Linear(D, V)
        self.body = Custom() if mode == "custom" else nn.Transformer(
            D, HEADS, LAYERS, LAYERS, FF, dropout=0.0, batch_first=True, norm_first=True)
        self.custom = mode == "custom"
        self.register_buffer("pos", positions())
        self.register_buffer("mask", torch.full((N, N), float("-inf")).triu(1))
        for e in (self.src, self.tgt):
            nn.init.normal_(e.weight, std=D ** -0.5)

    def forward(self, src, tgt):
        x = self.src(src) * math.sqrt(D) + self.pos
        y = self.tgt(tgt) * math.sqrt(D) + self.pos
        return self.out(self.body(x, y, self.mask) if self.custom else self.body(x, y, tgt_mask=self.mask))


def measure(mode):
    torch.manual_seed(0)
    model = Model(mode).train()
    adam = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98), eps=1e-9, foreach=True)
    losses = []

    def once():
        src = torch.randint(4, V, (B, N))
        out = src.flip(1)
        tgt = torch.cat([torch.ones(B, 1, dtype=torch.long), out[:, :-1]], 1)
        adam.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(src, tgt).view(-1, V), out.reshape(-1))
        loss.backward()
        adam.step()
        losses.append(loss.item())

    times, others = peer.collect(once, A.budget, 20, 5)
    median = times[len(times) // 2]
    peer.report({"bench": "train_transformer", "mode": mode, "threads": A.threads,
                 "step_ms": round(median * 1e3, 3), "target_tokens_per_s": round(B * N / median, 1),
                 "params": sum(p.numel() for p in model.parameters()),
                 "loss_first": round(losses[0], 4), "loss_last": round(losses[-1], 4)}, times, others)


torch.set_num_threads(A.threads)
for mode in A.modes:
    measure(mode)
