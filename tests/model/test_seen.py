"""Which columns a model reads, by the attributes of its templates."""

import pytest

from fastparse.model.seen import columns_read


@pytest.mark.parametrize(
    ("attributes", "tags_joined", "columns"),
    [
        (["form", "suf3"], True, []),
        (["form", "tag"], False, ["upos"]),
        (["form", "tag"], True, ["upos", "xpos"]),
        (["upos", "lemma", "feats[Case]"], True, ["feats", "lemma", "upos"]),
    ],
)
def test_language_tags_are_read_where_they_are_a_part_of_tags(attributes, tags_joined, columns):
    assert sorted(columns_read(attributes, tags_joined)) == columns
