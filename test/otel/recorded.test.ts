// Recorded exports of SDKs in other languages (fixtures/README.md).

import { readFileSync } from "node:fs";
import { expect, inject, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const tenant = await newTenant();
const { baseUrl } = inject("product");

async function send(path: string, file: string) {
  const response = await fetch(baseUrl + path, {
    method: "POST",
    headers: {
      "x-api-key": tenant.apiKey,
      "x-application-id": tenant.applicationId,
      "content-type": "application/x-protobuf",
      "content-encoding": "gzip",
    },
    body: readFileSync(new URL(`fixtures/${file}`, import.meta.url)),
  });
  // An empty answer means that nothing was rejected.
  expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, 0]);
}

test("Python: an agent, its calls of models and of a tool that fails, and prompts in log records", async () => {
  await send("/v1/traces", "python-traces.bin");
  await send("/v1/logs", "python-logs.bin");
  const { data } = (await tenant.api.get("/v0/traces/a783267ea56ebed04b3b1add0969cff3")).body;
  expect(data).toMatchObject({
    referenceId: "a783267ea56ebed04b3b1add0969cff3",
    hasError: true,
    stepCount: 4,
    tokens: { input: 21, output: 8 },
    metadata: { "service.name": "python-teller", "session.id": "python-session" },
  });
  const step = (name: string) => data.steps.find((each: { name: string }) => each.name === name);
  expect(step("invoke_agent teller")).toMatchObject({ type: "agent", status: "success" });
  const { id: parentId } = step("invoke_agent teller");
  expect(step("chat gpt-5-mini")).toMatchObject({
    parentId,
    type: "llm",
    modelId: "gpt-5-mini-2026-08-07",
    finishReason: "tool_calls",
    input: "Was kostet eine Überweisung? ☕",
    output: "Fünf Euro — 👍",
    usage: { promptTokens: 21, completionTokens: 8 },
  });
  expect(step("fee_of")).toMatchObject({
    parentId,
    type: "tool",
    status: "error",
    toolCallId: "call_1",
    error: "ValueError: No fee for FR",
  });
  expect(step("chat gpt-4o")).toMatchObject({ input: "Und per Log? ☕", output: "Ja", finishReason: "stop" });
});
