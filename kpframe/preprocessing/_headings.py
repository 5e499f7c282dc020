"""Which lines of a paper are headings, and of what kind of section; which begin captions."""

from __future__ import annotations

import re
from typing import NamedTuple
from unicodedata import is_normalized, normalize

import regex

from kpframe.language.widths import width

__all__ = ["CAPTION", "Heading", "heading", "plain_heading"]

CAPTION = re.compile(
    r"(?:fig(?:ure)?|tab(?:le)?|algorithm|listing|scheme|abb(?:ildung)?|tab(?:elle)?|tableau|figura|tabela|tabla)"
    r"\.?[ \t]{1,3}(?:\d{1,3}|[IVX]{1,5})(?:\.\d{1,3})?(?:[ \t]?[:.–—|]|[ \t]{2}|$)",
    re.IGNORECASE,
)

_NUMBER = re.compile(
    r"(?:(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})\.?|(?P<letter>[IVX]{1,5}|[A-H])\.)[ \t]+(?=[^\W\d_])"
)
_PART = re.compile(
    r"(?:chapter|section|part|appendix|kapitel|abschnitt|teil|anhang|chapitre|partie|annexe|cap[íi]tulo|parte|"
    r"se[cç]ão|secci[óo]n|ap[êé]ndice|capitolo|sezione)[ \t]+(?:\d{1,2}|[IVX]{1,5}|[A-H])[ \t]?[:.–—-][ \t]*",
    re.IGNORECASE,
)
_RUN_IN = re.compile(
    r"(abstract|summary|zusammenfassung|résumé|resumo|resumen|keywords|key words|index terms)"
    r"[ \t]?(?:[:.—–]|-{1,3})[ \t]*",
    re.IGNORECASE,
)
_END = re.compile(r"[.,;:!?]$")
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*+")

_KINDS = {
    "abstract": "abstract|summary|zusammenfassung|kurzfassung|résumé|resumo|resumen|sommario|riassunto",
    "keywords": "keywords|key words|keywords and phrases|index terms|general terms|"
    "categories and subject descriptors|schlüsselwörter|mots-clés|palavras-chave|palabras clave",
    "introduction": "introduction|motivation|introduction and motivation|einleitung|einführung|introdução|"
    "introducción|introduzione",
    "related_work": "related work|related works|related research|background|previous work|prior work|"
    "state of the art|literature review|background and related work|related work and background|"
    "preliminaries|verwandte arbeiten|stand der technik|travaux connexes|trabalhos relacionados|"
    "trabajos relacionados",
    "method": "method|methods|methodology|materials and methods|approach|our approach|proposed method|"
    "proposed approach|model|the model|algorithm|design|architecture|implementation|system overview|"
    "methodik|méthode|método|metodologia|metodología",
    "experiments": "experiments|experiment|experimental results|experimental setup|experimental evaluation|"
    "evaluation|results|performance evaluation|experiments and results|results and discussion|"
    "performance|simulation|simulation results|simulations|case study|empirical evaluation|"
    "performance analysis|data|ergebnisse|experimente|résultats|resultados|risultati",
    "discussion": "discussion|discussions|limitations|analysis|diskussion|discussão|discusión|discussione",
    "conclusion": "conclusion|conclusions|concluding remarks|conclusions and future work|"
    "conclusion and future work|conclusions and future directions|discussion and conclusion|"
    "discussion and conclusions|summary and conclusions|summary and conclusion|future work|"
    "summary and future work|schluss|fazit|schlussfolgerungen|zusammenfassung und ausblick|conclusão|"
    "conclusões|conclusión|conclusiones|conclusioni",
    "acknowledgements": "acknowledgements|acknowledgments|acknowledgement|acknowledgment|danksagung|"
    "remerciements|agradecimentos|agradecimientos|ringraziamenti",
    "references": "references|bibliography|literature cited|works cited|references and notes|literature|"
    "literatur|literaturverzeichnis|références|références bibliographiques|bibliographie|referências|"
    "referências bibliográficas|referencias|referencias bibliográficas|bibliografía|bibliografia|"
    "riferimenti bibliografici",
    "appendix": "appendix|appendices|anhang|annexe|annexes|apêndice|apéndice|appendice",
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split("|")}


class Heading(NamedTuple):
    """A heading: the kind of its section (`other` where the words do not tell), how deep it lies (1: a main
    section), and how many characters of the line it takes, with the number."""

    kind: str
    depth: int
    characters: int


def plain_heading(line: str) -> str:
    """The words of a line that may be a heading: no number before them, no colon behind, in lower case."""
    body = line.strip()
    found = _NUMBER.match(body)
    return " ".join((body[found.end() :] if found else body).rstrip(":. ").casefold().split())


def heading(line: str) -> Heading | None:
    """What a line is as a heading; None if it is none.

    A heading is, on a line by itself and of at most 80 characters and ten words,

    - what sections are usually called ("2 Related Work", "REFERENCES"), with a number or without,
    - a number and words of which the first has a capital, without a mark at the end ("3.1 Join Order"),
    - the same behind what says that it is a part ("Chapter 2: Join Order"), or
    - words in capitals, at least one of four letters ("THE INDEX STRUCTURE").

    "Abstract", "Keywords" and the like may run into the text behind a colon, full stop or dash. Letters and
    their marks are read alike in whatever form of Unicode they are.
    """
    line = line.rstrip()
    if not is_normalized("NFC", line):
        composed = normalize("NFC", line)
        found = _heading(composed)
        return found and found._replace(characters=_place_of(found.characters, line, composed))
    return _heading(line)


def _place_of(count: int, line: str, composed: str) -> int:
    """How many characters of `line` are the first `count` of its composed form."""
    if count == len(composed):
        return len(line)
    seen = 0
    for cluster in regex.finditer(r"\X", line):
        if seen >= count:
            return cluster.start()
        seen += len(normalize("NFC", cluster.group()))
    return len(line)


def _heading(line: str) -> Heading | None:
    run_in = _RUN_IN.match(line)
    if run_in and len(line) > run_in.end():
        return Heading(_KIND_OF[run_in[1].casefold()], 1, run_in.end())
    if width(line) > 80:
        return None
    words = _WORD.findall(line)
    if not words or len(words) > 10:
        return None
    found = _NUMBER.match(line)
    depth = found["number"].count(".") + 1 if found and found["number"] else 1
    name = plain_heading(line)
    kind = _KIND_OF.get(name) or ("appendix" if name.startswith(("appendix ", "anhang ")) else "")
    if kind and (line[:1].isupper() or found):
        return Heading(kind, depth, len(line))
    if _END.search(line):
        return None
    part = _PART.match(line)
    if part and line[part.end() : part.end() + 1].isupper():
        return Heading("other", 1, len(line))
    capitals = line.isupper() and any(len(word) > 3 for word in words)
    numbered = found is not None and line[found.end()].isupper() and "  " not in line[found.end() :]
    if capitals or numbered:
        return Heading("other", depth, len(line))
    return None
