// Differences between two renderings as text. A golden file of them lists only the effects of the values.

import type { Manifest } from "./render.ts";

/** Formats the differences and groups objects that differ alike: `-` was removed, `+` was added. */
export function differences(before: readonly Manifest[], after: readonly Manifest[]): string {
  const [old, now] = [linesByObject(before), linesByObject(after)];
  const objects = [...new Set([...old.keys(), ...now.keys()])].toSorted();
  const byChange = new Map<string, string[]>();
  for (const object of objects) {
    const [gone, come] = [old.get(object) ?? [], now.get(object) ?? []];
    const [wasThere, isThere] = [new Set(gone), new Set(come)];
    const lines = [
      ...gone.filter((line) => !isThere.has(line)).map((line) => `  - ${line}\n`),
      ...come.filter((line) => !wasThere.has(line)).map((line) => `  + ${line}\n`),
    ];
    if (lines.length > 0) byChange.set(lines.join(""), [...(byChange.get(lines.join("")) ?? []), object]);
  }
  return [...byChange].map(([lines, names]) => `${names.join("\n")}\n${lines}`).join("\n");
}

function linesByObject(manifests: readonly Manifest[]): Map<string, string[]> {
  return new Map(
    manifests.map(({ kind, apiVersion, ...rest }) => [
      // The name of the migration Job ends with a hash.
      `${kind} ${rest.metadata.name.replace(/-[0-9a-f]{10}$/, "-…")}`,
      getLines({ apiVersion, ...rest, metadata: { ...rest.metadata, name: "" } }, ""),
    ]),
  );
}

/** Lists one line per value, by path; elements of a list are identified by name if they have one. */
function getLines(value: unknown, path: string): string[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((each, index) => getLines(each, `${path}[${each?.name ?? index}]`));
  if (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([name, each]) => getLines(each, path === "" ? name : `${path}.${name}`));
  return [`${path}: ${JSON.stringify(value)}`];
}
