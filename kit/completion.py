"""``crapette completion SHELL``: prints what makes a shell complete commands, options and choices."""

from __future__ import annotations

import json
import os
import shlex
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from kit.console.command import Parser
from kit.console.screen import Screen

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Sequence

SHELLS: Final = ("bash", "zsh", "fish")


@dataclass(frozen=True, slots=True)
class Option:
    """An option as a shell completes it: its names, what it means, and its values.

    `values` is None if it takes none, and empty if its value may be any word or file.
    """

    names: list[str]
    help: str
    values: list[str] | None


@dataclass(frozen=True, slots=True)
class Completed:
    """A command with its options, and the words that its arguments can be, besides files."""

    name: str
    does: str
    options: list[Option]
    words: list[str]


def describe_command(
    name: str, does: str, parser: argparse.ArgumentParser, words: Sequence[str] = ()
) -> Completed:
    """A command as shells complete it, from its parser; `words` can stand for its arguments."""
    options, choices = [], list(words)
    for action in parser._actions:
        values = None if action.nargs == 0 else [str(choice) for choice in action.choices or ()]
        if action.option_strings:
            options.append(Option(list(action.option_strings), _plain(action, parser), values))
        else:
            choices += values or []
    return Completed(name, does, options, choices)


def _plain(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    """An option's help in one line, its placeholders filled."""
    text = (action.help or "") % {**vars(action), "prog": parser.prog}
    return " ".join(text.split())


def main(arguments: Sequence[str], commands: Callable[[], Iterable[Completed]]) -> int:
    """Print the script for a shell; return the exit status. `commands` reads the parsers of all."""
    given = parser().parse_args(arguments)
    shell = given.shell or os.path.basename(os.environ.get("SHELL", ""))  # noqa: PTH119 (a name, no file)
    if shell not in SHELLS:
        Screen(errors=True).say(f"crapette completion: expected one of {', '.join(SHELLS)}, got {shell!r}")
        return 2
    found = list(commands())
    text = {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](found)
    if given.json:
        text = json.dumps({"shell": shell, "script": text, "commands": [asdict(one) for one in found]}) + "\n"
    sys.stdout.write(text)
    return 0


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog="crapette completion",
        description="Print a script that lets your shell complete commands, options, house bots and games.",
        epilog="""\
examples:
  crapette completion bash >> ~/.bashrc
  crapette completion zsh >> ~/.zshrc                                  after compinit
  crapette completion fish > ~/.config/fish/completions/crapette.fish
  eval "$(crapette completion)"                                        in this shell, now

exit status:
  0  printed      2  unknown shell""",
    )
    made.add_argument("shell", nargs="?", choices=SHELLS, help="default: the shell of $SHELL")
    made.add_argument("--json", action="store_true", help="print the script and all commands as JSON")
    return made


def _bash(commands: Sequence[Completed]) -> str:
    """For bash; zsh has a builtin that reads the like, but its own is better."""
    lines = [
        "_crapette() {",
        '    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=""',
        "    COMPREPLY=()",
        '    if [ "$COMP_CWORD" -eq 1 ]; then',
        f'        COMPREPLY=($(compgen -W {shlex.quote(" ".join(one.name for one in commands))} -- "$word"))',
        "        return",
        "    fi",
        '    case "${COMP_WORDS[1]}:$before" in',
    ]
    for one in commands:
        for option in one.options:
            if option.values is None:
                continue
            patterns = "|".join(f"{one.name}:{name}" for name in option.names)
            act = f"words={shlex.quote(' '.join(option.values))}" if option.values else "words=-files"
            lines.append(f"        {patterns}) {act} ;;")
    lines += ["    esac", '    if [ -z "$words" ]; then', '        case "${COMP_WORDS[1]}" in']
    for one in commands:
        names = " ".join(name for option in one.options for name in option.names)
        lines.append(
            f'        {one.name}) case "$word" in -*) words={shlex.quote(names)} ;;'
            f" *) words={shlex.quote(' '.join(one.words))} ;; esac ;;"
        )
    lines += [
        "        esac",
        "    fi",
        '    [ "$words" = -files ] || COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "    # Files too, except where an option begins.",
        '    case "$word" in -*) ;; *) compopt -o default 2>/dev/null',
        "        local IFS=$'\\n'; COMPREPLY+=($(compgen -f -- \"$word\")) ;; esac",
        "}",
        "complete -o filenames -F _crapette crapette ./crapette",
        "",
    ]
    return "\n".join(lines)


def _zsh(commands: Sequence[Completed]) -> str:
    """For zsh's own system of completion."""
    lines = ["_crapette() {", "    local -a commands", "    commands=("]
    lines += [f"        {_quoted(one.name, one.does)}" for one in commands]
    lines += [
        "    )",
        "    if (( CURRENT == 2 )); then",
        "        _describe command commands",
        "        return",
        "    fi",
        "    local command=$words[2]",
        "    shift words; (( CURRENT-- ))",
        "    case $command in",
    ]
    for one in commands:
        lines.append(f"        {one.name}) _arguments -S \\")
        for option in one.options:
            value = "" if option.values is None else ":value:" + _zsh_values(option.values)
            means = option.help.translate(str.maketrans("[]:", "();"))
            lines += [f"            {shlex.quote(f'*{name}[{means}]{value}')} \\" for name in option.names]
        rest = "*:file:_files"
        if one.words:
            alternatives = f"'words:word:({' '.join(one.words)})' 'files:file:_files'"
            rest = f"*:argument:{{_alternative {alternatives}}}"
        lines += [f"            {shlex.quote(rest)}", "            ;;"]
    return "\n".join([*lines, "    esac", "}", "compdef _crapette crapette ./crapette", ""])


def _zsh_values(values: Sequence[str]) -> str:
    return f"({' '.join(values)})" if values else "_files"


def _quoted(name: str, means: str) -> str:
    return shlex.quote(f"{name}:{means}")


def _fish(commands: Sequence[Completed]) -> str:
    """For fish."""
    none = "__fish_use_subcommand"
    lines = []
    for one in commands:
        seen = f"__fish_seen_subcommand_from {one.name}"
        lines.append(f"complete -c crapette -n {none} -f -a {one.name} -d {_fish_quoted(one.does)}")
        for option in one.options:
            names = " ".join(
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
            )
            takes = "" if option.values is None else " -r"
            if option.values:
                takes = f" -x -a {_fish_quoted(' '.join(option.values))}"
            lines.append(f"complete -c crapette -n '{seen}' {names}{takes} -d {_fish_quoted(option.help)}")
        if one.words:
            lines.append(f"complete -c crapette -n '{seen}' -a {_fish_quoted(' '.join(one.words))}")
    return "\n".join([*lines, ""])


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
