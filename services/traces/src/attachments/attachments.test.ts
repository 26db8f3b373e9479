import { createHash } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { Code } from "@ems/kit/errors";
import { toValue } from "@ems/kit/json/free-value";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import { testCall, testTenant } from "@ems/test-support";
import { keyValues, otlpSpan, request } from "@ems/test-support/otlp";
import { traceUuid } from "@ems/traces-client";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";

const harness = await tracesHarness();
const caller = testCall(harness.tenant);
const traces = harness.client(TraceService);
const otlp = harness.client(OtlpService);

let last = 0;
const nextDigits = () => (++last).toString(16).padStart(32, "b");
const toPayload = (json: JsonObject) => ({
  payload: Buffer.from(JSON.stringify(json)),
  contentType: "application/json",
});
const png = Buffer.from("89504e470d0a1a0a0000000d4948445200000001", "hex");
const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".padEnd(90));
const hash = (content: Buffer) => createHash("sha256").update(content).digest("hex");
const blob = (content: Buffer, mediaType: string) => ({
  type: "blob",
  mime_type: mediaType,
  content: content.toString("base64"),
});
const messages = (content: Buffer, mediaType = "image/png") =>
  JSON.stringify([{ role: "user", parts: [{ type: "text", content: "See" }, blob(content, mediaType)] }]);
const span = (traceId: string, content: Buffer, mediaType?: string) =>
  otlpSpan({ "gen_ai.operation.name": "chat", "gen_ai.input.messages": messages(content, mediaType) }, { traceId });
const sendSpans = (spans: JsonObject[]) => otlp.exportTraces(toPayload(request(spans)), caller);
const contents = () => harness.database.sql<{ hash: string }>("SELECT hash FROM traces.attachment ORDER BY hash");
const get = (id: string, digits: string, call = caller) => traces.getTraceAttachment({ id, hash: digits }, call);

test("content of spans, log records and events is stored once and returned as a file; other tenants find nothing", async () => {
  const [first, second] = [nextDigits(), nextDigits()];
  await sendSpans([span(first, png), span(first, svg, "image/svg+xml"), span(second, png)]);
  await sendSpans([span(first, png)]);
  const { data } = await traces.getTrace({ id: first }, caller);
  expect(data?.attachments).toMatchObject(
    [
      { hash: hash(png), mediaType: "image/png", bytes: 20n },
      { hash: hash(svg), mediaType: "image/svg+xml", bytes: 90n },
    ].toSorted((a, b) => (a.hash < b.hash ? -1 : 1)),
  );
  expect(data?.steps[0]?.input).toBe("See\n[image/png, 20 B]");
  expect(await contents()).toHaveLength(2);
  expect(await get(second, hash(png).toUpperCase())).toMatchObject({ contentType: "image/png", payload: png });
  expect(await get(first, hash(svg))).toMatchObject({ contentType: "application/octet-stream" });
  const gone = { code: Code.NotFound, rawMessage: "Attachment not found" };
  await expect(get(second, hash(svg))).rejects.toMatchObject(gone);
  await expect(get(first, hash(png), testCall(testTenant()))).rejects.toMatchObject(gone);
  await expect(get(first, "zz")).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("events and log records have attachments", async () => {
  const input = [
    {
      role: "user",
      content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${png.toString("base64")}` } }],
    },
  ];
  const event = { type: "llm", event: "start", modelId: "m", input: toValue(input) };
  const { data } = await harness.client(IngestService).ingestEvents({ events: [event] }, caller);
  const id = data[0]?.id ?? "";
  expect(await get(id, hash(png))).toMatchObject({ payload: png });
  expect(JSON.stringify((await traces.getTrace({ id }, caller)).data?.steps[0]?.input)).not.toContain("iVBOR");
  const traceId = nextDigits();
  const spanId = "00000000000000ab";
  const logRecord = {
    traceId,
    spanId,
    timeUnixNano: "1772443800000000000",
    eventName: "gen_ai.user.message",
    body: { kvlistValue: { values: keyValues({ role: "user", content: messages(svg) }) } },
  };
  await otlp.exportLogs(toPayload({ resourceLogs: [{ scopeLogs: [{ logRecords: [logRecord] }] }] }), caller);
  expect(await get(traceId, hash(svg))).toMatchObject({ payload: svg });
});

test("an erasure deletes content with its last trace", async () => {
  const [first, second] = [nextDigits(), nextDigits()];
  const own = Buffer.concat([png, Buffer.from("own")]);
  await sendSpans([span(first, own), span(second, own)]);
  const erase = (digits: string) =>
    harness.client(TraceWorkService).eraseTraces({ traceIds: [traceUuid(digits)] }, caller);
  const isStored = async () => (await contents()).some((row) => row.hash === hash(own));
  await erase(first);
  await expect(get(first, hash(own))).rejects.toMatchObject({ code: Code.NotFound });
  expect([await isStored(), (await get(second, hash(own))).payload]).toEqual([true, own]);
  await erase(second);
  expect(await isStored()).toBe(false);
});
