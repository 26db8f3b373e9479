// `ems completion`: what a shell needs to complete commands and options. The scripts ask nobody while they run.

import { Argument, type Command } from "commander";
import type { Cli } from "../cli.ts";

export function addCompletion(program: Command, cli: Cli): void {
  program
    .command("completion")
    .description('print a completion script: eval "$(ems completion bash)", zsh likewise; ems completion fish | source')
    .addArgument(new Argument("<shell>").choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => cli.out(scripts[shell](placesOf(program, []))));
}

/** A command, by the words that lead to it, and the words that may follow them. */
interface Place {
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  /** What its arguments may be. */
  readonly choices: readonly string[];
  readonly flags: readonly string[];
}

function placesOf(command: Command, path: readonly string[]): Place[] {
  const commands = command.commands.map((one) => ({ name: one.name(), description: one.description() }));
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const above = path.length === 0 ? [] : globalFlags(command);
  const flags = [...command.options.map(({ long }) => long ?? ""), ...above, "--help"];
  return [
    { path, commands, choices, flags },
    ...command.commands.flatMap((one) => placesOf(one, [...path, one.name()])),
  ];
}

function globalFlags(command: Command): string[] {
  let top = command;
  while (top.parent) top = top.parent;
  return top.options.map(({ long }) => long ?? "");
}

/** Cases of a shell: a path that is typed so far to the words that may follow. */
function cases(places: readonly Place[]): string {
  return places
    .map(({ path, commands, choices, flags }) => {
      const follow = [...commands.map(({ name }) => name), ...choices, ...flags].join(" ");
      return `    ${JSON.stringify(path.join(" "))}) words=${JSON.stringify(follow)} ;;`;
    })
    .join("\n");
}

/** Paths that are one word longer than what is typed. */
function steps(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path.length > 0).map(({ path }) => JSON.stringify(path.join(" ")));
  return paths.join("|");
}

const scripts = {
  bash: (places: readonly Place[]) => `_ems() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
    ${steps(places)}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases(places)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _ems ems`,

  zsh: (places: readonly Place[]) => `_ems() {
  local current_path="" word words_now=""
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${current_path:+$current_path }$word" in
    ${steps(places)}) current_path="\${current_path:+$current_path }$word" ;;
    esac
  done
  case "$current_path" in
${cases(places).replaceAll(") words=", ") words_now=")}
  esac
  compadd -- \${=words_now} || _files
}
compdef _ems ems`,

  fish: (places: readonly Place[]) =>
    [
      "function __ems_at",
      "  set -l path",
      "  for word in (commandline -opc)[2..-1]",
      `    contains -- (string join -- ' ' $path $word) ${places
        .filter(({ path }) => path.length > 0)
        .map(({ path }) => fishQuoted(path.join(" ")))
        .join(" ")}; and set -a path $word`,
      "  end",
      '  test "$path" = "$argv[1]"',
      "end",
      ...places.flatMap(({ path, commands, choices, flags }) => [
        ...commands.map(({ name, description }) => completionOf(path, `-f -a ${name} -d ${fishQuoted(description)}`)),
        ...choices.map((choice) => completionOf(path, `-f -a ${choice}`)),
        ...flags.map((flag) => completionOf(path, `-l ${flag.slice(2)}`)),
      ]),
    ].join("\n"),
};

function completionOf(path: readonly string[], what: string): string {
  return `complete -c ems -n ${fishQuoted(`__ems_at ${fishQuoted(path.join(" "))}`)} ${what}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}
