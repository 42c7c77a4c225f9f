"""The plain oracles on every tree of up to five words."""

from __future__ import annotations

from itertools import product

import pytest

from tests.reference import TREE_CLASS, Configuration
from tests.reference import graphs as g
from tests.reference.enumerate import all_trees, final_graphs, reachable
from tests.reference.membership import COUNTS, Heads, two_crossing_interval, two_planar
from tests.reference.oracles import anchors, by_search, derive, derive_three_step
from tests.reference.systems.three_step import ThreeStepLeft

# The passes have one of their own; the moves of k-planar are tried in tests/oracles/test_planes.py.
WITHOUT_ORACLE = {"k-planar", "three-step/left", "three-step/right"}
# All trees of five words take these twins, which only tests use, minutes.
TO_FIVE = [*range(1, 5), pytest.param(5, marks=pytest.mark.slow)]


class TestOracles:
    @pytest.mark.parametrize("n", TO_FIVE)
    @pytest.mark.parametrize("name", sorted(set(TREE_CLASS) - WITHOUT_ORACLE))
    def test_exact_on_the_class_and_refused_outside(self, name: str, n: int) -> None:
        for heads in all_trees(n):
            if TREE_CLASS[name](heads):
                here = Configuration(name, n)
                for move in derive(heads, name):
                    here.apply(move)
                assert here.is_final()
                assert here.tree() == heads
            else:
                with pytest.raises(ValueError, match="cannot build"):
                    derive(heads, name)

    @pytest.mark.parametrize("n", TO_FIVE)
    def test_swaps(self, n: int) -> None:
        expected = COUNTS["swap"][str(n)]
        swaps = [
            [derive(heads, "swap", oracle=oracle).count("SWAP") for oracle in ("eager", "lazy")]
            for heads in all_trees(n)
        ]
        eager, lazy = zip(*swaps, strict=True)
        assert sum(eager) == expected["eager_total"]
        assert sum(lazy) == expected["lazy_total"]
        assert (max(eager), max(lazy)) == (expected["eager_max"], expected["lazy_max"])
        assert sum(b < a for a, b in swaps) == expected["trees_with_fewer_swaps_under_lazy"]
        assert all(b <= a for a, b in swaps)

    @staticmethod
    def fewest(name: str, move: str, heads: Heads) -> int:
        start = Configuration(name, len(heads))
        return by_search(start, g.arcs_of(heads), lambda each: int(each == move)).count(move)

    @pytest.mark.parametrize("n", range(1, 5))
    def test_fewest_swaps(self, n: int) -> None:
        total = sum(self.fewest("swap", "SWAP", heads) for heads in all_trees(n))
        assert total == COUNTS["swap"][str(n)]["minimum_possible_total"]

    @pytest.mark.parametrize("n", TO_FIVE)
    def test_switches(self, n: int) -> None:
        expected = COUNTS["two_planar"][str(n)]
        members = [heads for heads in all_trees(n) if two_planar(heads)]
        greedy = [derive(heads, "2-planar") for heads in members]
        fewest = [derive(heads, "2-planar", oracle="fewest").count("SWITCH") for heads in members]
        assert len(members) == expected["trees"]
        assert sum(moves.count("SWITCH") for moves in greedy) == expected["switches_greedy_total"]
        assert sum(fewest) == expected["switches_best_total"]
        assert max(fewest) == expected["max_switches"]
        assert max(map(len, greedy)) == expected["max_transitions"]

    @pytest.mark.parametrize("n", range(1, 5))
    def test_fewest_switches(self, n: int) -> None:
        for heads in all_trees(n):
            moves = derive(heads, "2-planar", oracle="fewest")
            assert moves.count("SWITCH") == self.fewest("2-planar", "SWITCH", heads)

    @pytest.mark.slow
    def test_switches_of_six_words(self) -> None:
        expected = COUNTS["two_planar"]["6"]
        members = [heads for heads in all_trees(6) if two_planar(heads)]
        greedy = sum(derive(heads, "2-planar").count("SWITCH") for heads in members)
        fewest = sum(derive(heads, "2-planar", oracle="fewest").count("SWITCH") for heads in members)
        assert (greedy, fewest) == (expected["switches_greedy_total"], expected["switches_best_total"])

    def test_worked_examples(self) -> None:
        assert derive([2, 0, 2], "arc-eager") == ["SHIFT", "LEFT-ARC", "RIGHT-ARC", "RIGHT-ARC"]
        names = {"SH": "SHIFT", "RA": "RIGHT-ARC", "LA": "LEFT-ARC", "RE": "REDUCE", "SWITCH": "SWITCH"}
        moves = "SH RA SH SH SH SH LA SH RE RE LA RE LA RE RA SH SWITCH RA RE LA SH"
        assert derive([0, 6, 6, 5, 7, 1, 6], "2-planar") == [names[move] for move in moves.split()]

    def test_graphs(self) -> None:
        for graph in final_graphs(reachable("dag/arc-eager", 4)):
            for name in ("dag/arc-eager", "dag/arc-standard", "planar/graph"):
                here = Configuration(name, 4)
                for move in derive(list(graph), name, n=4):
                    here.apply(move)
                assert here.is_final()
                assert here.arcs == list(graph)

    def test_labels(self) -> None:
        moves = derive([2, 0, 2], "arc-eager", labels=["a", "root", "b:c"])
        assert moves == ["SHIFT", "LEFT-ARC:a", "RIGHT-ARC:root", "RIGHT-ARC:b:c"]
        here = Configuration("arc-eager", 3)
        for move in moves:
            here.apply(move)
        assert here.deprels == ["a", "root", "b:c"]


class TestTwoRegisters:
    @pytest.mark.parametrize("n", TO_FIVE)
    def test_oracle_for_every_choice(self, n: int) -> None:
        expected = COUNTS["two_registers"][str(n)]
        lengths = []
        for heads in all_trees(n):
            if not two_crossing_interval(heads):
                with pytest.raises(ValueError, match="no valid pair"):
                    derive(heads, "two-registers")
                continue
            lengths.append(len(derive(heads, "two-registers")))
            for choices in product(*(pairs for _, _, pairs in g.valid_pairs(heads))):
                assert len(derive(heads, "two-registers", choices=choices)) <= expected["longest_derivation"]
        assert len(lengths) == expected["oracle_trees"]
        assert sum(lengths) == expected["oracle_total_transitions"]
        assert max(lengths) == expected["oracle_max_transitions"]

    def test_worked_example(self) -> None:
        heads = [0, 6, 6, 5, 7, 1, 6]
        assert g.valid_pairs(heads) == [(1, 7, [(6, 7)])]
        assert derive(heads, "two-registers") == [
            *["SHIFT", "RIGHT-ARC", "SHIFT", "SHIFT", "SHIFT", "LEFT-ARC", "SHIFT", "STORE(none)", "STORE(right)"],
            *["REGISTER(2,to-stack)", "REGISTER(1,to-stack)", "REGISTER(1,to-stack)", "REGISTER(1,to-register)"],
            *["REDUCE", "CLEAR", "SHIFT"],
        ]


class TestThreeStep:
    @pytest.mark.parametrize("n", TO_FIVE)
    def test_coverage(self, n: int) -> None:
        derived = 0
        for heads in all_trees(n):
            assert g.is_projective(anchors(heads))
            changed = {word for word, anchor in enumerate(anchors(heads), 1) if anchor != heads[word - 1]}
            assert changed == set(g.non_projective_words(heads))
            try:
                derive_three_step(heads)
            except ValueError:
                assert not g.is_in_three_step(heads)
            else:
                assert g.is_in_three_step(heads)
                derived += 1
            derive_three_step(heads, [str(word) for word in range(n)])
        assert derived == COUNTS["systems"][str(n)]["three_step_single_label_FA"]["any_root"]

    def test_smallest_failures(self) -> None:
        failing = [heads for heads in all_trees(4) if not g.is_in_three_step(heads)]
        assert failing == [[0, 0, 1, 2], [3, 4, 0, 0]]

    def test_last_word_can_be_a_right_dependent(self) -> None:
        assert derive_three_step([0, 0, 1])[2] == ["PUT(_)", "SHIFT", "DIST(_)", "SHIFT"]

    def test_moves(self) -> None:
        here = Configuration("three-step/left", 3, heads=[2, 0, 0], labels=["a", "b:c", "a"])
        assert isinstance(here, ThreeStepLeft)
        assert here.legal() == ["SHIFT", "PUT(a)", "PUT(b:c)"]
        here.apply("PUT(b:c)")
        assert here.legal() == ["SHIFT", "PUT(a)", "PUT(b:c)", "DIST(b:c)"]
        here.apply("SHIFT")
        here.apply("DIST(b:c)")
        assert (here.heads, here.deprels, here.theta) == ([3, 0, 0], ["b:c", "b:c", "a"], [])
