// Report of `npm run nightly`: one row per part, then the failures.

import type { Part } from "./parts.ts";

export interface Outcome {
  readonly part: Part;
  readonly exitCode: number;
  readonly seconds: number;
  readonly output: string;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Parses the part's closing line; a part without one counts as one test that passed if the exit code is 0. */
export function getCounts({ exitCode, output }: Pick<Outcome, "exitCode" | "output">): Counts {
  const line = [...output.matchAll(/^(?<passed>\d+) passed, (?<failed>\d+) failed/gm)].at(-1)?.groups;
  const [passed, failed] = [Number(line?.passed ?? 0), Number(line?.failed ?? 0)];
  if (exitCode === 0) return { passed: line === undefined ? 1 : passed, failed };
  return { passed, failed: Math.max(failed, 1) };
}

/** Returns Markdown: a table, then lines of failed and flaky tests, then tables that tests printed. */
export function formatReport(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((outcome) => {
    const { passed, failed } = getCounts(outcome);
    const { name, what } = outcome.part;
    return `| ${name} | ${what} | ${passed} | ${failed} | ${minutes(outcome.seconds)} |`;
  });
  const named = outcomes.flatMap(({ part, output }) =>
    output
      .split("\n")
      .filter((line) => /^(failed|flaky): | {2}because: /.test(line))
      .map((line) => (line.startsWith(" ") ? line : `${part.name}: ${line}`)),
  );
  const table = ["| part | what | passed | failed | min:s |", "|---|---|--:|--:|--:|", ...rows];
  return [...table, ...(named.length > 0 ? ["", ...named] : []), ...outcomes.flatMap(printedTables), ""].join("\n");
}

/** Finds tables that tests printed below a line `report: <title>`. */
function printedTables({ part, output }: Pick<Outcome, "part" | "output">): string[] {
  const printed = output.matchAll(/^report: (?<title>.*)\n(?<table>(?:\|.*\n)+)/gm);
  return [...printed].flatMap(({ groups: { title = "", table = "" } = {} }) => [
    ...["", `## ${part.name}: ${title}`, ""],
    table.trimEnd(),
  ]);
}

const minutes = (seconds: number) => `${Math.floor(seconds / 60)}:${String(Math.round(seconds) % 60).padStart(2, "0")}`;
