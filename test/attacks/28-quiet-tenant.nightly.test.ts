// Latency of a quiet tenant during requests that once blocked the event loop for seconds. Imports: 27-imports.nightly.test.ts.

import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { expectQuietDuring } from "../harness/quiet-tenant.ts";
import { requestHead } from "../harness/raw-text.ts";
import type { TestTenant } from "../harness/tenant.ts";

const product = await startAttacked();
const { baseUrl } = product.facts;
const hostile = await product.tenant();
const quiet = { ...(await product.tenant()), baseUrl };

async function post({ apiKey, applicationId }: TestTenant, path: string, body: Uint8Array<ArrayBuffer>) {
  const response = await fetch(baseUrl + path, {
    method: "POST",
    headers: {
      "x-api-key": apiKey,
      "x-application-id": applicationId,
      "content-type": "application/json",
      "content-encoding": "gzip",
    },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

const ones = (count: number) => `[${"1,".repeat(count - 1)}1]`;
const distinct = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

function spans(count: number, key: string, text: string) {
  const manySpans = Array.from({ length: count }, (_, at) => ({
    traceId: newId().replaceAll("-", ""),
    spanId: (at + 1).toString(16).padStart(16, "0"),
    name: "chat",
    startTimeUnixNano: "1772443800000000000",
    endTimeUnixNano: "1772443800840500000",
    attributes: [{ key, value: { stringValue: text } }],
  }));
  return { resourceSpans: [{ scopeSpans: [{ spans: manySpans }] }] };
}

/** Path and body of each request, which one tenant repeats. */
const attacks: Readonly<Record<string, readonly [path: string, body: () => unknown]>> = {
  "JSON in the texts of 32 spans": ["/v0/otel/traces", () => spans(32, "gen_ai.prompt", ones(30_000))],
  "one JSON text of a million values": ["/v0/otel/traces", () => spans(1, "gen_ai.prompt", ones(1_000_000))],
  "NUL in the JSON texts of 500 spans": [
    "/v0/otel/traces",
    () => spans(500, "gen_ai.input.messages", `[{"role":"user","content":"${"a\\u0000".repeat(200)}"}]`),
  ],
  "events with large objects": [
    "/v0/ingest",
    () => ({ events: Array.from({ length: 10 }, () => ({ type: "trace", metadata: distinct(500), steps: [] })) }),
  ],
  "an extraction with 70,000 names": [
    "/v0/definitions",
    () => ({
      name: "Growth",
      type: "OUTPUT_MATCH",
      globalConfig: { type: "string", extract: { group: distinct(70_000) } },
    }),
  ],
  "a body of 60,000 names": ["/v0/webhook", () => distinct(60_000)],
};

/** Created in advance, so that the attack loses no time. */
const variants = 8;

test.each(Object.entries(attacks))("%s", async (_, [path, body]) => {
  const bodies = Array.from({ length: variants }, () => new Uint8Array(gzipSync(JSON.stringify(body()))));
  const statuses = new Set<number>();
  const attackOnce = async (count: number) => {
    statuses.add(await post(hostile, path, bodies[count % variants] as (typeof bodies)[number]));
  };
  await expectQuietDuring(quiet, attackOnce);
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
});

test("twelve megabytes of a stranger, answered before they arrive", async () => {
  const { hostname, port } = new URL(baseUrl);
  const head = requestHead("POST /v0/ingest", { "content-type": "application/json", "content-length": 12_000_000 });
  const request = Buffer.from(head + "x".repeat(12_000_000));
  await expectQuietDuring(
    quiet,
    () =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => socket.end(request));
        socket.on("error", () => undefined).on("close", () => resolve());
        socket.resume();
      }),
  );
});
