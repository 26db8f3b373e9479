import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { read, root } from "../house/sources.ts";
import { generate } from "./generate.ts";
import { getMutation, rules } from "./list/index.ts";
import { mutate } from "./mutation.ts";
import { nearestTests } from "./nearest-tests.ts";

const mutants = (source: string) => generate("file.ts", source).map((mutation) => mutate(source, mutation));

test("conditions, comparisons, defaults and calls are mutated, and types are not", () => {
  expect(mutants("if (a < b) c();").toSorted()).toEqual(
    ["if (true) c();", "if (false) c();", "if ((a >= b)) c();", "if (a < b) ;"].toSorted(),
  );
  expect(mutants("const a: Array<1 | 2> = b ?? c;")).toEqual(["const a: Array<1 | 2> = (b);"]);
  expect(mutants("const a = b ?? 0; const c = 24 * 60; const d = e ?? true;")).toEqual([]);
  expect(mutants("const a = !b && c;")).toEqual(["const a = (b) && c;", "const a = (!b || c);"]);
  expect(mutants("const a = b.filter(c) as D;")).toEqual(["const a = b as D;"]);
  expect(mutants('log.info("a"); const b = "c" + d;')).toEqual([]);
});

test("SQL in texts is mutated, and other texts are not", () => {
  const sql = (text: string) => `const a = ${JSON.stringify(text)};`;
  expect(mutants(sql("hello AND goodbye"))).toEqual([]);
  expect(mutants(sql("SELECT a FROM b WHERE c = $1 AND d IS NULL FOR UPDATE SKIP LOCKED"))).toEqual(
    [
      "SELECT a FROM b WHERE (c = $1 OR true) AND d IS NULL FOR UPDATE SKIP LOCKED",
      "SELECT a FROM b WHERE c = $1 OR d IS NULL FOR UPDATE SKIP LOCKED",
      "SELECT a FROM b WHERE c = $1 AND d IS NOT NULL FOR UPDATE SKIP LOCKED",
      "SELECT a FROM b WHERE c = $1 AND d IS NULL",
      "SELECT a FROM b WHERE c = $1 AND d IS NULL FOR UPDATE",
    ].map(sql),
  );
});

test("each generated mutation of a file has a label of its own", () => {
  const file = "services/kit/src/db/queue/statements.ts";
  const labels = generate(file, read(file)).map(({ label }) => label);
  expect(labels.length).toBeGreaterThan(20);
  expect(new Set(labels).size).toBe(labels.length);
});

test("every rule of the list is in the code once, and its tests are there", () => {
  for (const rule of rules) {
    expect(read(rule.file)).not.toBe(mutate(read(rule.file), getMutation(rule)));
    expect(rule.tests.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  }
  expect(() => getMutation({ file: "package.json", before: "no such text", after: "", breaks: "", tests: [] })).toThrow(
    "is not found in package.json",
  );
});

test("the test of a file is the nearest one", () => {
  const folder = "services/kit/src/db/queue";
  expect(nearestTests(`${folder}/define-queue.ts`, 2, () => true)[0]).toBe(`${folder}/define-queue.test.ts`);
  expect(nearestTests("services/traces/src/search/jobs.ts", 9, () => true)).toContain(
    "services/traces/src/queues.test.ts",
  );
});
