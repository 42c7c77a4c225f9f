"""A treebank with enhanced graphs, and models that have learnt it."""

from __future__ import annotations

from functools import lru_cache

import fastparse

SHARED = """\
# sent_id = shared
1\tShe\tshe\tPRON\t_\t_\t2\tnsubj\t2:nsubj|4:nsubj\t_
2\tcame\tcome\tVERB\t_\t_\t0\troot\t0:root\t_
3\tand\tand\tCCONJ\t_\t_\t4\tcc\t4:cc\t_
4\twent\tgo\tVERB\t_\t_\t2\tconj\t2:conj:and\t_
5\tto\tto\tADP\t_\t_\t7\tcase\t7:case\t_
6\tthe\tthe\tDET\t_\t_\t7\tdet\t7:det\t_
7\tsea\tsea\tNOUN\t_\t_\t4\tobl\t4:obl:to\t_

"""
RELATIVE = """\
# sent_id = relative
1\tBooks\tbook\tNOUN\t_\t_\t6\tnsubj\t3:obj|6:nsubj\t_
2\tthat\tthat\tPRON\t_\tPronType=Rel\t3\tobj\t1:ref\t_
3\tread\tread\tVERB\t_\t_\t1\tacl:relcl\t1:acl:relcl\t_
4\tof\tof\tADP\t_\t_\t5\tcase\t5:case\t_
5\tcats\tcat\tNOUN\t_\t_\t3\tobl\t3:obl:of\t_
6\tsell\tsell\tVERB\t_\t_\t0\troot\t0:root\t_

"""
GAPPING = """\
# sent_id = gapping
1\tI\tI\tPRON\t_\t_\t2\tnsubj\t2:nsubj\t_
2\tlike\tlike\tVERB\t_\t_\t0\troot\t0:root\t_
3\ttea\ttea\tNOUN\t_\t_\t2\tobj\t2:obj\t_
4\tand\tand\tCCONJ\t_\t_\t5\tcc\t5.1:cc\t_
5\tyou\tyou\tPRON\t_\t_\t2\tconj\t5.1:nsubj\t_
5.1\tlike\tlike\tVERB\t_\t_\t_\t_\t2:conj:and\tCopyOf=2
6\tmilk\tmilk\tNOUN\t_\t_\t5\torphan\t5.1:obj\t_

"""
CONTROL = """\
# sent_id = control
1\tWe\twe\tPRON\t_\t_\t2\tnsubj\t2:nsubj|4:nsubj:xsubj\t_
2\twant\twant\tVERB\t_\t_\t0\troot\t0:root\t_
3\tto\tto\tPART\t_\t_\t4\tmark\t4:mark\t_
4\tsleep\tsleep\tVERB\t_\t_\t2\txcomp\t2:xcomp\t_
5\tin\tin\tADP\t_\t_\t6\tcase\t6:case\t_
6\ttents\ttent\tNOUN\t_\t_\t4\tobl\t4:obl:in\t_

"""
TEXT = SHARED + RELATIVE + GAPPING + CONTROL


@lru_cache(maxsize=1)
def treebank() -> fastparse.Treebank:
    return fastparse.read_conllu((TEXT * 6).encode())


@lru_cache(maxsize=4)
def model(system: str = "2-planar/graph", **options) -> fastparse.Parser:
    """A parser of trees and graphs."""
    more = {"components": ("parser",), "encoder": None, "iterations": 4, "beam": 4, **options}
    return fastparse.train(treebank(), system, targets="enhanced", **more)
