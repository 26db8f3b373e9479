// Traces are to get a service of their own: only experiments' group `traces/` names their tables, and others ask its functions.

import { expect, test } from "vitest";
import { files, isTest, read } from "./sources.ts";

const tables = "trace|trace_step|trace_words|trace_metadata|trace_settling|log_message|search_job|dropped_trace";
const names = new RegExp(`\\bexperiments\\.(?:${tables})\\b|\\b(?:FROM|JOIN|INTO|UPDATE) (?:${tables})\\b`);

const folder = "services/experiments/src";
/** Statements that name a trace table elsewhere, and why. */
const mayName: Readonly<Record<string, string>> = {
  "lifecycle/archive/schema.sql": "the baseline: ids of archived traces, and a trigger on traces that come again",
  "migrations/read-only-archive.ts": "a migration",
  "runs/evaluations/list-evaluations.ts": "the archive's filter by traces, which are in the same store",
  "runs/evaluations/schema.sql": "the baseline: a view of traces' definitions for catalog",
  "runs/execution/rerun-evaluations.ts": "counts, of any number of results, those whose trace is in the archive",
};

test("no statement outside services/experiments/src/traces names a trace table, but for these", () => {
  const naming = files
    .filter((file) => file.startsWith(`${folder}/`) && !file.startsWith(`${folder}/traces/`))
    .filter((file) => /\.(ts|sql)$/.test(file) && !isTest(file) && names.test(read(file)))
    .map((file) => file.slice(folder.length + 1));
  // An exception that is not needed any more is removed.
  expect(naming.toSorted()).toEqual(Object.keys(mayName).toSorted());
});
