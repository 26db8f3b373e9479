// `ems completion`: prints shell completion scripts. They contain all commands and options, so they start no process.

import { Argument, type Command } from "commander";
import type { Cli } from "../cli.ts";

export function addCompletion(program: Command, cli: Cli): void {
  program
    .command("completion")
    .description('print a completion script: eval "$(ems completion bash)", zsh likewise; ems completion fish | source')
    .addArgument(new Argument("<shell>").choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => cli.out(scripts[shell](listNodes(program, []))));
}

/** A command's path and the words that may follow it. */
interface CompletionNode {
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  /** Allowed values of the command's arguments. */
  readonly choices: readonly string[];
  readonly flags: readonly string[];
}

function listNodes(command: Command, path: readonly string[]): CompletionNode[] {
  const commands = command.commands.map((subcommand) => ({
    name: subcommand.name(),
    description: subcommand.description(),
  }));
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const above = path.length === 0 ? [] : globalFlags(command);
  const flags = [...command.options.map(({ long }) => long ?? ""), ...above, "--help"];
  return [
    { path, commands, choices, flags },
    ...command.commands.flatMap((subcommand) => listNodes(subcommand, [...path, subcommand.name()])),
  ];
}

function globalFlags(command: Command): string[] {
  let top = command;
  while (top.parent) top = top.parent;
  return top.options.map(({ long }) => long ?? "");
}

/** Returns the shell's `case` branches, each from a command path to its possible next words. */
function cases(nodes: readonly CompletionNode[]): string {
  return nodes
    .map(({ path, commands, choices, flags }) => {
      const follow = [...commands.map(({ name }) => name), ...choices, ...flags].join(" ");
      return `    ${JSON.stringify(path.join(" "))}) words=${JSON.stringify(follow)} ;;`;
    })
    .join("\n");
}

/** Returns a `case` pattern that matches every command path. */
function pathPattern(nodes: readonly CompletionNode[]): string {
  const paths = nodes.filter(({ path }) => path.length > 0).map(({ path }) => JSON.stringify(path.join(" ")));
  return paths.join("|");
}

const scripts = {
  bash: (nodes: readonly CompletionNode[]) => `_ems() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
    ${pathPattern(nodes)}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases(nodes)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _ems ems`,

  zsh: (nodes: readonly CompletionNode[]) => `_ems() {
  local current_path="" word words_now=""
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${current_path:+$current_path }$word" in
    ${pathPattern(nodes)}) current_path="\${current_path:+$current_path }$word" ;;
    esac
  done
  case "$current_path" in
${cases(nodes).replaceAll(") words=", ") words_now=")}
  esac
  compadd -- \${=words_now} || _files
}
compdef _ems ems`,

  fish: (nodes: readonly CompletionNode[]) =>
    [
      "function __ems_at",
      "  set -l path",
      "  for word in (commandline -opc)[2..-1]",
      `    contains -- (string join -- ' ' $path $word) ${nodes
        .filter(({ path }) => path.length > 0)
        .map(({ path }) => fishQuoted(path.join(" ")))
        .join(" ")}; and set -a path $word`,
      "  end",
      '  test "$path" = "$argv[1]"',
      "end",
      ...nodes.flatMap(({ path, commands, choices, flags }) => [
        ...commands.map(({ name, description }) =>
          formatCompletion(path, `-f -a ${name} -d ${fishQuoted(description)}`),
        ),
        ...choices.map((choice) => formatCompletion(path, `-f -a ${choice}`)),
        ...flags.map((flag) => formatCompletion(path, `-l ${flag.slice(2)}`)),
      ]),
    ].join("\n"),
};

function formatCompletion(path: readonly string[], what: string): string {
  return `complete -c ems -n ${fishQuoted(`__ems_at ${fishQuoted(path.join(" "))}`)} ${what}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}
