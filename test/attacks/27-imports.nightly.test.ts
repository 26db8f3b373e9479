// Task imports that are expensive to read. Catalog's import-limits.test.ts measures the same texts in the service.

import { gzipSync } from "node:zlib";
import { hostileImports } from "@ems/test-support/hostile-imports";
import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { expectQuietDuring } from "../harness/quiet-tenant.ts";
import type { TestTenant } from "../harness/tenant.ts";

const product = await startAttacked();
const answerBytesMax = 64 * 1024;

const packed = (format: string, content: string) =>
  new Uint8Array(gzipSync(JSON.stringify({ dryRun: true, format, content })));

async function send({ apiKey, applicationId }: TestTenant, body: Uint8Array<ArrayBuffer>) {
  const response = await fetch(`${product.facts.baseUrl}/v0/tasks/import`, {
    method: "POST",
    headers: {
      "x-api-key": apiKey,
      "x-application-id": applicationId,
      "content-type": "application/json",
      "content-encoding": "gzip",
    },
    body,
  });
  return { status: response.status, text: await response.text() };
}

test("a quiet tenant notices little of imports that cost much", async () => {
  const hostile = await product.tenant();
  // Created in advance, so that the attack loses no time.
  const imports = hostileImports().map(({ name, format, content }) => ({ name, body: packed(format, content) }));
  const answers: { name: string; status: number; text: string }[] = [];
  const attacks = await expectQuietDuring({ ...(await product.tenant()), ...product.facts }, async (count) => {
    const { name, body } = imports[count % imports.length] as (typeof imports)[number];
    answers.push({ name, ...(await send(hostile, body)) });
  });
  expect(attacks).toBeGreaterThan(5);
  for (const { name, status, text } of answers) {
    // Control characters escaped as JSON exceed the body limit.
    expect([200, 413, 429], name).toContain(status);
    expect(Buffer.byteLength(text)).toBeLessThan(answerBytesMax);
  }
});

test("ten imports of one tenant at once wait for each other, and the rest is refused for a while", async () => {
  const [hostile, quiet] = [await product.tenant(), await product.tenant()];
  const costly = hostileImports().find(({ name }) => name === "999 lines of 90 unknown tags");
  const body = packed(costly?.format ?? "", costly?.content ?? "");
  const attacks = Promise.all(Array.from({ length: 10 }, () => send(hostile, body)));
  const other = await send(quiet, packed("CSV", "title\nCost"));
  expect([other.status, JSON.parse(other.text).errors]).toEqual([200, []]);
  const statuses = (await attacks).map(({ status }) => status);
  expect(statuses).toContain(200);
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
});
