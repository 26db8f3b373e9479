// The part of Prometheus's text format that tests read.

/** Values of one metric by labels. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads the samples at `/metrics` of a process's admin port. */
export async function scrape(adminUrl: string): Promise<Sample[]> {
  const answer = await fetch(`${adminUrl}/metrics`);
  if (!answer.ok) throw new Error(`/metrics answered ${answer.status}`);
  return getSamples(await answer.text());
}

function getSamples(text: string): Sample[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name = "", labels = "", value = ""] = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === "") throw new Error(`not a sample: ${line}`);
      const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, of]) => [key, of]);
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });
}

/** Parts of a query that name no metric: grouping labels, selectors, durations. */
const qualifiers = /\b(?:by|without|on|ignoring)\s*\([^)]*\)|\{[^}]*\}|\[[^\]]*\]/g;

/** Metrics in a query: words with an underscore that are not functions, and `up`. */
export function getMetrics(query: string): string[] {
  return query.replaceAll(qualifiers, " ").match(/\b(?:[a-z]+(?:_[a-z0-9]+)+|up)\b(?!\s*\()/g) ?? [];
}
