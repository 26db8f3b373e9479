// OpenTelemetry's own JavaScript exporters over each transport, against the product in both shapes.

import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { afterEach, describe, expect, inject, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";
import {
  type Compression,
  createExporter,
  type Destination,
  type Transport,
  tracerTo,
  Watched,
} from "./harness/exporters.ts";

const tenant = await newTenant();
const destination = { ...inject("product"), apiKey: tenant.apiKey, applicationId: tenant.applicationId };
const opened: { shutdown(): Promise<void> }[] = [];
afterEach(async () => {
  for (const provider of opened.splice(0)) await provider.shutdown().catch(() => undefined);
});

function open(transport: Transport, compression: Compression, path?: string, to: Destination = destination) {
  const exporter = new Watched(createExporter(transport, compression, to, path));
  const { provider, tracer } = tracerTo(exporter);
  opened.push(provider);
  return { exporter, provider, tracer };
}

/** Records a chat within an agent, by OpenTelemetry's GenAI conventions. */
function record({ tracer }: ReturnType<typeof open>): string {
  const agent = tracer.startSpan("invoke_agent teller", { attributes: { "gen_ai.operation.name": "invoke_agent" } });
  const chat = tracer.startSpan(
    "chat gpt",
    {
      attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-5", "gen_ai.usage.input_tokens": 11 },
    },
    trace.setSpan(context.active(), agent),
  );
  chat.setAttribute("gen_ai.usage.output_tokens", 7);
  chat.end();
  agent.end();
  return agent.spanContext().traceId;
}

const storedTrace = async (traceId: string) => {
  const { data } = (await tenant.api.get(`/v0/traces?referenceId=${traceId}`)).body;
  return data.length === 0 ? undefined : (await tenant.api.get(`/v0/traces/${data[0].id}`)).body.data;
};

const combinations = (["http/json", "http/protobuf", "grpc"] as const).flatMap((transport) =>
  (["none", "gzip"] as const).map((compression) => [transport, compression] as const),
);

test.each(["http/json", "http/protobuf", "grpc"] as const)("over %s, a bearer token is enough", async (transport) => {
  const sender = open(transport, "gzip", undefined, { ...destination, applicationId: undefined });
  const traceId = record(sender);
  await sender.provider.forceFlush();
  expect(sender.exporter.outcomes).toEqual([{ spans: 2, error: undefined }]);
  expect(await storedTrace(traceId)).toMatchObject({ tokens: { input: 11, output: 7 } });
});

test.each(combinations)("over %s, compression %s, a NUL in JSON of an attribute costs no span", async (...to) => {
  const sender = open(...to);
  const span = sender.tracer.startSpan("chat\0", {
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.input.messages": '[{"role":"user","content":"a\\u0000"}]',
      "gen_ai.output.messages": '[{"role":"assistant","content":"\\ud800b\0"}]',
    },
  });
  const { traceId } = span.spanContext();
  span.end();
  await sender.provider.forceFlush();
  expect(sender.exporter.outcomes).toEqual([{ spans: 1, error: undefined }]);
  const { steps, replacedCharacters } = await storedTrace(traceId);
  // A raw NUL makes the text invalid as JSON: it stays a text, and the character is replaced.
  expect(steps[0]).toMatchObject({ name: "chat\ufffd", input: "a\ufffd", replacedCharacters });
  expect(steps[0].output).toContain("b\ufffd");
  expect(replacedCharacters).toBeGreaterThanOrEqual(3);
});

describe("a trace arrives, with its tokens,", () => {
  test.each(combinations)("over %s, compression %s", async (transport, compression) => {
    const sender = open(transport, compression);
    const traceId = record(sender);
    await sender.provider.forceFlush();
    expect(sender.exporter.outcomes).toEqual([{ spans: 2, error: undefined }]);
    const stored = await storedTrace(traceId);
    expect(stored).toMatchObject({ referenceId: traceId, tokens: { input: 11, output: 7 } });
  });

  test.each(["/v0/otel/traces", "/v0/otel/v1/traces", "/v1/traces"])("at %s", async (path) => {
    const sender = open("http/protobuf", "gzip", path);
    const traceId = record(sender);
    await sender.provider.forceFlush();
    expect(sender.exporter.outcomes).toEqual([{ spans: 2, error: undefined }]);
    expect(await storedTrace(traceId)).toBeDefined();
  });
});

test("an exception that a span records is the step's error", async () => {
  const sender = open("grpc", "gzip");
  const span = sender.tracer.startSpan("chat gpt", { attributes: { "gen_ai.operation.name": "chat" } });
  span.recordException(new Error("The context is too long"));
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
  await sender.provider.forceFlush();
  const stored = await storedTrace(span.spanContext().traceId);
  expect(stored.hasError).toBe(true);
  expect(JSON.stringify(stored.steps)).toContain("The context is too long");
});

describe("a refused export says why, and is not repeated:", () => {
  test.each(combinations)("an unknown key over %s, compression %s", async (transport, compression) => {
    const other = { ...destination, apiKey: `ems_${"x".repeat(49)}` };
    const sender = open(transport, compression, undefined, other);
    record(sender);
    await sender.provider.forceFlush().catch(() => undefined);
    expect(sender.exporter.outcomes).toEqual([{ spans: 2, error: expect.stringMatching(/unauth|401/i) }]);
  });
});

describe("a default batch of an agent's spans, over a mebibyte of JSON,", () => {
  test.each(combinations)("is one export over %s, compression %s", async (transport, compression) => {
    const sender = open(transport, compression);
    const root = sender.tracer.startSpan("agent");
    const within = trace.setSpan(context.active(), root);
    for (let index = 1; index < 512; index++) {
      const attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": JSON.stringify([
          { role: "user", parts: [{ type: "text", content: "word ".repeat(400) }] },
        ]),
        "gen_ai.usage.input_tokens": index,
      };
      sender.tracer.startSpan(`chat ${index}`, { attributes }, within).end();
    }
    root.end();
    // A full batch is exported at once.
    await expect.poll(() => sender.exporter.outcomes).toEqual([{ spans: 512, error: undefined }]);
    expect(await storedTrace(root.spanContext().traceId)).toMatchObject({ tokens: { input: (511 * 512) / 2 } });
  });
});
