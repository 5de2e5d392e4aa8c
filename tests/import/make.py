#!/usr/bin/env python3
"""make.py - writes the files of this folder's files/: one attention, as each toolkit writes it.

Everything is made from the matrix, tokens and links below, with the standard library alone; import.c
knows the same numbers and compares every cell. usage: make.py [FOLDER]
"""
import base64, gzip, io, json, os, struct, sys, zipfile

# rows = target tokens + end, columns = source tokens + end; float32 holds them as printed
A = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.25, 0.5, 0.25], [0.05, 0.15, 0.8]]
SOURCE, TARGET = ['the', 'cat'], ['le', 'chat', 'noir']
LINKS = [(0, 0), (1, 1), (1, 2)]
folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), 'files')
os.makedirs(folder, exist_ok=True)


def write(name, data):
    with open(os.path.join(folder, name), 'wb') as f:
        f.write(data if isinstance(data, bytes) else data.encode())


def turned(m):
    return [list(c) for c in zip(*m)]


def rows(m, cell, row, form='%g'):
    return row.join(cell.join(form % x for x in r) for r in m)


def flat(x):
    return [z for y in x for z in flat(y)] if isinstance(x, list) else [x]


def shape(x):
    return (len(x),) + shape(x[0]) if isinstance(x, list) else ()


def half(x):
    return struct.pack('<e', x)


def bf16(x):
    return struct.pack('<f', x)[2:]


def npy(values, descr='<f4', fortran=False, version=1):
    """values: nested lists; the bytes of one .npy file."""
    sh = shape(values)
    numbers = flat(values)
    if fortran and len(sh) == 2:
        numbers = flat(turned(values))
    order = '>' if descr[0] == '>' else '<'
    if descr[1] == 'U':
        body = b''.join(s.encode('utf-32-le').ljust(4 * int(descr[2:]), b'\0') for s in numbers)
    else:
        letter = {'f2': 'e', 'f4': 'f', 'f8': 'd', 'u1': 'B', 'i4': 'i', 'i8': 'q', 'b1': '?'}[descr[1:]]
        body = struct.pack(order + str(len(numbers)) + letter, *numbers)
    text = "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }" % (
        descr, fortran, ''.join('%d, ' % n for n in sh) if len(sh) < 2 else ', '.join(map(str, sh)))
    prefix = 10 if version == 1 else 12
    text += ' ' * (-(prefix + len(text) + 1) % 64) + '\n'
    size = struct.pack('<H' if version == 1 else '<I', len(text))
    return b'\x93NUMPY' + bytes([version, 0]) + size + text.encode('latin1') + body


def npz(arrays, method):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w', method) as z:
        for name, data in arrays.items():
            # as numpy does: the size is not known before, so local headers carry ZIP64
            info = zipfile.ZipInfo(name + '.npy')
            info.compress_type = method
            with z.open(info, 'w', force_zip64=True) as f:
                f.write(data)
    return out.getvalue()


def safetensors(tensors, meta, pack, dtype):
    header, data = {'__metadata__': meta}, b''
    for name, values in tensors.items():
        packed = b''.join(pack(x) for x in flat(values))
        header[name] = {'dtype': dtype, 'shape': shape(values), 'data_offsets': [len(data), len(data) + len(packed)]}
        data += packed
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b' ' * (-len(text) % 8)
    return struct.pack('<Q', len(text)) + text + data


no_end = [r[:2] for r in A]          # the column of the end symbol cut off
inner = no_end[:3]
s, t = ' '.join(SOURCE), ' '.join(TARGET)
links = ' '.join('%d-%d' % p for p in LINKS)
with_end = links + ' 2-3'
soft = rows(A, ',', ' ')
encoder = [[0.5, 0.25, 0.25], [0.125, 0.75, 0.125], [0, 0, 1]]
decoder = [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25, 0.25, 0.5, 0], [0.25, 0.25, 0.25, 0.25]]
tokens = SOURCE + ['</s>'], TARGET + ['</s>']

write('source.txt', s + '\n' + s + '\n')
write('target.txt', t + '\n' + t + '\n')
write('marian-soft.txt', '%s ||| %s\n%s ||| %s\n' % (t, soft, t, soft))
write('marian-soft-crlf.txt', '\ufeff%s ||| %s\r\n' % (t, soft))
write('marian-nbest.txt', ''.join('%d ||| %s ||| %s ||| WordScores= -1 -2 -3 -4 ||| F0= -1.5 ||| -1.5\n' % (i, t, soft)
                                  for i in (0, 0, 1)))
write('marian-scorer.txt', '-1.25 ||| %s\n' % soft)
write('marian-bare.txt', soft + '\n')
write('marian-hard.txt', '%s ||| %s\n' % (t, with_end))
write('marian-hard-nbest.txt', '0 ||| %s ||| %s ||| F0= -1.5 ||| -1.5\n' % (t, with_end))
write('marian-report-align.txt', '%s ||| %s\t-1.5000\n' % (t, links))
# AmuNMT: no row for the end, zeros up to the longest source of the batch
write('marian-amunmt.txt', '%s ||| %s\n' % (t, rows([r + [0, 0] for r in A[:3]], ',', ' ')))
write('nematus.txt', '0 ||| %s ||| 0 ||| %s ||| 3 4\n%s \n\n' % (t, s, rows(A, ' ', ' \n')) * 2)
write('nematus-lua.txt', '0 ||| %s ||| -1.5 ||| %s ||| 0 0\n%s \n\n' % (t, s, rows(inner, ' ', ' \n', '%.14f')))
write('nematus-amunmt.txt', '0 ||| %s ||| 0 ||| %s ||| 3 ||| 4\n%s\n\n' % (t, s, rows(A, ' ', '\n')))
write('sockeye.txt', '1 ||| %s </s> ||| -0.285254 ||| %s ||| 2 ||| 4\n%s\n\n' % (t, s, rows(turned(no_end), ' ', '\n', '%f')))
write('opennmt-tf.txt', '-1.25 ||| %s ||| %s\n' % (t, rows(inner, ' ', ' ; ', '%.6f')))
table = '%10s ' % '' + ''.join('%10s ' % w[:7] for w in SOURCE) + '\n'
for star in (True, False):
    lines = ''
    for word, r in zip(TARGET + ['</s>'], no_end):
        lines += '%10s ' % word + ''.join('%10s ' % ('*' * (star and x == max(r)) + '%.7f' % x) for x in r) + '\n'
    head = 'SENT 1: %s\nPRED 1: %s\nPRED SCORE: -2.1234\n' % (SOURCE, t) if star else '[2024-06-27 10:00:00,000 INFO] '
    write('opennmt-py-%s.log' % ('v2' if star else 'v3'), head + table + lines + '\n')
fair = 'S-1\t%s\nT-1\t%s\nH-1\t-0.3841\t%s\nD-1\t-0.3841\t%s\nP-1\t-0.1 -0.2 -0.3 -0.4\nA-1\t%%s\n' % (s, t, t, t)
write('fairseq-soft.txt', fair % rows(A, ',', ' ', '%.6f'))
write('fairseq-hard.txt', fair % links)
write('fairseq-old.txt', fair % '0 1 1 2')
write('pharaoh.txt', links + '\n' + links + '\n')
write('pharaoh-one.txt', (' '.join('%d-%d' % (a + 1, b + 1) for a, b in LINKS[:2]) + ' 2p3\n') * 2)
write('pharaoh-scored.txt', '0-0:0.5 1-1:0.25 1-2:1\n0-0-0.5 1-1-0.25 1-2-1\n')
write('table.csv', rows(A, ', ', '\n') + '\n')
write('table-turned.csv', rows(turned(A), ',', '\n') + '\n')
write('table-labels.tsv', '\t' + '\t'.join(tokens[0]) + '\n' +
      ''.join('%s\t%s\n' % (w, '\t'.join('%g' % x for x in r)) for w, r in zip(tokens[1], A)))
write('table-scores.csv', '-1.5,2\n0.5,-inf\n')
write('npy-f4.npy', npy(A))
write('npy-f8-fortran.npy', npy(A, '<f8', True))
write('npy-f4-big.npy', npy(A, '>f4', False, 2))
write('npy-f2-heads.npy', npy([A, A], '<f2', False, 3))
write('npy-turned.npy', npy(turned(A)))
pad = [r + [0, 0] for r in A] + [[0.2] * 3 + [0, 0]]
write('npy-sentences.npy', npy([pad, pad]))
names = {'src_tokens': npy(tokens[0], '<U4'), 'tgt_tokens': npy(tokens[1], '<U4')}
stacked = {'encoder_attentions': npy([[[encoder, encoder]]] * 2), 'decoder_attentions': npy([[[decoder, decoder]]] * 2),
           'cross_attentions': npy([[[A, A]]] * 2)}
write('npz-stored.npz', npz({**stacked, **names}, zipfile.ZIP_STORED))
write('npz-deflated.npz', npz({**stacked, **names}, zipfile.ZIP_DEFLATED))
write('npz-seq2seq.npz', npz({'arr_0': npy(A), 'arr_1': npy(A)}, zipfile.ZIP_STORED))
steps = {'cross_attentions.%d.%d' % (i, l): npy([[[A[i]], [A[i]]]]) for i in range(4) for l in (0, 1)}
steps.update({'decoder_attentions.%d.0' % i: npy([[[decoder[i][:i + 1]]]]) for i in range(4)})
write('npz-generate.npz', npz({**steps, **names}, zipfile.ZIP_DEFLATED))
# the same steps stacked in other ways: (layer, batch, head, 1, k) a step, (step, batch, head, 1, k) a layer, …
layer = [[[A[i]], [A[i]]] for i in range(4)]                                  # step → (head, 1, k)
write('npz-generate-steps.npz', npz({**{'cross_attentions.%d' % i: npy([[layer[i]]] * 2) for i in range(4)},
      **{'decoder_attentions.%d' % i: npy([[[[decoder[i][:i + 1]]] * 2]] * 2) for i in range(4)}, **names}, zipfile.ZIP_STORED))
write('npz-generate-layers.npz', npz({**{'cross_attentions.%d' % l: npy([[s] for s in layer]) for l in (0, 1)}, **names},
                                     zipfile.ZIP_STORED))
write('npz-generate-stack.npz', npz({'cross_attentions': npy([[s, s] for s in layer]), **names}, zipfile.ZIP_STORED))
write('npz-generate-six.npz', npz({'cross_attentions': npy([[[s], [s]] for s in layer]), **names}, zipfile.ZIP_STORED))
# a decoder alone: the first step is the whole prompt
write('npz-generate-prompt.npz', npz({'attentions.%d.0' % i: npy([[m, m]]) for i, m in enumerate(
    [[r[:2] for r in decoder[:2]], [decoder[2][:3]], [decoder[3]]])}, zipfile.ZIP_STORED))
# of three beams one wins, at every step another one
won = [2, 0, 1, 0]
write('npz-generate-beams.npz', npz({**{'cross_attentions.%d.%d' % (i, l): npy([
    [[A[i] if b == won[i] else [0, 0, 1]]] * 2 for b in range(3)]) for i in range(4) for l in (0, 1)},
    'beam_indices': npy([won], '<i8'), **names}, zipfile.ZIP_STORED))
write('npz-batch.npz', npz({'cross_attentions.0': npy([[A], [A]]),
                            'src_tokens': npy([tokens[0]] * 2, '<U4'), 'tgt_tokens': npy([tokens[1]] * 2, '<U4')},
                           zipfile.ZIP_DEFLATED))
# a map a name; one array a layer, without names; two sentences of which one is shorter, its rows filled with anything
write('npz-layer-head.npz', npz({**{'cross_attentions.%d.%d' % (l, h): npy(A) for l in (0, 1) for h in (0, 1)}, **names}, zipfile.ZIP_STORED))
write('npz-positional.npz', npz({'arr_%d' % l: npy([[A, A]]) for l in (0, 1)}, zipfile.ZIP_STORED))
wide = lambda m, n, fill: [r + [0] * (n - len(r)) for r in m] + [[fill] * n]
write('npz-padded.npz', npz({'cross_attentions.0': npy([[[[0.25] * 4] * 5], [wide(A, 4, 0.25)]]),
                             'src_tokens': npy([['a', 'b', 'c', 'd'], tokens[0] + ['<pad>']], '<U5'),
                             'tgt_tokens': npy([['a', 'b', 'c', 'd', 'e'], tokens[1] + ['']], '<U4')}, zipfile.ZIP_STORED))
write('npy-self.npy', npy([[[decoder, decoder]]] * 2))
write('npy-slices.npy', npy([[r + [0] for r in A[:3]] + [[0] * 4], [[0.25] * 4] * 4]))
write('npy-links.npy', npy([[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 0]], '|u1'))
# what a tokenizer and generate() give back besides; of the second sentence only masks say where it ends
beside = lambda m, n, cols: [r + [0] * (cols - len(r)) for r in m] + [[0.25] * cols] * (n - len(m))
both = {'src_tokens': npy([['a', 'b', 'c', 'd'], tokens[0] + ['x']], '<U4'),
        'tgt_tokens': npy([['a', 'b', 'c', 'd', 'e'], tokens[1] + ['x']], '<U4')}
masks = {'attention_mask': npy([[1, 1, 1, 1], [1, 1, 1, 0]], '<i8'), 'decoder_attention_mask': npy([[1] * 5, [1] * 4 + [0]], '|b1')}
ids = {'input_ids': npy([[5, 6, 7, 8], [5, 6, 7, 1]], '<i8'), 'labels': npy([[1, 2, 3, 4, 5]] * 2, '<i8'),
       'hidden_states.3': npy([[[0.5] * 3] * 4] * 2), 'sequences': npy([[2, 1, 2, 3, 4, 5]] * 2, '<i8'), 'loss': npy([0.5])}
pair = npy([[[[0.25] * 4] * 5] * 2, [beside(A, 5, 4)] * 2])
write('npz-masks.npz', npz({**ids, **masks, **both, 'cross_attentions.0': pair, 'cross_attentions.1': pair}, zipfile.ZIP_STORED))
write('npz-ids.npz', npz(ids, zipfile.ZIP_STORED))
# the symbol that the decoder started with has no row; the end symbol fills up
steps_of = lambda m, k: {'cross_attentions.%d.%d' % (i, l): npy([[[r], [r]]] * k) for i, r in enumerate(m) for l in (0, 1)}
write('npz-sequences.npz', npz({**steps_of(A, 1), 'src_tokens': names['src_tokens'],
                                'tgt_tokens': npy(['</s>'] + tokens[1], '<U4')}, zipfile.ZIP_STORED))
write('npz-beams.npz', npz({**steps_of(A, 3), 'src_tokens': names['src_tokens'],
                            'tgt_tokens': npy(['</s>'] + tokens[1], '<U4')}, zipfile.ZIP_STORED))
write('npz-ends.npz', npz({'cross_attentions.0': npy([[[r + [0, 0] for r in A]]]), 'tgt_tokens': names['tgt_tokens'],
                           'src_tokens': npy(tokens[0] + ['</s>', '</s>'], '<U4')}, zipfile.ZIP_STORED))
# sentences of different sizes, told apart by a number in front, or by the first of two
short = [[0.75, 0.25], [0.5, 0.5]]
write('npz-sentences.npz', npz({**{'%d.cross_attentions.%d' % (n, l): npy([[m, m]]) for l in (0, 1) for n, m in ((7, A), (3, short))},
                                '7.src_tokens': names['src_tokens'], '7.tgt_tokens': names['tgt_tokens'],
                                '3.src_tokens': npy(['un', '</s>'], '<U4'), '3.tgt_tokens': npy(['a', '</s>'], '<U4')}, zipfile.ZIP_STORED))
write('npz-sentence-layer.npz', npz({'cross_attentions.%d.%d' % (n, l): npy([[m, m]]) for n, m in ((0, short), (1, A)) for l in (0, 1)},
                                    zipfile.ZIP_STORED))
# one text that looks back, with padding before it
left = [[0.25] * 6] * 2 + [[0, 0] + r for r in decoder]
write('npz-left.npz', npz({'attentions.%d' % l: npy([[left] * 2]) for l in (0, 1)} |
                          {'attention_mask': npy([[0, 0, 1, 1, 1, 1]], '<i8'), 'tokens': npy([['x', 'x'] + tokens[1]], '<U4')}, zipfile.ZIP_STORED))
# its last token was not read any more
write('npz-generate-alone.npz', npz({**{'attentions.%d.0' % i: npy([[m, m]]) for i, m in enumerate(
    [[r[:2] for r in decoder[:2]], [decoder[2][:3]], [decoder[3]]])}, 'tokens': npy(tokens[1] + ['more'], '<U4')}, zipfile.ZIP_STORED))
write('npz-generate-one.npz', npz({'attentions.0.%d' % l: npy([[decoder] * 2]) for l in (0, 1)} |
                                  {'tokens': npy(tokens[1] + ['more'], '<U4')}, zipfile.ZIP_STORED))
write('npz-twice.npz', npz({'attn': npy([A, A]), 'my_attention': npy([A, A])}, zipfile.ZIP_STORED))
write('npz-apart.npz', npz({'cross_attentions.%d.0' % i: npy([[[r]]]) for i, r in enumerate([[0.5, 0.5], [0.5, 0.25, 0.25]])}, zipfile.ZIP_STORED))
meta = {'src_tokens': json.dumps(tokens[0]), 'tgt_tokens': json.dumps(tokens[1])}
layers = {'%s_attentions.%d' % (k, l): [[m, m]] for k, m in
          (('encoder', encoder), ('decoder', decoder), ('cross', A)) for l in (0, 1)}
for dtype, pack in (('F32', lambda x: struct.pack('<f', x)), ('F64', lambda x: struct.pack('<d', x)), ('F16', half),
                    ('BF16', bf16)):
    write('safetensors-%s.safetensors' % dtype.lower(), safetensors(layers, meta, pack, dtype))
write('safetensors-links.safetensors', safetensors({'cross_attentions': [[1, 0], [0, 1], [0, 1]]}, {}, lambda x: bytes([x]), 'U8'))
e = [[-1.5, 0.25, -3], [2, -4, 0.5], [-0.5, 1, 8], [0.125, -2, 3]]
write('safetensors-own.safetensors', safetensors(
    {'cross.0.0.scores': e, 'cross.0.0': A},
    {'format': 'attnscope-attention', 'source': json.dumps(SOURCE + ['</s>']), 'target': json.dumps(TARGET + ['</s>'])}, lambda x: struct.pack('<f', x), 'F32'))
write('ctranslate2.json', json.dumps([{'source': SOURCE, 'hypotheses': [TARGET], 'scores': [-0.42], 'attention': [inner]}]))
part = {'all': {'att': [], 'top_text': [], 'bot_text': []},
        'inp_inp': {'att': [[encoder, encoder]], 'top_text': SOURCE, 'bot_text': SOURCE},
        'inp_out': {'att': [[A, A]], 'top_text': SOURCE, 'bot_text': TARGET},
        'out_out': {'att': [[decoder, decoder]], 'top_text': TARGET, 'bot_text': TARGET}}
write('tensor2tensor.js', 'window.attention = %s;\n' % json.dumps(part))
part['out_out']['att'] = [[[[float('nan') if x == 0 else x for x in r] for r in decoder]]]
write('tensor2tensor-nan.json', json.dumps(part))
write('circuitsvis.json', json.dumps({'attention': [decoder, decoder], 'tokens': tokens[1], 'attentionHeadNames': ['0', '1']}))
write('circuitsvis.html', '<div id="x"></div><script>render("x", AttentionHeads, %s)</script>' %
      json.dumps({'attention': [decoder, decoder], 'tokens': tokens[1]}))
chart = [{'values': base64.b64encode(struct.pack('<12f', *flat(A))).decode(), 'info': {'layer': 0, 'head': h},
          'shape': [4, 3]} for h in (0, 1)]
write('inspectus.html', "<script>window.chartsEmbed('x', %s)</script>" %
      json.dumps({'attention': chart, 'src_tokens': tokens[1], 'tgt_tokens': tokens[0], 'chart_types': []}))
write('attnscope.json', json.dumps({'format': 'attnscope-trace', 'version': 1, 'model': 'made', 'source': tokens[0],
      'target': tokens[1], 'maps': [{'kind': 'cross', 'layer': 0, 'head': 0, 'rows': 4, 'cols': 3, 'type': 'weights',
                                     'values': A}]}) + '\n')

# ---- pages, notebooks and JSON of others ----

def bertviz(parts, extra=''):
    return ('<script>require([], function() {\nconst params = %s; // HACK: %s is a template marker that is replaced by '
            'actual params.\n});</script>' % ((json.dumps(parts)[:-1] + extra + '}',) * 2))


def view(name, m, left, right):
    return {'name': name, 'attn': [[m, m]] * 2, 'left_text': left, 'right_text': right}


parts = [view('Encoder', encoder, tokens[0], tokens[0]), view('Decoder', decoder, tokens[1], tokens[1]),
         view('Cross', A, tokens[1], tokens[0])]
write('bertviz.html', bertviz({'attention': parts}, ', "include_layers": [0, 1]'))
self_parts = [view('All', decoder, tokens[1], tokens[1]), view('Sentence A -> Sentence A', [[1]], ['le'], ['le'])]
write('bertviz-self.html', bertviz({'attention': self_parts}, ', "include_layers": [3, 5]'))
write('bertviz-old.js', 'window.bertviz_params = %s' % json.dumps(
    {'attention': {'all': {**view('', decoder, tokens[1], tokens[1]), 'queries': [[[0.5]]]}, 'aa': {}},
     'default_filter': 'all'}))
page = lambda kind, text: {'output_type': 'display_data', 'data': {kind: text}}
write('notebook.ipynb', json.dumps({'cells': [
    {'cell_type': 'markdown', 'source': ['text']},
    {'cell_type': 'code', 'outputs': [{'output_type': 'stream', 'text': ['x']}, page('text/plain', ['<HTML>']),
                                      page('application/javascript', ['window.attention = ', json.dumps(
                                          {**part, 'out_out': {**part['out_out'], 'att': [[decoder, decoder]]}})])]},
    {'cell_type': 'code', 'outputs': [page('text/html', bertviz({'attention': parts}))]}], 'nbformat': 4}))
write('exbert.json', json.dumps({'aa': {'att': [decoder, decoder], 'left': [{'text': w} for w in tokens[1]],
                                        'right': [{'text': w} for w in tokens[1]]}}))
blob = lambda m: base64.b64encode(struct.pack('<%df' % len(flat(m)), *flat(m))).decode()
write('llm-viz.json', json.dumps({
    'x': {'shape': [1, 2], 'dtype': 'torch.float32', 'data': blob([0, 0])},
    'block0.attSm': {'shape': [1, 2, 4, 4], 'dtype': 'torch.float32', 'data': blob([decoder, decoder])}}))


def inseq(m, source, target, start, wrap, pack=None):
    array = [[[[x, x]] for x in column] for column in turned(m)]     # key, query, layer, head
    if pack:
        raw = struct.pack('<%d%s' % (len(flat(array)), pack[1]), *flat(array))
        raw = gzip.compress(raw, 9, mtime=0) if pack[0] else raw
        packed = ('b64.gz:' if pack[0] else 'b64:') + base64.b64encode(raw).decode()
    token = lambda w: {'id': 1, 'token': w}
    wrapped = lambda o: {'__instance_type__': ['inseq.data.attribution', 'X'], 'attributes': o} if wrap else o
    name = 'source_attributions' if source else 'target_attributions'
    s = {'source': [wrapped(token(w)) for w in source or target[:start]], 'target': [wrapped(token(w)) for w in target],
         'attr_pos_start': start, name: {'Corder': True, '__ndarray__': packed if pack else array, 'dtype': pack[2] if pack else 'float32',
                'shape': shape(array)} if wrap else array,
         ({'source_attributions', 'target_attributions'} - {name}).pop(): None}
    return json.dumps(wrapped({'info': {'attribution_method': 'attention'}, 'sequence_attributions': [wrapped(s)]}))


write('inseq.json', inseq(A, tokens[0], ['<pad>'] + tokens[1], 1, True))
for name, pack in (('gzip', (True, 'f', 'float32')), ('double', (False, 'd', 'float64')), ('half', (False, 'e', 'float16'))):
    write('inseq-%s.json' % name, inseq(A, tokens[0], ['<pad>'] + tokens[1], 1, True, pack))
write('inseq-decoder.json', inseq(decoder[2:], None, tokens[1], 2, False))
write('pointer-generator.json', json.dumps({'article_lst': tokens[0] + ['more', 'words'], 'decoded_lst': TARGET,
      'abstract_str': 'x', 'attn_dists': A, 'p_gens': [0.25, 0.5, 0.75, 0.5]}))
graph = {'nodes': [{'group': g, 'name': w} for g in (1, 2) for w in tokens[g - 1]],
         'links': [{'source': tokens[0][i], 'target': tokens[1][t], 'value': str(x)} for t, r in enumerate(A) for i, x in enumerate(r)]}
write('nematus-json-graph.json', (json.dumps(graph) + '\n\n') * 2)
write('nematus-json-links.json', json.dumps([[tokens[1][t], tokens[0][i], str(x), 0, 1] for t, r in enumerate(A) for i, x in enumerate(r)]))
write('nematus-json-lines.json', ''.join(json.dumps({'id': i, 'matrix': A, 'source_sent': s, 'target_sent': t}) + '\n' for i in (4, 5)))
write('sockeye-json.jsonl', json.dumps({'sentence_id': 1, 'translation': t, 'translations': [t, t], 'scores': [-1.5, -2],
                                        'alignments': [LINKS, LINKS]}) + '\n')
drawing = '  ' + '---' * len(TARGET) + '\n' + ''.join(' |' + ''.join(
    '   ' if (i, j) not in LINKS else '(?)' if (i, j) == LINKS[-1] else '(*)' for j in range(len(TARGET))) + ' | ' + w + '\n'
    for i, w in enumerate(SOURCE)) + '  ' + '---' * len(TARGET) + '\n' + ''.join('  ' + ''.join(
        ' %s ' % (w[k] if k < len(w) else ' ') for w in TARGET) + '\n' for k in range(max(map(len, TARGET)))) + '\n'
write('sockeye-text.txt', drawing * 2)
write('bitext-sockeye.txt', ('%s\t%s\n' % (t, links)) * 2)
write('bitext-picaro.tsv', ('%s\t%s\t%s\t0-0 1-2\n' % (s, t, links)) * 2)
