import type { JsonObject } from "@bufbuild/protobuf";
import { IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { otlpSpan, request } from "@ems/test-support/otlp";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";
import { noiseDecider } from "../ingest-settings/noise.ts";

const { client } = await tracesHarness();
const [otlp, settings, traces] = [client(OtlpService), client(IngestSettingsService), client(TraceService)];

const facts = {
  name: "GET /static/app.js",
  attributes: { "http.route": "/static/*", "http.status_code": 200 },
  resource: { "service.name": "web", "host.name": "a" },
};

test.each([
  [{ name: "GET /static/*" }, true],
  [{ name: "GET*.js" }, true],
  [{ name: "*static*app*" }, true],
  [{ name: "GET /static/app.js*" }, true],
  [{ name: "GET" }, false],
  [{ name: "*.css" }, false],
  [{ name: "GET /static/app.js*.js" }, false],
  [{ attribute: "http.route" }, true],
  [{ attribute: "http.status_code", value: "2*" }, true],
  [{ attribute: "http.status_code", value: "4*" }, false],
  [{ attribute: "host.name", value: "a" }, true],
  [{ attribute: "missing" }, false],
  [{ service: "web", name: "GET*" }, true],
  [{ service: "api", name: "GET*" }, false],
])("%j matches: %s", (rule, matches) => {
  expect(noiseDecider([{ ...rule, keep: false }])(facts)).toBe(matches ? "drop" : undefined);
  expect(
    noiseDecider([
      { ...rule, keep: true },
      { name: "*", keep: false },
    ])(facts),
  ).toBe(matches ? "keep" : "drop");
});

test("a pattern matches what a regular expression would, in bounded time", () => {
  const letters = (characters: string) =>
    fc.array(fc.constantFrom(...characters), { maxLength: 12 }).map((all) => all.join(""));
  fc.assert(
    fc.property(letters("ab*"), letters("ab"), (name, text) => {
      const expected = new RegExp(`^${name.replaceAll("*", ".*")}$`).test(text);
      const decision = noiseDecider([{ name, keep: false }])({ ...facts, name: text });
      expect(decision).toBe(expected ? "drop" : undefined);
    }),
  );
  const startedMs = performance.now();
  noiseDecider([{ name: `${"a*".repeat(100)}b`, keep: false }])({ ...facts, name: "a".repeat(1_000_000) });
  expect(performance.now() - startedMs).toBeLessThan(100);
});

const ids = ["00000000000000a1", "00000000000000a2", "00000000000000a3"] as const;
const model = { "gen_ai.operation.name": "chat" };

test("rules drop spans, move the spans below up, and keep what is otherwise left out; the answer says so", async () => {
  const caller = testCall(testTenant());
  const post = async (...spans: readonly JsonObject[]) => {
    const payload = Buffer.from(JSON.stringify(request(spans)));
    const { payload: answer } = await otlp.exportTraces({ payload, contentType: "application/json" }, caller);
    return JSON.parse(Buffer.from(answer).toString()) as JsonObject;
  };
  const probe = otlpSpan({ "url.path": "/health" }, { traceId: "a".repeat(32) });
  expect(await post(probe)).toEqual({});
  expect((await traces.listTraces({}, caller)).data).toEqual([]);
  const noise = [
    { attribute: "url.path", value: "/health", keep: true },
    { name: "middleware*", keep: false },
  ];
  await settings.updateIngestSettings({ redactions: [], noise }, caller);
  expect((await settings.getIngestSettings({}, caller)).data?.noise).toMatchObject(noise);
  const answer = await post(
    probe,
    otlpSpan({}, { name: "POST /chat", spanId: ids[0] }),
    otlpSpan({}, { name: "middleware cors", spanId: ids[1], parentSpanId: ids[0] }),
    otlpSpan(model, { name: "chat", spanId: ids[2], parentSpanId: ids[1] }),
    otlpSpan({}, { name: "middleware alone", traceId: "b".repeat(32) }),
  );
  expect(answer).toEqual({
    partialSuccess: { rejectedSpans: 2, errorMessage: "2 dropped by the noise rules of the ingest settings" },
  });
  const { data } = await traces.listTraces({}, caller);
  expect(data.map(({ steps }) => steps.map(({ name }) => name).toSorted()).toSorted()).toEqual([
    ["POST /chat", "chat"],
    ["work"],
  ]);
  const chat = data.flatMap(({ steps }) => steps).find(({ name }) => name === "chat");
  const root = data.flatMap(({ steps }) => steps).find(({ name }) => name === "POST /chat");
  expect(chat?.parentId).toBe(root?.id);
});

test("spans of a test are stored, whatever the rules say", async () => {
  const caller = testCall(testTenant());
  await settings.updateIngestSettings({ redactions: [], noise: [{ name: "*", keep: false }] }, caller);
  const tested = otlpSpan({ "ems.test.id": "01985b1a-0000-7000-8000-000000000000" });
  const payload = Buffer.from(JSON.stringify(request([tested, otlpSpan({}, { traceId: "c".repeat(32) })])));
  await otlp.exportTraces({ payload, contentType: "application/json" }, caller);
  expect((await traces.listTraces({}, caller)).data).toHaveLength(1);
});
