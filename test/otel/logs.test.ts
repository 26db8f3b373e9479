// OpenTelemetry's own log exporter: prompts outside of spans reach the step of their span, in either order of arrival.

import { context, trace } from "@opentelemetry/api";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-proto";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { expect, inject, onTestFinished, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";
import { createExporter, tracerTo, Watched } from "./harness/exporters.ts";

const tenant = await newTenant();
const destination = { ...inject("product"), apiKey: tenant.apiKey, applicationId: tenant.applicationId };
const headers = { "x-api-key": tenant.apiKey, "x-application-id": tenant.applicationId };

function loggerTo(path: string) {
  const exporter = new OTLPLogExporter({ url: destination.baseUrl + path, headers, compression: "gzip" as never });
  const provider = new LoggerProvider({ processors: [new BatchLogRecordProcessor({ exporter })] });
  onTestFinished(() => provider.shutdown());
  return { provider, logger: provider.getLogger("logs-test", "1.0.0") };
}

/** Records a model call as instrumentations do that write prompts to logs instead of spans. */
function recordCall(path: string, form: "now" | "before") {
  const spans = new Watched(createExporter("http/protobuf", "gzip", destination));
  const { provider, tracer } = tracerTo(spans);
  onTestFinished(() => provider.shutdown());
  const { provider: records, logger } = loggerTo(path);
  const attributes = { "gen_ai.operation.name": "chat", "gen_ai.system": "openai", "gen_ai.request.model": "gpt-5" };
  const span = tracer.startSpan("chat gpt-5", { attributes });
  const within = trace.setSpan(context.active(), span);
  if (form === "before") {
    const emit = (eventName: string, body: object) => logger.emit({ eventName, body: body as never, context: within });
    emit("gen_ai.system.message", { content: "Be brief." });
    emit("gen_ai.user.message", { content: "¿Qué? 🌧" });
    emit("gen_ai.choice", { index: 0, finish_reason: "stop", message: { role: "assistant", content: "Nada" } });
  } else {
    const message = (role: string, content: string) => ({ role, parts: [{ type: "text", content }] });
    logger.emit({
      eventName: "gen_ai.client.inference.operation.details",
      attributes: {
        "gen_ai.system_instructions": JSON.stringify([{ type: "text", content: "Be brief." }]),
        "gen_ai.input.messages": JSON.stringify([message("user", "¿Qué? 🌧")]),
        "gen_ai.output.messages": JSON.stringify([{ ...message("assistant", "Nada"), finish_reason: "stop" }]),
      },
      context: within,
    });
  }
  span.end();
  const { traceId } = span.spanContext();
  const step = async () => (await tenant.api.get(`/v0/traces/${traceId}`)).body.data.steps[0];
  return { sendSpan: () => provider.forceFlush(), sendRecords: () => records.forceFlush(), step, spans };
}

const expected = {
  input: '[{"role":"system","content":"Be brief."},{"role":"user","content":"¿Qué? 🌧"}]',
  output: "Nada",
  status: "success",
};
const cases = (["before", "now"] as const).flatMap((form) =>
  (["/v0/otel/v1/logs", "/v1/logs"] as const).map((path) => [form, path] as const),
);

test.each(cases)("records in the form of %s at %s, after their span", async (form, path) => {
  const { sendSpan, sendRecords, step, spans } = recordCall(path, form);
  await sendSpan();
  expect(spans.outcomes).toEqual([{ spans: 1, error: undefined }]);
  expect((await step()).input).toBeUndefined();
  await sendRecords();
  expect(await step()).toMatchObject(expected);
});

test.each(cases)("records in the form of %s at %s, before their span", async (form, path) => {
  const { sendSpan, sendRecords, step } = recordCall(path, form);
  await sendRecords();
  await sendSpan();
  expect(await step()).toMatchObject(expected);
});
