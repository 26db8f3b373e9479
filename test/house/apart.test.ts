// A service's statements name only tables of its own schema. Services publish views, whose names end in a version.

import { expect, test } from "vitest";
import { files, isTest, read, services } from "./sources.ts";

const names = new RegExp(
  `\\b(?:FROM|JOIN|INTO|UPDATE|TABLE) (?:ONLY )?(${services.join("|")})\\.(?!\\w+_v\\d\\b)\\w+`,
  "g",
);

/** Files that may name tables of other services, and why. */
const mayName: Readonly<Record<string, string>> = {
  "services/traces/src/migrations/move-tables.sql": "takes the tables over",
};

test("no statement names a table of another service, except in these files", () => {
  const naming = files
    .filter((file) => file.startsWith("services/") && /\.(ts|sql)$/.test(file) && !isTest(file))
    .filter((file) => {
      const own = file.split("/")[1];
      return [...read(file).matchAll(names)].some(([, schema]) => schema !== own);
    });
  // Exceptions that are no longer needed must be removed.
  expect(naming.toSorted()).toEqual(Object.keys(mayName).toSorted());
});
