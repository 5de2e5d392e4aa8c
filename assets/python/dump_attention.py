#!/usr/bin/env python3
"""The attention of a Hugging Face model, for attnscope. Needs transformers (4.30 or later) and numpy.

    from dump_attention import attention, save
    model = AutoModelForSeq2SeqLM.from_pretrained(NAME, attn_implementation="eager")
    save("out.npz", **attention(model, tokenizer, "the black cat sleeps ."))

then `attnscope open out.npz`. From the command line, one sentence, or one a line to be watched:

    dump_attention.py NAME "the black cat sleeps ." -o out.npz
    dump_attention.py NAME < sentences.txt | attnscope open --follow -

Any model with output_attentions: encoder-decoders (translated, or forced to `target`), encoders, decoders
alone. Rows of an encoder-decoder belong to the token that was produced, not to the one that was read.
"""
import argparse, inspect, json, sys

try:
    import numpy as np
except ImportError:
    if __name__ != '__main__':
        raise
    np = None  # main() says what to do, behind --help


def arrays(layers):
    """A tuple of tensors (1, heads, q, k) → float32 arrays (heads, q, k)."""
    if not layers or any(a is None for a in layers):
        raise ValueError('no attention: load the model with attn_implementation="eager"')
    return [a[0].detach().float().cpu().numpy() for a in layers]


def attention(model, tokenizer, text, target=None, **generate):
    """Tokens and maps of one sentence: {"src_tokens", "tgt_tokens", "cross_attentions": [layer], ...}."""
    words = tokenizer.convert_ids_to_tokens
    inputs = tokenizer(text, return_tensors='pt').to(model.device)
    known = inspect.signature(model.forward).parameters  # a tokenizer may give more, as token_type_ids
    inputs = {k: v for k, v in inputs.items() if k in known}
    source = words(inputs['input_ids'][0])
    if not model.config.is_encoder_decoder:
        maps = arrays(model(**inputs, output_attentions=True).attentions)
        kind = 'encoder' if any(np.triu(m, 1).any() for m in maps) else 'decoder'
        return {'src_tokens': source, kind + '_attentions': maps}
    if target is None:
        ids = model.generate(**inputs, **generate)
    else:
        labels = tokenizer(text_target=target, return_tensors='pt')['input_ids'].to(model.device)
        start = labels.new_full((1, 1), model.config.decoder_start_token_id)
        ids = labels.new_empty((1, labels.shape[1] + 1))
        ids[:, :1], ids[:, 1:] = start, labels
    # one pass over what was produced: no steps to put together, no beams to follow
    out = model(**inputs, decoder_input_ids=ids[:, :-1], output_attentions=True)
    return {'src_tokens': source, 'tgt_tokens': words(ids[0, 1:]),
            'encoder_attentions': arrays(out.encoder_attentions),
            'decoder_attentions': arrays(out.decoder_attentions), 'cross_attentions': arrays(out.cross_attentions)}


def save(path, **found):
    """An npz with one array a layer, NAME.LAYER of (heads, q, k), and the tokens as text."""
    named = {}
    for name, value in found.items():
        if name.endswith('_tokens'):
            named[name] = np.array(value)
        else:
            named.update(('%s.%d' % (name, layer), m) for layer, m in enumerate(value))
    np.savez_compressed(path, **named)


def trace(model_name='', src_tokens=(), tgt_tokens=(), **found):
    """One line of JSON, as attnscope writes it itself."""
    if 'decoder_attentions' in found and not tgt_tokens:  # a decoder alone
        src_tokens, tgt_tokens = (), src_tokens
    maps = [{'kind': name.split('_')[0], 'layer': layer, 'head': head, 'rows': len(m), 'cols': len(m[0]),
             'type': 'weights', 'values': m.tolist()}
            for name, layers in found.items() for layer, heads in enumerate(layers) for head, m in enumerate(heads)]
    exact = all(np.allclose(m.sum(-1), 1, atol=5e-4) for layers in found.values() for m in layers)
    return json.dumps({'format': 'attnscope-trace', 'version': 1, 'model': model_name, 'source': list(src_tokens),
                       'target': list(tgt_tokens), 'unnormalised': not exact, 'maps': maps})


def main():
    p = argparse.ArgumentParser(description='The attention of a Hugging Face model, for attnscope.')
    p.add_argument('model')
    p.add_argument('text', nargs='?', help='without it: a sentence a line from standard input, traces out')
    p.add_argument('-t', '--target', help='force this translation')
    p.add_argument('-o', '--output', default='attention.npz')
    a = p.parse_args()
    try:
        import numpy, torch
        from transformers import AutoConfig, AutoModel, AutoModelForSeq2SeqLM, AutoTokenizer
    except ImportError as e:
        sys.exit("dump_attention.py: %s: it is missing or does not load; pip install numpy torch transformers" % e)
    kind = AutoModelForSeq2SeqLM if AutoConfig.from_pretrained(a.model).is_encoder_decoder else AutoModel
    try:
        model = kind.from_pretrained(a.model, attn_implementation='eager')
    except TypeError:  # transformers before 4.36 know no other
        model = kind.from_pretrained(a.model)
    model = model.eval().requires_grad_(False)
    tokenizer = AutoTokenizer.from_pretrained(a.model)
    if a.text:
        save(a.output, **attention(model, tokenizer, a.text, a.target))
    for line in () if a.text else sys.stdin:
        print(trace(a.model, **attention(model, tokenizer, line.strip(), a.target)), flush=True)


if __name__ == '__main__':
    main()
