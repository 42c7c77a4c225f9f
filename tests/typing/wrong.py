"""Wrong uses of fastparse: a type checker finds each line that says so."""

from __future__ import annotations

import fastparse

parser = fastparse.load("en")
treebank = fastparse.read_conllu("dev.conllu")
c = fastparse.Configuration("arc-eager", 3)

fastparse.loads("en")  # wrong: a name that does not exist
parser.prase(treebank)  # wrong: a method that does not exist
parser.parse(treebank, beam="8")  # wrong: a beam that is no number
parser.parse(treebank, thread=2)  # wrong: a misspelt argument
parser.parse(3)  # wrong: no sentences
heads: list[str] = treebank[0].heads  # wrong: heads are numbers
n = treebank.sentences  # wrong: an attribute that does not exist
c.applies("SHIFT")  # wrong: a method that does not exist
c.apply(1)  # wrong: moves are strings
fastparse.evaluate("gold.conllu")  # wrong: a missing argument
fastparse.train(treebank, iteration=3)  # wrong: a misspelt argument
fastparse.train(treebank, margin="3")  # wrong: a margin that is no number
fastparse.read_conllu("dev.conllu", onerror="skip")  # wrong: a misspelt argument
parser.beam = 4  # wrong: a parser never changes
parser.parse_file("in.conllu")  # wrong: no output
derivation: list[str] = fastparse.derive([2, 0], "swap")  # wrong: a Derivation is no list
