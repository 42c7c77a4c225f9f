"""Find who does what in a text, with fastparse as the parser of a spaCy pipeline.

python examples/in_spacy.py "She reads old books. He wrote them."
"""

import sys
from collections.abc import Iterator

import spacy


def facts(text: str) -> Iterator[tuple[str, str, str]]:
    """Triples of subject, verb and object."""
    nlp = spacy.blank("en")
    nlp.add_pipe("fastparse", config={"model": "en", "tags": True})
    for token in nlp(text):
        if token.pos_ == "VERB":
            subjects = [child for child in token.children if child.dep_ == "nsubj"]
            objects = [child for child in token.children if child.dep_ == "obj"]
            yield from ((one.text, token.lemma_, other.text) for one in subjects for other in objects)


if __name__ == "__main__":
    for subject, verb, thing in facts(" ".join(sys.argv[1:])):
        print(subject, verb, thing)
