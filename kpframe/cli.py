"""The command line. Parsing only; everything else is imported when a command runs."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

from kpframe.version import __version__

__all__ = ["main"]

DONE, FAILED_DOCUMENTS, BAD_INPUT = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. The exit status: 0 done, 1 done with failed documents, 2 bad spec or input."""
    parser = _parser()
    options, late = parser.parse_known_args(arguments)
    if options.command == "data" and not any(word.startswith("-") for word in late):
        options.corpora += late  # argparse wants all names in one place, before or after the options
    elif late:
        parser.error(f"unrecognized arguments: {' '.join(late)}")
    if options.command is None:
        parser.print_help()
        return DONE
    from kpframe.commands import prepare, show_problems
    from kpframe.errors import KpframeError, Problem

    prepare(quiet=options.quiet)
    command = importlib.import_module(f"kpframe.commands.{options.command}")
    try:
        status = int(command.execute(options))
        sys.stdout.flush()
        return status
    except KpframeError as error:
        show_problems(error.problems)
        return BAD_INPUT
    except BrokenPipeError:  # the reader, as `head`, has seen enough
        _forget_output()
        return DONE
    except OSError as error:
        problem = f"cannot be read or written: {error.strerror or error}"
        show_problems(
            [Problem(str(error.filename or options.command), problem, "check path and permissions")]
        )
        return BAD_INPUT
    except KeyboardInterrupt:
        resumes = "; the same command goes on where this one stopped" if options.command == "run" else ""
        print(f"interrupted{resumes}", file=sys.stderr)
        return 130


def _forget_output() -> None:
    """Let what is still buffered go nowhere, or the interpreter complains when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kpframe", description="Extract keyphrases, and evaluate how well that was done."
    )
    parser.add_argument("--version", action="version", version=f"kpframe {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for add in (
        _run,
        _check,
        _extract,
        _train,
        _score,
        _compare,
        _analyse,
        _report,
        _annotate,
        _correlate,
        _export,
        _presets,
        _stages,
        _data,
        _schema,
        _doctor,
        _new,
        _completion,
    ):
        add(commands)
    commands.choices["completion"].set_defaults(parser=parser)  # whose words it prints
    return parser


def _command(commands: Any, name: str, help: str, description: str = "") -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=help, description=description or help[:1].upper() + help[1:] + "."
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress, no notices")
    return parser


def _spec_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC", help="a .yaml file, or the name of a shipped spec")
    _set_option(parser)
    parser.add_argument("--data", metavar="DIR", help="folder of the corpora (default: $KPFRAME_DATA)")


def _set_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="PATH=VALUE",
        help="set a parameter, as ranking.window=3; wins over the file; may be repeated",
    )


def _at_least_one(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, not {text!r}")
    return number


def _work_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--workers", type=_at_least_one, default=1, metavar="N", help="processes (default: 1)"
    )
    parser.add_argument("--limit", type=_at_least_one, metavar="N", help="only the first N documents")


def _run(commands: Any) -> None:
    parser = _command(commands, "run", "run an experiment, or resume it")
    _spec_options(parser)
    parser.add_argument("--out", metavar="DIR", help="folder of the results (default: runs/NAME)")
    parser.add_argument("--no-page", action="store_true", help="do not write report.html")
    _work_options(parser)


def _check(commands: Any) -> None:
    parser = _command(commands, "check", "check a spec without reading any text")
    _spec_options(parser)
    parser.add_argument("--resolved", action="store_true", help="print the spec with all defaults filled in")


def _extract(commands: Any) -> None:
    parser = _command(commands, "extract", "extract keyphrases from texts")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--text", metavar="TEXT", help="the text itself (never taken for a file name)")
    source.add_argument(
        "--input", metavar="FILE", help="a .txt, .jsonl or .csv file, a folder of .txt files, or - for stdin"
    )
    parser.add_argument(
        "--pipeline", default="textrank", metavar="NAME", help="a shipped pipeline, a spec or a model file"
    )
    _set_option(parser)
    parser.add_argument("--top", type=_at_least_one, default=10, metavar="N", help="at most N (default: 10)")
    parser.add_argument(
        "--format",
        choices=("text", "json", "jsonl", "csv"),
        help="default: by the ending of --out, else text",
    )
    parser.add_argument("--language", default="en", metavar="CODE", help="ISO 639-1 code (default: en)")
    parser.add_argument("--column", default="text", metavar="NAME", help="the text column of a .csv file")
    parser.add_argument("--encoding", default="utf-8", metavar="NAME", help="of the input files")
    parser.add_argument("--out", metavar="FILE", help="write to a file instead of standard output")
    _work_options(parser)


def _score(commands: Any) -> None:
    parser = _command(commands, "score", "score existing predictions against gold keyphrases")
    parser.add_argument("--gold", metavar="FILE", help="not needed if the predictions carry their gold")
    parser.add_argument("--predictions", required=True, metavar="FILE")
    _under_option(parser)
    parser.add_argument(
        "--preset",
        action="append",
        metavar="NAME",
        help="all measures of a family under its conventions, as kpeval; see `kpframe presets`",
    )
    parser.add_argument(
        "--subset",
        action="append",
        choices=("all", "present", "absent"),
        help="which phrases count, gold and predicted; for a preset, of its subsets; may be repeated",
    )
    parser.add_argument(
        "--metric",
        action="append",
        metavar="METRIC",
        help="as r_precision, f1@10 or '{kind: f1, k: 10, average: micro}'; may be repeated",
    )
    parser.add_argument(
        "--matching",
        action="append",
        metavar="MATCHING",
        help="as exact, approximate or '{kind: soft, similarity: kmr}'; may be repeated",
    )
    parser.add_argument(
        "--normalize",
        choices=("casefold", "porter", "snowball", "lancaster", "lemma"),
        help="how tokens are compared (default: casefold)",
    )
    parser.add_argument(
        "--absent",
        choices=("drop", "keep", "split", "only"),
        help="gold keyphrases that are not in the text (default: drop where texts are given)",
    )
    parser.add_argument(
        "--per-document", metavar="FILE", help="also write the values of every document, as CSV"
    )
    parser.add_argument(
        "--missing",
        choices=("zero", "skip", "error"),
        default="zero",
        help="documents without predictions (default: zero)",
    )
    parser.add_argument("--format", choices=("text", "json", "csv", "markdown"), default="text")


def _train(commands: Any) -> None:
    parser = _command(commands, "train", "train the ranking of a spec and save the pipeline")
    _spec_options(parser)
    parser.add_argument("--out", required=True, metavar="MODEL", help="the model file to write (.json)")
    parser.add_argument("--limit", type=_at_least_one, metavar="N", help="only the first N documents")


def _stages(commands: Any) -> None:
    parser = _command(commands, "stages", "list the stages, with parameters, defaults and sources")
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="one box of the chain, as ranking")
    parser.add_argument("kind", nargs="?", metavar="KIND", help="one stage of it, as tfidf")


def _data(commands: Any) -> None:
    parser = _command(commands, "data", "statistics, list or export of a corpus")
    parser.add_argument("action", choices=("stats", "list", "export"))
    parser.add_argument(
        "corpora",
        nargs="*",
        metavar="NAME",
        help="corpora by the names that `data list` shows, or specs whose documents are meant",
    )
    _set_option(parser)
    parser.add_argument("--data", metavar="DIR", help="folder of the corpora (default: $KPFRAME_DATA)")
    parser.add_argument("--limit", type=_at_least_one, metavar="N", help="only the first N documents")
    parser.add_argument(
        "--gold",
        action="store_true",
        help="for stats: also what the gold keyphrases are like, and the best scores that there can be",
    )
    parser.add_argument(
        "--present",
        choices=("stems", "words", "alphanumeric", "characters"),
        default="stems",
        help="for stats: when a gold keyphrase is present in a text (default: stems)",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--out", metavar="FILE", help="for export: the JSONL file to write")


def _compare(commands: Any) -> None:
    parser = _command(commands, "compare", "compare systems with statistics, document by document")
    parser.add_argument("runs", nargs="+", metavar="RUN", help="folders of runs")
    parser.add_argument(
        "--column",
        action="append",
        metavar="NAME",
        help="as r_precision/exact; may be repeated",
    )
    parser.add_argument(
        "--baseline",
        action="append",
        metavar="NAME",
        help="compare all others with this one (default: with the best of the column); may be repeated",
    )
    parser.add_argument("--all-pairs", action="store_true", help="compare every system with every other")
    parser.add_argument(
        "--test",
        choices=("randomisation", "t", "wilcoxon", "bootstrap"),
        default="randomisation",
    )
    parser.add_argument(
        "--permutations", type=_at_least_one, default=10_000, metavar="N", help="draws (default: 10000)"
    )
    parser.add_argument("--correction", choices=("holm", "bonferroni", "bh", "none"), default="holm")
    parser.add_argument("--level", type=float, default=0.05, help="of significance (default: 0.05)")
    parser.add_argument("--seed", type=int, default=2009, help="of what is drawn (default: 2009)")
    parser.add_argument(
        "--format",
        choices=("text", "json", "csv", "markdown", "latex"),
        help="default: by the ending of --out, else text",
    )
    parser.add_argument("--out", metavar="FILE", help="write to a file instead of standard output")


def _analyse(commands: Any) -> None:
    parser = _command(commands, "analyse", "look behind scores: where gold is missed, confidence, diversity")
    parser.add_argument("run", nargs="?", metavar="RUN", help="the folder of a run")
    parser.add_argument("--cell", action="append", metavar="NAME", help="only this cell; may be repeated")
    parser.add_argument("--predictions", metavar="FILE", help="a file of predictions instead of a run")
    parser.add_argument("--gold", metavar="FILE", help="default: of the run's corpus, or in the predictions")
    _under_option(parser)
    parser.add_argument(
        "--matching", metavar="LABEL", help="default: the run's first; as exact(normalize=porter)"
    )
    parser.add_argument(
        "--top", type=_at_least_one, metavar="N", help="only the best N phrases of a document"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--out", metavar="FILE", help="write to a file instead of standard output")


def _report(commands: Any) -> None:
    parser = _command(commands, "report", "make one HTML page that shows runs: scores, losses, texts, recipe")
    parser.add_argument("runs", nargs="+", metavar="RUN", help="folders of runs")
    parser.add_argument(
        "--out", metavar="FILE", help="the page to write (default: report.html in the folder of the run)"
    )
    parser.add_argument("--figures", metavar="DIR", help="also write charts as SVG and PDF, tables as LaTeX")
    parser.add_argument(
        "--documents",
        type=int,
        default=150,
        metavar="N",
        help="texts in the page at most (default: 150); 0: no text and no phrase of the corpus",
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")


def _annotate(commands: Any) -> None:
    parser = _command(commands, "annotate", "draw a sheet for judges from runs, or tell their agreement")
    parser.add_argument("action", choices=("sample", "agreement"))
    parser.add_argument(
        "files",
        nargs="+",
        metavar="PATH",
        help="sample: folders of runs; agreement: one sheet for each judge",
    )
    parser.add_argument(
        "--per-category", type=_at_least_one, default=100, metavar="N", help="for sample (default: 100)"
    )
    parser.add_argument("--seed", type=int, default=2009, help="for sample (default: 2009)")
    parser.add_argument(
        "--out",
        default="sheet.csv",
        metavar="FILE",
        help="for sample: the sheet to write (default: sheet.csv)",
    )
    parser.add_argument(
        "--cell",
        action="append",
        default=[],
        dest="cells",
        metavar="NAME",
        help="for sample: only this cell of the runs; may be repeated",
    )
    parser.add_argument("--key", metavar="FILE", help="for agreement: the .key.csv file with the categories")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="for agreement")


def _correlate(commands: Any) -> None:
    parser = _command(commands, "correlate", "correlate measures with human judgements")
    parser.add_argument("file", metavar="FILE", help="a .csv file with a row for each item")
    parser.add_argument("--judges", required=True, metavar="NAMES", help="columns of judgements, as a,b,c")
    parser.add_argument(
        "--measures",
        metavar="NAMES",
        help="columns or kinds of similarity, as kmr (default: columns of numbers)",
    )
    parser.add_argument("--method", choices=("spearman", "pearson", "kendall", "all"), default="spearman")
    parser.add_argument(
        "--interval",
        choices=("fisher", "bootstrap"),
        default="fisher",
        help="of the correlations, 95 %% (default: fisher)",
    )
    parser.add_argument("--seed", type=int, default=2009, help="of the bootstrap (default: 2009)")
    parser.add_argument(
        "--per-document", metavar="FILE", help="a run's per_document.csv, joined to FILE by its column id"
    )
    parser.add_argument("--cell", metavar="NAME", help="the cell of --per-document")
    parser.add_argument("--format", choices=("text", "json", "markdown", "latex"), default="text")


def _under_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--under",
        metavar="KEY",
        help="text, gold and predictions stand in an object under this key of a line",
    )


def _presets(commands: Any) -> None:
    parser = _command(commands, "presets", "list the families of conventions, or show one with its measures")
    parser.add_argument("name", nargs="?", metavar="NAME", help="one preset, as kpeval")


def _export(commands: Any) -> None:
    parser = _command(commands, "export", "hand predictions and gold over to other tools")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("run", nargs="?", metavar="RUN", help="the folder of a run")
    source.add_argument("--predictions", metavar="FILE", help="a file of predictions instead of a run")
    parser.add_argument(
        "--gold", metavar="FILE", help="not needed for a run, nor if the predictions carry their gold"
    )
    _under_option(parser)
    parser.add_argument(
        "--to",
        required=True,
        choices=("trec", "csv", "cas"),
        help="trec_eval's run and qrels, flat tables, or UIMA documents",
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder to write into")
    parser.add_argument(
        "--cell", action="append", metavar="NAME", help="only this cell of the run; may be repeated"
    )
    parser.add_argument(
        "--normalize",
        choices=("casefold", "porter", "snowball", "lancaster", "lemma"),
        help="for trec: how phrases are told apart (default: porter)",
    )
    parser.add_argument(
        "--subset",
        choices=("all", "present", "absent"),
        help="for trec: phrases that stand in the text, that do not, or all (default)",
    )
    parser.add_argument("--format", choices=("xmi", "json"), help="for cas: of the files (default: xmi)")
    parser.add_argument(
        "--no-annotations", action="store_true", help="for cas: without tokens, tags and the other layers"
    )


def _schema(commands: Any) -> None:
    _command(commands, "schema", "print the JSON schema of specs, for editors")


def _doctor(commands: Any) -> None:
    parser = _command(commands, "doctor", "say what is installed and found, and how to get the rest")
    parser.add_argument("--data", metavar="DIR", help="folder of the corpora (default: $KPFRAME_DATA)")


def _new(commands: Any) -> None:
    parser = _command(
        commands, "new", "look at texts of your own and write a commented spec for them; overwrites nothing"
    )
    parser.add_argument(
        "source", nargs="?", default=".", metavar="PATH", help="a folder or file with the texts (default: .)"
    )
    parser.add_argument("--out", metavar="FILE", help="the spec to write (default: NAME.yaml, after PATH)")
    parser.add_argument("--language", metavar="CODE", help="ISO 639-1 code (default: a guess)")


def _completion(commands: Any) -> None:
    parser = _command(commands, "completion", "print a script that completes the words of kpframe commands")
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))


if __name__ == "__main__":
    sys.exit(main())
