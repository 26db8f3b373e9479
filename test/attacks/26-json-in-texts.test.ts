// JSON inside telemetry texts: a few kilobytes of gzip hold millions of values that a service would parse.

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { create, fromJson, type JsonObject, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { ExportLogsServiceRequestSchema } from "@ems/proto/opentelemetry/proto/collector/logs/v1/logs_service";
import { ExportTraceServiceRequestSchema } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { SpanSchema } from "@ems/proto/opentelemetry/proto/trace/v1/trace";
import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { framed, openSession, rawCall } from "../harness/raw-grpc.ts";
import type { TestTenant } from "../harness/tenant.ts";

const product = await startAttacked();
const pack = promisify(gzip);

const ones = (count: number) => `[${"1,".repeat(count - 1)}1]`;
const repeated = (item: string, count: number) => `[${Array(count).fill(item).join()}]`;
const attribute = (key: string, stringValue: string): JsonObject => ({ key, value: { stringValue } });

let spans = 0;
const span = (more: JsonObject = {}): JsonObject => ({
  traceId: Buffer.from((++spans).toString(16).padStart(32, "a"), "hex").toString("base64"),
  spanId: Buffer.from(spans.toString(16).padStart(16, "b"), "hex").toString("base64"),
  name: "chat",
  startTimeUnixNano: "1772443800000000000",
  endTimeUnixNano: "1772443800840500000",
  ...more,
});

type Span = MessageInitShape<typeof SpanSchema>;
const request = (list: readonly JsonObject[]) =>
  create(ExportTraceServiceRequestSchema, {
    resourceSpans: [{ scopeSpans: [{ spans: list.map((json): Span => fromJson(SpanSchema, json)) }] }],
  });
const protobuf = (list: readonly JsonObject[]) => toBinary(ExportTraceServiceRequestSchema, request(list));
const withAttribute = (key: string, text: string, count = 32) =>
  protobuf(Array.from({ length: count }, () => span({ attributes: [attribute(key, text)] })));

const types = { json: "application/json", protobuf: "application/x-protobuf" };

interface Attack {
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array;
}

const traces = (body: Uint8Array): Attack => ({ path: "/v1/traces", type: types.protobuf, body });

async function send(by: TestTenant, { path, type, body }: Attack) {
  const response = await fetch(product.facts.baseUrl + path, {
    method: "POST",
    headers: {
      "x-api-key": by.apiKey,
      "x-application-id": by.applicationId,
      "content-type": type,
      "content-encoding": "gzip",
    },
    body: new Uint8Array(await pack(body, { level: 1 })),
  });
  const text = Buffer.from(await response.arrayBuffer()).toString("latin1");
  const left = /"application";r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1];
  return { status: response.status, text, left: Number(left) };
}

const tooMany =
  "The request body has more than 1000000 values, including JSON inside text fields. Send it as several requests";
const million = 40_000;

/** Each has 1.2 million values or more. */
const attacks: Readonly<Record<string, () => Attack>> = {
  "prompts of numbers": () => traces(withAttribute("gen_ai.prompt", ones(million))),
  "messages of objects": () => traces(withAttribute("gen_ai.input.messages", repeated('{"a":{}}', million))),
  "JSON in a text of JSON": () =>
    traces(withAttribute("gen_ai.output.messages", JSON.stringify([{ role: "user", content: ones(million) }]))),
  "arguments of tools with spaces": () =>
    traces(withAttribute("gen_ai.tool.call.arguments", ones(million).replaceAll(",", ", "))),
  "events of spans": () => {
    const event = { name: "gen_ai.choice", attributes: [attribute("message", ones(million))] };
    return traces(protobuf(Array.from({ length: 8 }, () => span({ events: Array(4).fill(event) }))));
  },
  "links of spans": () => {
    const { traceId = "", spanId = "" } = span();
    const links = Array(4).fill({ traceId, spanId, attributes: [attribute("a", ones(million))] });
    return traces(protobuf(Array.from({ length: 8 }, () => span({ links }))));
  },
  "attributes of the process": () => {
    const resource = { attributes: [attribute("metadata", ones(1_100_000))] };
    const json = { resourceSpans: [{ resource, scopeSpans: [] }] };
    return traces(
      toBinary(ExportTraceServiceRequestSchema, fromJson(ExportTraceServiceRequestSchema, json as JsonObject)),
    );
  },
  "OTLP's JSON": () => {
    const list = Array.from({ length: 32 }, () => span({ attributes: [attribute("input.value", ones(million))] }));
    const body = Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: list }] }] }));
    return { path: "/v1/traces", type: types.json, body };
  },
  "log records": () => {
    const record = { eventName: "gen_ai.user.message", body: { stringValue: ones(million) } };
    const json = { resourceLogs: [{ scopeLogs: [{ logRecords: Array(32).fill(record) }] }] };
    const message = fromJson(ExportLogsServiceRequestSchema, json as JsonObject);
    return { path: "/v1/logs", type: types.protobuf, body: toBinary(ExportLogsServiceRequestSchema, message) };
  },
  "the API's own format": () => {
    const event = { type: "llm", output: ones(million), metadata: `{"a": ${ones(million)}}` };
    return {
      path: "/v0/ingest",
      type: types.json,
      body: Buffer.from(JSON.stringify({ events: Array(16).fill(event) })),
    };
  },
};

test.for(Object.keys(attacks))("more values than a request may have are refused, with advice: %s", async (name) => {
  const attacker = await product.tenant();
  const answer = await send(attacker, (attacks[name] ?? expect.unreachable)());
  expect([answer.status, answer.text.includes(tooMany)]).toEqual([413, true]);
});

test("the same over gRPC, packed", async () => {
  const attacker = await product.tenant();
  const frame = framed(new Uint8Array(await pack(withAttribute("gen_ai.prompt", ones(million)))));
  frame[0] = 1;
  const headers = { "x-api-key": attacker.apiKey, "grpc-encoding": "gzip" };
  const session = openSession(new URL(product.facts.grpcUrl).host);
  const { stream, answer } = rawCall(session, "/opentelemetry.proto.collector.trace.v1.TraceService/Export", headers);
  stream.end(frame);
  // RESOURCE_EXHAUSTED
  expect(await answer).toMatchObject({ status: 8, message: tooMany });
  session.destroy();
});

test("values inside of texts are charged, and prose is not", async () => {
  const cost = async (text: string) => {
    const tenant = await product.tenant();
    const before = await send(tenant, traces(withAttribute("a", "x", 1)));
    const after = await send(tenant, traces(withAttribute("a", text, 1)));
    expect([before.status, after.status]).toEqual([200, 200]);
    return before.left - after.left;
  };
  const prose = JSON.stringify([{ role: "user", content: "Hello, you, and [them], {all}. ".repeat(3_000) }]);
  const [plain, dense] = [await cost(prose), await cost(ones(200_000))];
  // Tokens are refilled meanwhile.
  expect(plain).toBeLessThanOrEqual(2);
  expect(dense).toBeGreaterThan(plain + 20);
});

test("a text of JSON beyond its limit stays plain text, and the answer says so", async () => {
  const attacker = await product.tenant();
  const text = ones(60_000);
  const answer = await send(attacker, traces(withAttribute("gen_ai.prompt", text, 1)));
  expect(answer.status).toBe(200);
  expect(answer.text).toContain("gen_ai.prompt: JSON of more than 50000 values is stored as plain text");
  const { body } = await attacker.api.get("/v0/traces");
  const { body: stored } = await attacker.api.get(`/v0/traces/${body.data[0].id}`);
  expect(JSON.stringify(stored.data.steps[0])).toContain(text);
});
