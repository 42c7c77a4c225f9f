"""The languages: one recipe each, from a folder of treebanks to a model. The program that follows them: factory.py.

A folder has a `train.conllu`, a `dev.conllu`, perhaps other files, and a SOURCE.txt that says what they are made of.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastparse.errors import UnknownNameError, did_you_mean

__all__ = ["FREE", "OTHERS", "RECIPES", "Part", "Recipe", "Source", "recipes_of"]

FREE = "CC BY-SA 4.0"  # of the models, unless their recipe says otherwise; what is CC BY or CC BY-SA 3.0 allows it
_PART = re.compile(r"([^\[\]]+)(?:\[(\d*):(\d*)\])?")


@dataclass(frozen=True)
class Source:
    """A treebank that a model is learnt from.

    Attributes:
        name: in Universal Dependencies, such as "Welsh-CCG".
        version: of Universal Dependencies.
        commit: of its repository.
        licence: of the treebank.
        by: whom to name.
    """

    name: str
    version: str
    commit: str
    licence: str
    by: str

    def __str__(self) -> str:
        return f"UD {self.name} {self.version} ({self.licence}, commit {self.commit}), by {self.by}"


@dataclass(frozen=True)
class Part:
    """Some sentences of a file: "train.conllu", or "train.conllu[611:]" for those from the 612th on."""

    file: str
    first: int = 0
    last: int | None = None

    @classmethod
    def of(cls, text: str) -> Part:
        found = _PART.fullmatch(text)
        assert found, text
        file, first, last = found.groups()
        return cls(file, int(first or 0), int(last) if last else None)

    def read(self, folder: Path) -> Any:
        """The sentences."""
        import fastparse

        whole = fastparse.read_conllu(folder / self.file)
        return whole if self == Part(self.file) else whole[self.first : self.last]


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How the model of a language is made.

    Attributes:
        code: of the language, and name of the model.
        language: its name in English.
        folder: of treebanks.
        sources: what it is made of.
        kinds: of text to learn from, for people.
        bad_at: what the model is bad at, for people.
        example: a sentence of the language, written for this table.
        train: what everything is learnt from.
        parser: what the parser learns from besides.
        tokenizer: what the tokenizer learns from instead; nothing: there is none, for lack of text with its spacing.
        licence: of the model.
        size, teachers, system: options of training.
    """

    code: str
    language: str
    folder: str
    sources: tuple[Source, ...]
    kinds: str
    bad_at: str
    example: str
    train: tuple[str, ...] = ("train.conllu",)
    parser: tuple[str, ...] = ()
    tokenizer: tuple[str, ...] | None = None
    licence: str = FREE
    size: str = "small"
    teachers: int = 0
    system: str = "two-registers"

    @property
    def about(self) -> str:
        """What the model says of itself."""
        return f"{self.language}, UD {', '.join(f'{one.name} {one.version}' for one in self.sources)}"

    @property
    def terms(self) -> str:
        """Licence and attribution, as the model keeps them."""
        return f"{self.licence}. Learnt from {'; '.join(map(str, self.sources))}."

    @property
    def has_text(self) -> bool:
        """Whether the model splits running text."""
        return self.tokenizer != ()


_GSD = "Ryan McDonald and the Google treebank team, and the Universal Dependencies contributors"
_PUD = "Google and the PUD team of the CoNLL 2017 shared task"
_STARLANG = "Starlang Software (Olcay Taner Yıldız and others)"
_BY_SA, _BY_SA_3 = "CC BY-SA 4.0", "CC BY-SA 3.0"

RECIPES: dict[str, Recipe] = {
    one.code: one
    for one in (
        Recipe(
            code="af",
            language="Afrikaans",
            folder="Afrikaans-AfriBooms",
            sources=(
                Source(
                    "Afrikaans-AfriBooms",
                    "2.18",
                    "a6dd7261",
                    _BY_SA,
                    "Peter Dirix, Liesbeth Augustinus and Daniel van Niekerk",
                ),
            ),
            kinds="government documents",
            bad_at="speech, chat, fiction: it has read government documents alone",
            example="Die kinders lees elke aand 'n ou boek.",
        ),
        Recipe(
            code="cs",
            language="Czech",
            folder="Czech-CAC+PUD+CLTT",
            sources=(
                Source("Czech-CAC", "2.17", "a89ca01f", _BY_SA, "Barbora Vidová Hladká, Daniel Zeman and others"),
                Source("Czech-PUD", "2.17", "f68c66cc", _BY_SA, _PUD),
                Source("Czech-CLTT", "2.17", "a0cfb23c", _BY_SA, "Barbora Hladká, Vincent Kríž and Zdeňka Urešová"),
            ),
            kinds="legal texts (half of it), news",
            bad_at="chat and fiction; half of what it has read is law",
            example="Děti čtou každý večer starou knihu.",
        ),
        Recipe(
            code="cy",
            language="Welsh",
            folder="Welsh-CCG+",
            sources=(Source("Welsh-CCG", "2.16", "78e19757", _BY_SA, "Johannes Heinecke and Francis M. Tyers"),),
            kinds="encyclopedia, news, politics, fiction",
            bad_at="chat and speech",
            example="Mae'r plant yn darllen hen lyfr bob nos.",
        ),
        Recipe(
            code="de",
            language="German",
            folder="German-GSD+PUD",
            sources=(
                Source("German-GSD", "2.16", "297fcf35", _BY_SA, _GSD),
                Source("German-PUD", "2.17", "ff80846a", _BY_SA_3, _PUD),
            ),
            kinds="news, reviews, encyclopedia",
            bad_at="subtypes of relations, where its two treebanks differ; it has read 30,000 words only",
            example="Die Kinder lesen jeden Abend ein altes Buch.",
        ),
        Recipe(
            code="es",
            language="Spanish",
            folder="Spanish-GSD+PUD",
            sources=(
                Source("Spanish-GSD", "2.16", "57c04564", _BY_SA, _GSD),
                Source("Spanish-PUD", "2.18", "818a82b8", _BY_SA_3, _PUD),
            ),
            kinds="news, blogs, reviews, encyclopedia",
            bad_at="names and pronominal verbs, where its two treebanks differ; speech",
            example="Los niños leen cada noche un libro viejo.",
        ),
        Recipe(
            code="fi",
            language="Finnish",
            folder="Finnish-TDT+PUD+OOD",
            sources=(
                Source(
                    "Finnish-TDT",
                    "2.16",
                    "5e3a88a6",
                    _BY_SA,
                    "the Turku NLP Group (Katri Haverinen, Jenna Kanerva, Filip Ginter and others)",
                ),
                Source("Finnish-PUD", "2.16", "fa2c5ad1", _BY_SA, "the Turku NLP Group and " + _PUD),
                Source("Finnish-OOD", "2.17", "11f60a9f", _BY_SA, "the Turku NLP Group"),
            ),
            kinds="news, encyclopedia, blogs, fiction, poetry, web",
            bad_at="rare inflected forms: it has read 50,000 words only",
            example="Lapset lukevat joka ilta vanhaa kirjaa.",
        ),
        Recipe(
            code="fr",
            language="French",
            folder="French-GSD+PUD",
            sources=(
                Source(
                    "French-GSD",
                    "2.16",
                    "830e2782",
                    _BY_SA,
                    "Marie-Catherine de Marneffe, Bruno Guillaume, Matias Grioni, Carly Dickerson and Guy Perrier",
                ),
                Source("French-PUD", "2.17", "c245786c", _BY_SA_3, _PUD),
            ),
            kinds="news, blogs, reviews, encyclopedia",
            bad_at="speech and chat; subtypes of obl",
            example="Les enfants lisent chaque soir un vieux livre.",
        ),
        Recipe(
            code="ga",
            language="Irish",
            folder="Irish-IDT-2020",
            sources=(
                Source(
                    "Irish-IDT",
                    "2.7",
                    "f4909fff",
                    _BY_SA_3,
                    "Teresa Lynn, Jennifer Foster, Elaine Uí Dhonnchadha and others",
                ),
            ),
            kinds="news, law, fiction, web, administration",
            bad_at="chat",
            example="Léann na páistí seanleabhar gach oíche.",
        ),
        Recipe(
            code="gd",
            language="Scottish Gaelic",
            folder="Scottish_Gaelic-ARCOSG-2024",
            sources=(Source("Scottish_Gaelic-ARCOSG", "2.15", "57aac14e", _BY_SA, "Colin Batchelor"),),
            kinds="speech, news, fiction, public interviews",
            bad_at="web and chat",
            example="Bidh a' chlann a' leughadh seann leabhar gach oidhche.",
        ),
        Recipe(
            code="gl",
            language="Galician",
            folder="Galician-TreeGal+PUD",
            sources=(
                Source("Galician-TreeGal", "2.16", "0b922448", "LGPL-LR", "Marcos Garcia"),
                Source(
                    "Galician-PUD",
                    "2.18",
                    "0e7f538c",
                    _BY_SA,
                    "Xulia Sánchez-Rodríguez, Albina Sarymsakova, Laura Castro and Marcos Garcia",
                ),
            ),
            kinds="news, encyclopedia",
            bad_at="speech and chat",
            licence="LGPL-LR and CC BY-SA 4.0",
            example="Os nenos len cada noite un libro vello.",
        ),
        Recipe(
            code="hy",
            language="Armenian",
            folder="Armenian-BSUT+ArmTDP",
            sources=(
                Source(
                    "Armenian-BSUT",
                    "2.18",
                    "309be1d8",
                    _BY_SA,
                    "Marat M. Yavrumyan, Rima R. Grigoryan, Anna S. Danielyan and Setrag H. M. Hovsepian",
                ),
                Source(
                    "Armenian-ArmTDP",
                    "2.18",
                    "90fe19c2",
                    _BY_SA,
                    "Marat M. Yavrumyan, Hrant H. Khachatrian, Anna S. "
                    "Danielyan, Gor D. Arakelyan, Martin S. Mirakyan and Liana G. Minasyan",
                ),
            ),
            kinds="news, fiction, blogs, law",
            bad_at="rare inflected forms: it has read 32,000 words only",
            example="Երեխաները ամեն երեկո հին գիրք են կարդում։",
        ),
        Recipe(
            code="id",
            language="Indonesian",
            folder="Indonesian-GSD+PUD+CSUI",
            sources=(
                Source("Indonesian-GSD", "2.17", "89491e4d", _BY_SA, "Ryan McDonald, Dan Zeman, Ika Alfina and others"),
                Source("Indonesian-PUD", "2.17", "765fb3fe", _BY_SA_3, "Ika Alfina, Arawinda Dinakaramani and others"),
                Source(
                    "Indonesian-CSUI",
                    "2.18",
                    "41dd7f23",
                    _BY_SA,
                    "Ika Alfina, Jessica Naraiswari Arwidarasti, Arawinda Dinakaramani and others",
                ),
            ),
            kinds="news, blogs",
            bad_at="compounds, where its treebanks differ; chat",
            example="Anak-anak membaca buku tua setiap malam.",
        ),
        Recipe(
            code="is",
            language="Icelandic",
            folder="Icelandic-Modern-2022",
            sources=(
                Source(
                    "Icelandic-Modern",
                    "2.11",
                    "2ba287b4",
                    _BY_SA,
                    "Kristján Rúnarsson, Þórunn Arnardóttir, Hinrik "
                    "Hafsteinsson, Steinþór Steingrímsson and Einar Freyr Sigurðsson",
                ),
            ),
            kinds="parliament, news of sports and politics",
            bad_at="fiction and chat",
            example="Börnin lesa gamla bók á hverju kvöldi.",
        ),
        Recipe(
            code="it",
            language="Italian",
            folder="Italian-MarkIT+TWITTIRO+Valico",
            sources=(
                Source(
                    "Italian-MarkIT",
                    "2.17",
                    "b01ee41e",
                    "CC BY 4.0",
                    "Teresa Paccosi, Alessio Palmero Aprosio and Sara Tonelli",
                ),
                Source(
                    "Italian-TWITTIRO",
                    "2.17",
                    "c19d5f6c",
                    _BY_SA,
                    "Alessandra Teresa Cignarella, Cristina Bosco and others",
                ),
                Source("Italian-Valico", "2.18", "8d60b2c8", _BY_SA, "Elisa Di Nuovo, Cristina Bosco and others"),
            ),
            kinds="school essays, tweets, texts of learners",
            bad_at="news and law, which it has not read",
            example="I bambini leggono ogni sera un vecchio libro.",
            tokenizer=("train.conllu[611:]", "parlamint.conllu", "pud.conllu"),
        ),
        Recipe(
            code="ko",
            language="Korean",
            folder="Korean-GSD-2022",
            sources=(
                Source(
                    "Korean-GSD",
                    "2.11",
                    "8fb3eb3e",
                    _BY_SA,
                    "Jinho Choi, Jayeol Chun, Na-Rae Han, Jena D. Hwang, Ryan McDonald, Joakim Nivre and Daniel Zeman",
                ),
            ),
            kinds="blogs, news",
            bad_at="features of words, which its treebank hardly has",
            example="아이들은 매일 저녁 오래된 책을 읽는다.",
        ),
        Recipe(
            code="nb",
            language="Norwegian Bokmål",
            folder="Norwegian-Bokmaal-fromdev",
            sources=(
                Source(
                    "Norwegian-Bokmaal",
                    "2.16",
                    "e83586ff",
                    _BY_SA,
                    "Per Erik Solberg, Pål Kristian Eriksen, Kari "
                    "Kinn, Lilja Øvrelid, Petter Hohle and the National Library of Norway",
                ),
            ),
            kinds="news, blogs, parliament, government reports",
            bad_at="Nynorsk; it has read 31,000 words only",
            example="Barna leser en gammel bok hver kveld.",
        ),
        Recipe(
            code="nl",
            language="Dutch",
            folder="Dutch-LassySmall+Alpino",
            sources=(
                Source("Dutch-LassySmall", "2.16", "7880e0bc", _BY_SA, "Gosse Bouma and Gertjan van Noord"),
                Source("Dutch-Alpino", "2.16", "95e374a6", _BY_SA, "Gosse Bouma and Gertjan van Noord"),
            ),
            kinds="encyclopedia, news",
            bad_at="speech and chat; it has read 34,000 words only",
            example="De kinderen lezen elke avond een oud boek.",
        ),
        Recipe(
            code="pcm",
            language="Naija (Nigerian Pidgin)",
            folder="Naija-NSC",
            sources=(
                Source(
                    "Naija-NSC",
                    "2.17",
                    "be1b5101",
                    _BY_SA,
                    "Bernard Caron, Marine Courtin, Kim Gerdes, Sylvain Kahane and the NaijaSynCor project",
                ),
            ),
            kinds="transcribed speech",
            tokenizer=(),
            bad_at="ordinary written text: it expects tokens, and marks of transcription among them (//, <, >, {, })",
            example="di pikin dem dey read old book every night //",
        ),
        Recipe(
            code="ro",
            language="Romanian",
            folder="Romanian-RRT+SiMoNERo",
            sources=(
                Source(
                    "Romanian-RRT",
                    "2.16",
                    "cc00bf85",
                    _BY_SA,
                    "Verginica Barbu Mititelu, Radu Ion, Elena Irimia, Cenel-Augusto Perez and Cătălina Mărănduc",
                ),
                Source(
                    "Romanian-SiMoNERo",
                    "2.16",
                    "2762958b",
                    _BY_SA,
                    "Maria Mitrofan, Verginica Barbu Mititelu and Mihaela Onofrei",
                ),
            ),
            kinds="medicine (two thirds of it), news, law, fiction",
            bad_at="the feature Case, where its treebanks differ",
            example="Copiii citesc în fiecare seară o carte veche.",
        ),
        Recipe(
            code="ru",
            language="Russian",
            folder="Russian-Taiga-2020",
            sources=(
                Source("Russian-Taiga", "2.7", "445b0617", _BY_SA, "Olga Lyashevskaya, Tatiana Shavrina and others"),
                Source("Russian-GSD", "2.16", "5400f2fd", _BY_SA, _GSD),
                Source("Russian-PUD", "2.16", "da5b3816", _BY_SA_3, _PUD),
            ),
            kinds="social media, poetry, news, fiction, encyclopedia",
            bad_at="long sentences of law and science",
            example="Дети каждый вечер читают старую книгу.",
            parser=("gsd+pud.conllu",),
        ),
        Recipe(
            code="sk",
            language="Slovak",
            folder="Slovak-SNK-agreed",
            sources=(
                Source(
                    "Slovak-SNK",
                    "2.18",
                    "d1ab58f8",
                    _BY_SA,
                    "Katarína Gajdošová, Mária Šimková and others, Daniel Zeman",
                ),
            ),
            kinds="fiction, news, encyclopedia",
            bad_at="long sentences: it has read those on which two annotators agree, ten words each in the mean",
            example="Deti čítajú každý večer starú knihu.",
            tokenizer=("dev-official.conllu",),
        ),
        Recipe(
            code="th",
            language="Thai",
            folder="Thai-TUD",
            sources=(
                Source(
                    "Thai-TUD",
                    "2.17",
                    "58c2058b",
                    _BY_SA,
                    "Panyut Sriwirote, Wei Qi Leong, Charin Polpanumas, "
                    "Santhawat Thanyawong, William Chandra Tjhi, Wirote Aroonmanakun and Attapol T. Rutherford",
                ),
            ),
            kinds="news, encyclopedia",
            bad_at="the bounds of words in text without spaces; it says neither lemmas nor features",
            example="เด็กๆ อ่านหนังสือเก่าทุกคืน",
        ),
        Recipe(
            code="tr",
            language="Turkish",
            folder="Turkish-Kenet+Penn+FrameNet+Tourism",
            sources=(
                Source("Turkish-Kenet", "2.16", "acefbad9", _BY_SA, _STARLANG),
                Source("Turkish-Penn", "2.17", "f5a36318", _BY_SA, _STARLANG),
                Source("Turkish-FrameNet", "2.17", "14ac9b71", _BY_SA, _STARLANG),
                Source("Turkish-Tourism", "2.16", "e4108807", _BY_SA, _STARLANG),
            ),
            kinds="examples of dictionaries, translated news, hotel reviews",
            tokenizer=(),
            bad_at="running text: it expects tokens; long sentences",
            example="Çocuklar her akşam eski bir kitap okur .",
        ),
        Recipe(
            code="uk",
            language="Ukrainian",
            folder="Ukrainian-ParlaMint-2024",
            sources=(
                Source(
                    "Ukrainian-ParlaMint",
                    "2.15",
                    "91e59dc3",
                    _BY_SA,
                    "the makers of UD Ukrainian-ParlaMint, on the ground of ParlaMint-UA",
                ),
            ),
            kinds="parliament",
            bad_at="everything but speeches in parliament, which is all that it has read",
            example="Діти щовечора читають стару книгу.",
        ),
        Recipe(
            code="vi",
            language="Vietnamese",
            folder="Vietnamese-VTB+",
            sources=(
                Source(
                    "Vietnamese-VTB",
                    "2.17",
                    "e8fa5483",
                    _BY_SA,
                    "Phuong Le-Hong, Luong Nguyen Thi, Linh Ha My and others",
                ),
            ),
            kinds="news",
            tokenizer=(),
            bad_at="running text: it expects words, whose syllables stand together",
            example="Trẻ em đọc sách cũ mỗi tối .",
        ),
    )
}


# Languages that auto knows besides: English, whose models come with fastparse, and languages without a package, so that
# their texts are not taken for others. By their code: name and folder of a treebank that is free.
OTHERS = {
    "en": ("English", "English-EWT"),
    "da": ("Danish", "Danish-DDT"),
    "pt": ("Portuguese", "Portuguese-Bosque"),
    "sv": ("Swedish", "Swedish-Talbanken"),
}


def recipes_of(codes: list[str]) -> list[Recipe]:
    """Those of some codes, all if there are none; raises UnknownNameError for a code that no recipe has."""
    for code in codes:
        if code not in RECIPES:
            known = ", ".join(RECIPES)
            raise UnknownNameError(f"there is no recipe {code!r}: expected {known}{did_you_mean(code, RECIPES)}")
    return [RECIPES[code] for code in codes or RECIPES]
