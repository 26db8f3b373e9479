// A part of the generated growth attack with a fixed seed: the operations with most parsing. growth.nightly.test.ts has all.

import { afterAll, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { GrowthAttack } from "./growth/attack.ts";
import { formatTable } from "./growth/screening.ts";
import { settings } from "./growth/settings.ts";

const names = new Set([
  "POST /v0/definitions",
  "POST /v0/definitions/try",
  "POST /v0/documents",
  "POST /v0/ingest",
  "POST /v0/ingest-settings/test",
  "POST /v0/otel/traces",
  "POST /v0/reporting/query",
  "POST /v0/style-guides",
  "POST /v0/tasks/import",
  "POST /v0/traces/{id}/test-paths",
  "POST /v0/webhook",
]);
/** Kinds of content of each field. */
const kindsMax = 1;

const product = await startAttacked("one", { ...settings, CONSOLE: "off" });
const attack = await GrowthAttack.begin(product, {
  seed: 33,
  // Other test files run at the same time: the nightly run allows 100 ms.
  holdMaxMs: 250,
});
afterAll(() => attack.client.close());
const operations = attack.operations.filter(({ name }) => names.has(name));

test("no field of the operations that parse most makes a request cost more than in proportion to its size", async () => {
  expect(operations.length).toBeGreaterThanOrEqual(10);
  attack.endAfter(0.5);
  for (const operation of operations) await attack.attack(operation, kindsMax);
  await attack.attackMessages(operations.filter(({ name }) => name.endsWith("/webhook")));
  const { results } = attack.screening;
  expect(
    results.filter(({ fault }) => fault !== undefined),
    formatTable(results, 0),
  ).toEqual([]);
  // A busy machine attacks few fields in the available time, and most hostile contents are refused.
  expect(attack.screening.made).toBeGreaterThan(2);
  expect(attack.screening.accepted).toBeGreaterThan(0);
});
