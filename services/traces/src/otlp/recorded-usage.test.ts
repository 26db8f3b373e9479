// Usage in recorded exports of real packages (../../test/recorded/README.md).

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";

const harness = await tracesHarness();
const otlp = harness.client(OtlpService);
const traces = harness.client(TraceService);

/** Costs by the providers' list prices for 86 new, 17,817 cached and 100 output tokens. */
const gpt5Mini = (86 * 250 + 17_817 * 25 + 100 * 2_000) / 1e9;
const sonnet45 = (86 * 3_000 + 17_817 * 300 + 100 * 15_000) / 1e9;

test.each([
  ["new-openllmetry_openai", gpt5Mini],
  ["new-openllmetry_anthropic", sonnet45],
  ["new-openinference_openai", gpt5Mini],
  ["new-openinference_anthropic", sonnet45],
  ["new-pydantic_ai_openai", gpt5Mini],
])("%s: tokens and cost are the provider's", async (name, cost) => {
  const caller = testCall(testTenant());
  const payload = gunzipSync(readFileSync(new URL(`../../test/recorded/${name}.bin`, import.meta.url)));
  await otlp.exportTraces({ payload, contentType: "application/x-protobuf" }, caller);
  const { data } = await traces.listTraces({}, caller);
  expect(data.length).toBeGreaterThan(0);
  // Some instrumentations record a call in two traces.
  for (const { tokens, totalCost, unpricedSteps } of data) {
    expect({ ...tokens, unpricedSteps }).toMatchObject({
      input: 17_903n,
      output: 100n,
      cachedInput: 17_817n,
      unpricedSteps: 0n,
    });
    expect(totalCost).toBeCloseTo(cost, 12);
  }
});
