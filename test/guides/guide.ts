// Commands of a guide: `sh` blocks below a comment `<!-- guide -->`; a `text` block after one has its output.

import { readFile } from "node:fs/promises";

export type Kind = "run" | "service" | "stop" | "network";

export interface Step {
  readonly kind: Kind;
  readonly script: string;
  /** Expected output; `…` matches anything. */
  readonly output?: string;
}

const mark = /^<!-- guide(?:: (service|stop|network))? -->$/;

export async function readSteps(file: string): Promise<Step[]> {
  const lines = (await readFile(file, "utf8")).split("\n");
  const steps: Step[] = [];
  for (const [index, line] of lines.entries()) {
    const found = mark.exec(line);
    if (found === null) {
      if (line.startsWith("<!-- guide")) throw new Error(`${file}: ${line} is no mark of a guide`);
      continue;
    }
    const kind = getKind(found[1]);
    if (kind === "stop") {
      steps.push({ kind, script: "" });
      continue;
    }
    const [script, end] = blockAt(lines, index + 1, "sh");
    if (script === undefined) throw new Error(`${file}: no block of commands follows line ${index + 1}`);
    const [output] = blockAt(lines, end, "text");
    steps.push({ kind, script, ...(output !== undefined && { output }) });
  }
  return steps;
}

function getKind(word: string | undefined): Kind {
  return word === "service" || word === "stop" || word === "network" ? word : "run";
}

/** Returns the fenced block at the next non-empty line, and the index of the line after it. */
function blockAt(lines: readonly string[], from: number, language: string): [string | undefined, number] {
  let at = from;
  while (lines[at] === "") at += 1;
  if (lines[at] !== `\`\`\`${language}`) return [undefined, from];
  const end = lines.indexOf("```", at);
  return [lines.slice(at + 1, end).join("\n"), end + 1];
}

/** True if the output matches that of the guide. */
export function matches(output: string, expected: string): boolean {
  const parts = expected.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[\\s\\S]*?")}$`).test(output.trim());
}
