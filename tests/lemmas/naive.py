"""What a lemmatizer does, step by step from its definition, with its arrays as dictionaries."""

MASK = (1 << 64) - 1


def fold(h, value):
    h = (h ^ value) * 0xD6E8FEB86659FD93 & MASK
    return h ^ h >> 32


def mix(first, *values):
    for value in values:
        first = fold(first, value)
    return first


def keys_of(form, upos, feats):
    """The keys that speak for scripts, of a form and the hashes of its tags."""
    lowered, tags = form.lower(), mix(upos, feats)
    shape = sum(
        bit << place
        for place, bit in enumerate(
            (
                form[:1].isupper(),
                form[1:2].isupper(),
                form.isupper(),
                any(character.isdigit() for character in form),
                "-" in form,
            )
        )
    )
    yield mix(16, tags)
    yield mix(17, upos, shape)
    yield mix(18, tags, shape & 7)
    yield mix(19, upos, ord(form[0]) if form else 0)
    h = suffix_2 = 0
    for size in range(1, min(len(lowered), 6) + 1):
        h = fold(h + 1 & MASK, ord(lowered[-size]))
        suffix_2 = h if size == 2 else suffix_2
        yield mix(21, upos, h)
        yield mix(22, tags, h)
    h = 0
    for size in range(1, min(len(lowered), 4) + 1):
        h = fold(h + 1 & MASK, ord(lowered[size - 1]))
        yield mix(23, upos, h)
    if len(lowered) < 5:
        yield mix(20, tags, len(lowered), suffix_2)


def applied(script, form):
    """What a script makes of a form, or None."""
    lowered = form.lower()
    if script.case == 4:
        return script.before or None
    base = [lowered, form, lowered[:1].upper() + lowered[1:], form.upper()][script.case]
    if script.strip_before + script.strip_after > len(base):
        return None
    return (script.before + base[script.strip_before : len(base) - script.strip_after] + script.after) or None


class Lemmatizer:
    def __init__(self, arrays, scripts, hash_of):
        self.scripts, self.hash_of = scripts, hash_of
        self.dictionary = dict(zip(arrays["dictionary"].tolist(), arrays["dictionary_scripts"].tolist(), strict=True))
        begins = arrays["row_begins"].tolist()
        cells = list(zip(arrays["row_scripts"].tolist(), arrays["row_weights"].tolist(), strict=True))
        self.rows = {
            key: cells[begin:end]
            for key, begin, end in zip(arrays["keys"].tolist(), begins, begins[1:], strict=False)
        }  # fmt: skip
        self.known = set(arrays["known"].tolist())

    def lemma(self, form, upos, feats):
        tag, features = self.hash_of(upos), self.hash_of(feats)
        script = self.dictionary.get(mix(1, self.hash_of(form), tag, features))
        if script is not None and applied(self.scripts[script], form):
            return applied(self.scripts[script], form)
        scores = {}
        for key in keys_of(form, tag, features):
            for script, weight in self.rows.get(key, ()):
                scores[script] = scores.get(script, 0) + weight
        bonus = dict(self.rows.get(mix(3, tag), ())).get(0, 0)
        best = None
        for script in sorted(scores, key=lambda script: (-scores[script], script))[:8]:
            lemma = applied(self.scripts[script], form)
            if lemma is None:
                continue
            score = scores[script] + (bonus if mix(2, self.hash_of(lemma), tag) in self.known else 0)
            if best is None or score > best[0]:
                best = score, lemma
        return best[1] if best else form
