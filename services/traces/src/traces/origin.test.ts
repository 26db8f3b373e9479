import type { JsonObject } from "@bufbuild/protobuf";
import { toValue } from "@ems/kit/json/free-value";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { otlpSpan, request } from "@ems/test-support/otlp";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";
import { readOrigin } from "../otlp/read-origin.ts";
import { fillOrigin, mergeOrigins, type Origin, rankEvent, rankOrigin, rankSpan } from "./origin.ts";

const harness = await tracesHarness();
const { tenant } = harness;
const caller = testCall(tenant);
const traces = harness.client(TraceService);
const otlp = harness.client(OtlpService);
const ingest = harness.client(IngestService);

let last = 0;
const nextDigits = () => (++last).toString(16).padStart(32, "d");

type Sent = readonly [resource: Readonly<Record<string, unknown>>, span: JsonObject];
async function send(batches: readonly (readonly Sent[])[]) {
  const traceId = nextDigits();
  for (const batch of batches) {
    const resourceSpans = batch.flatMap(
      ([resource, span]) => request([otlpSpan({}, { ...span, traceId })], resource).resourceSpans as JsonObject[],
    );
    const payload = Buffer.from(JSON.stringify({ resourceSpans }));
    await otlp.exportTraces({ payload, contentType: "application/json" }, caller);
  }
  return readTrace(traceId);
}
async function readTrace(id: string, call = caller) {
  const { data } = await traces.getTrace({ id }, call);
  return { service: data?.service, version: data?.version, environment: data?.environment };
}

const root: Sent = [
  { "service.name": "web" },
  { spanId: "00000000000000a1", startTimeUnixNano: "1772443800000009000" },
];
const child: Sent = [
  { "service.name": "api", "service.version": "1.2", "deployment.environment.name": "staging" },
  { spanId: "00000000000000a2", parentSpanId: "00000000000000a1", startTimeUnixNano: "1772443800000001000" },
];
const lateChild: Sent = [
  { "service.name": "db", "deployment.environment": "production" },
  { spanId: "00000000000000a3", parentSpanId: "00000000000000a1", startTimeUnixNano: "1772443800000002000" },
];

test("the root span's service counts, and the earliest span's where the root has none, for any order and batching", async () => {
  const expected = { service: "web", version: undefined, environment: "staging" };
  const orders = [
    [[root, child, lateChild]],
    [[lateChild, child, root]],
    [[lateChild], [child], [root]],
    [[root], [lateChild], [child]],
    [[child], [lateChild, root]],
    [[child], [root], [child], [lateChild]],
  ];
  for (const order of orders) expect(await send(order)).toEqual(expected);
});

test("merging and storing origins does not depend on their order", () => {
  const texts = fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined });
  const origin = fc.record({
    named: fc.record({ service: texts, version: texts, environment: texts }),
    rank: fc.oneof(
      fc.record({ isChild: fc.boolean(), startUs: fc.bigInt(0n, 3n) }).map(rankSpan),
      fc.option(fc.bigInt(0n, 3n), { nil: undefined }).map(rankEvent),
    ),
  });
  const empty = () =>
    ({
      service: null,
      version: null,
      environment: null,
      serviceRank: null,
      versionRank: null,
      environmentRank: null,
    }) as unknown as Parameters<typeof fillOrigin>[0];
  fc.assert(
    fc.property(fc.array(origin, { maxLength: 6 }), fc.nat(6), (list, split) => {
      const origins: Origin[] = list.map(({ named, rank }) => rankOrigin(named, rank));
      const all = (of: readonly Origin[]) => of.reduce(mergeOrigins, {});
      const [whole, reversed] = [empty(), empty()];
      fillOrigin(whole, all(origins));
      for (const each of origins.toReversed()) fillOrigin(reversed, each);
      expect(reversed).toEqual(whole);
      const batches = empty();
      fillOrigin(batches, all(origins.slice(split)));
      fillOrigin(batches, all(origins.slice(0, split)));
      expect(batches).toEqual(whole);
      expect(fillOrigin(batches, all(origins))).toBe(false);
    }),
  );
});

test.each([
  [
    { "service.name": "api", "service.version": 2 },
    { service: "api", version: "2" },
  ],
  [{ "deployment.environment": "old" }, { environment: "old" }],
  [{ "deployment.environment": "old", "deployment.environment.name": "new" }, { environment: "new" }],
  [{ "service.name": "unknown_service:node" }, {}],
  [{ "service.name": "unknown_service" }, {}],
  [{ "service.name": "unknown_services" }, { service: "unknown_services" }],
  [{ "service.name": " ", "service.version": "", "deployment.environment": null }, {}],
  [{ "service.name": ["a"] }, {}],
  [{ "service.name": "x".repeat(300) }, { service: `${"x".repeat(254)}…` }],
])("the resource %j names %j", (resource, expected) => {
  expect(readOrigin(resource)).toEqual(expected);
});

test("a trace event names its service, which precedes those of spans", async () => {
  const traceId = nextDigits();
  const event = { type: "trace", traceId, service: "batch", version: "7" };
  const send = (...events: object[]) => ingest.ingestEvents({ events: events as (typeof event)[] }, caller);
  const payload = Buffer.from(JSON.stringify(request([otlpSpan({}, { ...child[1], traceId })], child[0])));
  await otlp.exportTraces({ payload, contentType: "application/json" }, caller);
  expect(await readTrace(traceId)).toEqual({ service: "api", version: "1.2", environment: "staging" });
  await send(event);
  expect(await readTrace(traceId)).toEqual({ service: "batch", version: "7", environment: "staging" });
  const { data } = await send({ type: "log", traceId, service: "other" });
  expect(data[0]?.error).toBe("A single step cannot have service: move them to a trace event");
});

test("lists filter by service, version and environment, alone and together", async () => {
  const events = ["1", "2"].flatMap((version) =>
    ["staging", "production"].map((environment) => ({ type: "trace", service: "shop", version, environment })),
  );
  const ids = (await ingest.ingestEvents({ events }, caller)).data.map(({ id }) => id);
  const among = async (filter: Parameters<typeof traces.listTraces>[0]) => {
    const { data } = await traces.listTraces(filter, caller);
    return data.map(({ id }) => ids.indexOf(id)).sort();
  };
  expect(await among({ service: "shop" })).toEqual([0, 1, 2, 3]);
  expect(await among({ service: "shop", version: "2" })).toEqual([2, 3]);
  expect(await among({ service: "shop", environment: "staging" })).toEqual([0, 2]);
  expect(await among({ service: "shop", version: "1", environment: "production" })).toEqual([1]);
  expect(await among({ service: "Shop" })).toEqual([]);
});

test("the names are redacted, and stay short", async () => {
  const other = testTenant();
  const redactions = [{ name: "letters", pattern: "[a-c]", replacement: "[removed]", enabled: true }];
  await harness.client(IngestSettingsService).updateIngestSettings({ redactions }, testCall(other));
  const metadata = toValue({});
  const event = { type: "trace", service: "a-b-shop", environment: "a-".repeat(120), metadata };
  const { data } = await ingest.ingestEvents({ events: [event] }, testCall(other));
  const { service, environment } = await readTrace(data[0]?.id ?? "", testCall(other));
  expect(service).toBe("[removed]-[removed]-shop");
  expect(environment).toHaveLength(255);
});
