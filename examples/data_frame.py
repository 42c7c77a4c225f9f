"""Parse a column of texts of a pandas data frame: which adjectives describe which nouns, and how often?

python examples/data_frame.py reviews.csv review
"""

import sys

import pandas

import fastparse


def descriptions(texts: pandas.Series) -> pandas.DataFrame:
    """A row per noun and adjective, with the number of texts that use them together."""
    parser = fastparse.load("en-fast")
    rows = [
        (number, word.head.lemma, word.lemma)
        for number, document in enumerate(parser.parse_text(texts))
        for sentence in document
        for word in sentence.words
        if word.deprel == "amod" and word.head is not None
    ]
    found = pandas.DataFrame(rows, columns=["text", "noun", "adjective"])
    counts = found.groupby(["noun", "adjective"])["text"].nunique().rename("texts").reset_index()
    return counts.sort_values(["texts", "noun", "adjective"], ascending=[False, True, True], ignore_index=True)


if __name__ == "__main__":
    frame = pandas.read_csv(sys.argv[1])
    print(descriptions(frame[sys.argv[2]]).head(20).to_string(index=False))
