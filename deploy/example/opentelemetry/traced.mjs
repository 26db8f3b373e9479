// Sends a trace with OpenTelemetry's own SDK: one question, one retrieval, one model call. The variables
// OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS set the destination. Applications that vendors' packages
// trace need only `--import @opentelemetry/auto-instrumentations-node`.

import { trace } from "@opentelemetry/api";
import { NodeSDK } from "@opentelemetry/sdk-node";

const sdk = new NodeSDK({ serviceName: "bank-assistant" });
sdk.start();
const tracer = trace.getTracer("bank-assistant");

const messages = (role, content) => JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

tracer.startActiveSpan("answer", (root) => {
  // If the prompt came from a test, set its testId: this trace is then the test's answer.
  if (process.env.TEST_ID) root.setAttribute("ems.test.id", process.env.TEST_ID);
  root.setAttributes({ "session.id": "session-1", "user.id": "customer-7" });
  tracer.startActiveSpan("retrieval", (span) => {
    span.setAttributes({ "gen_ai.operation.name": "retrieval", "gen_ai.retrieval.query.text": "cost of an account" });
    span.end();
  });
  tracer.startActiveSpan("chat example-model", (span) => {
    span.setAttributes({
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "example-model",
      "gen_ai.input.messages": messages("user", "What does an account cost?"),
      "gen_ai.output.messages": messages("assistant", "Nothing for the first two years."),
      "gen_ai.usage.input_tokens": 128,
      "gen_ai.usage.output_tokens": 32,
    });
    span.end();
  });
  console.log(root.spanContext().traceId);
  root.end();
});
// Send the remaining spans.
await sdk.shutdown();
