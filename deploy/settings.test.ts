// Compares the table of limits in guides/limits.md with the defaults of the settings in it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processNames } from "./mesh.ts";
import { processSettings } from "./settings.ts";

const limits = readFileSync(join(import.meta.dirname, "guides/limits.md"), "utf8");
const defaults = new Map(
  processNames.flatMap((name) => processSettings[name].map((setting) => [setting.name, setting.default] as const)),
);

/** Returns the notations of a number that the table may use, such as in seconds or in MiB. */
function notations(value: number): string[] {
  const units = { "": 1, " s": 1_000, " KiB": 1_024, " MiB": 1_024 ** 2 };
  return Object.entries(units).map(([unit, size]) => `${(value / size).toLocaleString("en")}${unit}`);
}

test("the table of limits names existing settings with their defaults", () => {
  const rows = limits.split("\n").map((line) => line.split(" | "));
  const wrong = rows.flatMap(([, value = "", settings = ""]) =>
    [...settings.matchAll(/`([A-Z][A-Z_]+)`/g)].flatMap(([, name = ""]) => {
      if (!defaults.has(name)) return [`unknown setting ${name}`];
      const number = Number(defaults.get(name) ?? Number.NaN);
      const isStated = Number.isNaN(number) || notations(number).some((text) => value.includes(text));
      return isStated ? [] : [`${name} is ${number}, not ${value.trim()}`];
    }),
  );
  expect(wrong).toEqual([]);
  expect(rows.length).toBeGreaterThan(30);
});
