import { otlpSpan } from "@ems/test-support/otlp";
import { expect, test } from "vitest";
import { readSteps } from "../../test/read-otlp.ts";
import { isChatter } from "./chatter.ts";
import { withoutNoise } from "./without-noise.ts";

const withoutChatter = (results: Parameters<typeof withoutNoise>[0]) => withoutNoise(results).spans;

test.each([
  ["initialize", { "mcp.method.name": "initialize" }, "mcp-python-sdk"],
  ["tools/list", { "mcp.method.name": "tools/list" }, ""],
  ["notifications/initialized", {}, "mcp-python-sdk"],
  ["tools/list.mcp", {}, "opentelemetry.instrumentation.mcp"],
  ["GET /health", { "url.path": "/health" }, ""],
  ["GET", { "http.target": "/api/healthz?full=1" }, ""],
  ["GET", { "http.route": "/actuator/health/liveness" }, ""],
  ["Check", { "rpc.service": "grpc.health.v1.Health" }, ""],
  ["create_agent teller", { "gen_ai.operation.name": "create_agent" }, ""],
])("%s with %j is chatter", (name, attributes, scope) => expect(isChatter(name, attributes, scope)).toBe(true));

test.each([
  ["tools/call get_fee", { "mcp.method.name": "tools/call" }, "mcp-python-sdk"],
  ["initialize", {}, "teller"],
  ["POST /v1/healthcare/ask", { "url.path": "/v1/healthcare/ask" }, ""],
  ["chat", { "gen_ai.operation.name": "chat" }, ""],
])("%s with %j is none", (name, attributes, scope) => expect(isChatter(name, attributes, scope)).toBe(false));

const list = { "mcp.method.name": "tools/list" };

test("a trace of chatter alone is left out, with its groups; in a conversation it stays", () => {
  const root = otlpSpan(list, { spanId: "00f067aa0ba902b7" });
  const child = (attributes: Record<string, unknown>) =>
    otlpSpan(attributes, { spanId: "00f067aa0ba902b8", parentSpanId: "00f067aa0ba902b7" });
  expect(withoutChatter(readSteps(root))).toEqual([]);
  expect(withoutChatter(readSteps(root, child({})))).toEqual([]);
  expect(withoutChatter(readSteps(root, child({ "gen_ai.operation.name": "chat" })))).toHaveLength(2);
  expect(withoutChatter(readSteps(child(list)))).toHaveLength(1);
  const tested = otlpSpan({ ...list, "ems.test.id": "01985b1a-0000-7000-8000-000000000000" });
  expect(withoutChatter(readSteps(tested))).toHaveLength(1);
});
