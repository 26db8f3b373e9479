// The table of limits in README.md names settings that exist.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processNames } from "./mesh.ts";
import { variablesOf } from "./settings.ts";

const readme = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
const limits = readme.slice(readme.indexOf("\n## Limits"), readme.indexOf("\n## Containers"));

test("the limits name settings that exist, whose defaults the chart's table has", () => {
  const settings = new Set(processNames.flatMap(variablesOf));
  const cells = limits.split("\n").map((line) => line.split(" | ")[1] ?? "");
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = ""]) => name));
  expect(named.filter((name) => !settings.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(30);
});
