// The page of results: a Markdown table per part, and an explanation of its columns.

import { availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os";
import type { Version } from "./checkout.ts";

/** One measured value. */
export interface Measurement {
  readonly what: string;
  readonly unit: "µs" | "ms" | "s" | "MiB" | "bytes" | "a test" | "a request" | "/s";
  /** Value to compare with, measured in the same run. */
  readonly baseline?: { readonly what: string; readonly value: number };
  readonly value: number;
  /** Minimum ratio as the target, or minimum gain if it says so. */
  readonly aim?: string;
}

export interface Figure extends Measurement {
  /** The same value of the commit of `--compare`. */
  readonly compared?: Measurement | undefined;
}

/** Returns the heading: date, machine and commits, and an explanation of the page. */
export function heading([now, other]: readonly Version[]): string {
  const model = cpus()[0]?.model ?? "unknown CPU";
  const gib = Math.round(totalmem() / 1024 ** 3);
  const load = loadavg()[0]?.toFixed(1);
  const machine = `${availableParallelism()} × ${model}, ${gib} GiB, ${type()} ${release()}, Node ${process.versions.node}`;
  return `# Commit ${now?.commit}${other === undefined ? "" : ` and ${other.commit}, in turn`}

${new Date().toISOString().slice(0, 16)}Z on ${machine}; load average ${load} at the start.

A **ratio** says how many times as good the product is as the baseline: baseline ÷ product of a cost (µs, ms, s, MiB, bytes),
product ÷ baseline of a rate (/s). Above 1 the product is better.${other === undefined ? "" : ` **Gain** is the same between the two commits.`}
`;
}

/** Returns the table of a part. */
export function table(title: string, note: string, figures: readonly Figure[], versions: readonly Version[]): string {
  const [now, other] = versions.map(({ commit }) => commit);
  const hasBaseline = figures.some(({ baseline }) => baseline !== undefined);
  const columns: [string, (figure: Figure) => string][] = [["", ({ what }) => what]];
  columns.push([now ?? "", (figure) => quantity(figure, figure.value)]);
  if (other !== undefined) {
    columns.push([other, ({ compared }) => (compared ? quantity(compared, compared.value) : "")]);
    columns.push(["gain", (figure) => (figure.compared ? ratio(figure, figure.compared.value) : "")]);
  }
  if (hasBaseline) {
    columns.push([
      "baseline",
      ({ unit, baseline }) => (baseline ? `${baseline.what} ${quantity({ unit }, baseline.value)}` : ""),
    ]);
    columns.push(["ratio", (figure) => (figure.baseline ? ratio(figure, figure.baseline.value) : "")]);
    if (other !== undefined) {
      columns.push([
        `ratio of ${other}`,
        ({ compared }) => (compared?.baseline ? ratio(compared, compared.baseline.value) : ""),
      ]);
    }
  }
  if (figures.some(({ aim }) => aim !== undefined)) columns.push(["aim", ({ aim = "" }) => aim]);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    `## ${title}\n\n${note}\n`,
    line(columns.map(([name]) => name)),
    line(columns.map((_, at) => (at === 0 ? "---" : "--:"))),
    ...figures.map((figure) => line(columns.map(([, cell]) => cell(figure)))),
    "",
  ].join("\n");
}

function quantity({ unit }: Pick<Measurement, "unit">, value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)}${unit === "/s" ? "" : " "}${unit}`;
}

function ratio({ unit, value }: Measurement, other: number): string {
  return (unit === "/s" ? value / other : other / value).toFixed(2);
}
