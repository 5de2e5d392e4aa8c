#!/usr/bin/env python3
"""README.md says what the program says.

usage: readme.py PROGRAM        compares the marked parts of README.md, exit 1 if one is out of date
       readme.py PROGRAM --update   writes them anew (the screen needs tmux)

A part stands between <!-- NAME --> and <!-- /NAME -->: keys from src/view/request.def, the models and
the table of why attention from what the model files state, the screen from the program in a terminal.
"""
import json, os, re, subprocess, sys, time

root = os.path.realpath(os.path.join(os.path.dirname(__file__), '..', '..'))
readme = os.path.join(root, 'README.md')
program = os.path.realpath(sys.argv[1])
os.environ.setdefault('ATTNSCOPE_DATA', root)


def output(*arguments):
    return subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def percent(share):
    return '–' if share is None else '%.1f %%' % (100 * share)


def keys():
    """X(REQ_NEXT_T, "next", "Down . j", "Walk", "next timestep")"""
    with open(os.path.join(root, 'src', 'view', 'request.def'), encoding='utf-8') as f:
        rows = re.findall(r'^X\(\w+,\s*"(.*?)",\s*"(.*?)",\s*"(.*?)",\s*"(.*?)"\)', f.read(), re.M | re.S)
    out = ['| key | `:` command | what it does |', '| --- | --- | --- |']
    for command, names, _, what in rows:
        out.append('| %s | %s | %s |' % (' '.join('`%s`' % n for n in names.split()), command, what))
    return out


def models():
    return ['```', *output('models').rstrip('\n').split('\n'), '```']


def quality(model):
    return next(m for m in json.loads(output('models', '--json')) if m['name'] == model)['quality']


def by_length(quality, first, last):
    """Share of exact translations among the sentences of first…last words, of all sets."""
    rows = [r for s in ('test', 'comp', 'long') for r in quality[s]['by_length'] if first <= r['length'] <= last]
    n = sum(r['sentences'] for r in rows)
    return (sum(r['sentences'] * r['exact_match'] for r in rows) / n if n else None), n


def why():
    both = quality('en-fr-gru'), quality('en-fr-fixed')
    out = ['| exactly right | sentences | with attention | without |', '| --- | ---: | ---: | ---: |']
    for name, what in (('test', 'test'), ('comp', 'word pairs never seen together'),
                       ('long', 'longer than any in training')):
        out.append('| %s | %d | %s | %s |' % (what, both[0][name]['sentences'],
                                              *(percent(q[name]['exact_match']) for q in both)))
    for first, last in ((1, 4), (5, 6), (7, 8), (9, 10), (11, 12), (13, 14), (15, 99)):
        shares = [by_length(q, first, last) for q in both]
        if shares[0][1]:
            name = '%d or more words' % first if last == 99 else '%s words' % (
                'up to %d' % last if first == 1 else '%d–%d' % (first, last))
            out.append('| %s | %d | %s | %s |' % (name, shares[0][1], *(percent(s[0]) for s in shares)))
    return out


def screen():
    """The walk of the first example at its fourth word, as text: without colours heat is shading."""
    server = 'readme%d' % os.getpid()

    def tmux(*arguments):
        return subprocess.run(['tmux', '-L', server, '-f', '/dev/null', *arguments], check=True,
                              stdout=subprocess.PIPE, text=True).stdout.rstrip('\n')

    def wait_for(text):
        end = time.monotonic() + 10
        while text not in (shown := tmux('capture-pane', '-p')):
            if time.monotonic() > end:
                sys.exit('no "%s" on the screen:\n%s' % (text, shown))
        return shown
    tmux('new-session', '-d', '-x', '88', '-y', '22', 'env', 'LC_ALL=C.UTF-8', program, 'walk', '--color=never')
    try:
        wait_for('embed 1/3')
        tmux('send-keys', '.', '.', '.', 'Space', 'Space', 'Space')
        return ['```', *wait_for('weights 3/7').split('\n'), '```']
    finally:
        tmux('kill-server')


def main():
    update = '--update' in sys.argv
    with open(readme, encoding='utf-8') as f:
        text = f.read()
    old, checks, failures = text, 0, 0
    for part in (keys, models, why, screen):
        if part is screen and not update:
            continue
        marks = '<!-- %s -->' % part.__name__, '<!-- /%s -->' % part.__name__
        whole = re.compile('%s\n.*?%s' % tuple(map(re.escape, marks)), re.S)
        fresh = '%s\n%s\n%s' % (marks[0], '\n'.join(part()), marks[1])
        checks += 1
        found = whole.search(text)
        if not found or (found.group() != fresh and not update):
            failures += 1
            print('README.md: "%s" is out of date; tests/cli/readme.py PROGRAM --update mends it.\n%s' % (
                part.__name__, fresh if found else 'Its marks are missing.'))
        text = whole.sub(lambda _: fresh, text)
    if update and text != old:
        with open(readme, 'w', encoding='utf-8') as f:
            f.write(text)
    print('Checks: %d, Failures: %d, Errors: 0' % (checks, failures))
    sys.exit(failures > 0)


main()
