import type { JsonObject } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { ModelPriceService } from "@ems/proto/experiments/v1/model_price_service";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { otlpSpan, request, traceId } from "@ems/test-support/otlp";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";

const harness = await tracesHarness();
const otlp = harness.client(OtlpService);
const ingest = harness.client(IngestService);
const prices = harness.client(ModelPriceService);
const traces = harness.client(TraceService);

type Caller = ReturnType<typeof testCall>;

const post = (spans: readonly JsonObject[], caller: Caller) =>
  otlp.exportTraces({ payload: Buffer.from(JSON.stringify(request(spans))), contentType: "application/json" }, caller);

/** Returns the trace of the application's spans. */
async function readTrace(caller: Caller) {
  const { data } = await traces.listTraces({ referenceId: traceId }, caller);
  const trace = (await traces.getTrace({ id: data[0]?.id ?? "" }, caller)).data;
  if (trace === undefined) throw new Error("no trace");
  return trace;
}

test("a tenant's prices apply to later steps, and repricing applies them to stored ones", async () => {
  const tenant = testTenant();
  const caller = testCall(tenant);
  const house = { "gen_ai.operation.name": "chat", "gen_ai.response.model": "house-model" };
  const usage = { "gen_ai.usage.input_tokens": 1_000_000, "gen_ai.usage.output_tokens": 0 };
  await post([otlpSpan({ ...house, ...usage }), otlpSpan({ ...house, ...usage, "gen_ai.usage.cost": 7 })], caller);
  expect(await readTrace(caller)).toMatchObject({ totalCost: 7, unpricedSteps: 1n });
  const event = { type: "llm", event: "end", modelId: "house-model", usage: { promptTokens: 500_000n } };
  const { data: results } = await ingest.ingestEvents({ events: [event] }, caller);
  const list = [{ model: "House-Model", inputPerMillion: 2, outputPerMillion: 4, cachedInputPerMillion: 0.5 }];
  expect((await prices.updateModelPrices({ prices: list }, caller)).data?.prices).toMatchObject(list);
  expect((await prices.getModelPrices({}, caller)).data?.prices).toMatchObject(list);
  await post([otlpSpan({ ...house, ...usage, "gen_ai.usage.cache_read.input_tokens": 500_000 })], caller);
  expect(await readTrace(caller)).toMatchObject({ totalCost: 8.25, unpricedSteps: 1n });

  const range = {
    startDate: timestampFromDate(new Date(0)),
    endDate: timestampFromDate(new Date(Date.now() + 60_000)),
  };
  const dry = (await prices.repriceTraces({ ...range, dryRun: true }, caller)).data;
  expect(dry).toMatchObject({ traces: 2n, changedTraces: 2n, changedSteps: 2n, costBefore: 8.25, costAfter: 11.25 });
  expect((await readTrace(caller)).totalCost).toBe(8.25);
  const done = (await prices.repriceTraces(range, caller)).data;
  expect(done).toMatchObject({
    traces: 2n,
    changedTraces: 2n,
    unpricedSteps: 0n,
    costAfter: 11.25,
    archivedTraces: 0n,
  });
  expect(await readTrace(caller)).toMatchObject({ totalCost: 10.25, unpricedSteps: 0n });
  const single = (await traces.getTrace({ id: results[0]?.id ?? "" }, caller)).data;
  expect([single?.totalCost, single?.steps[0]?.costAmount]).toEqual([1, 1]);
  const next = (await prices.repriceTraces({ ...range, cursor: done?.cursor ?? "" }, caller)).data;
  expect([next?.traces, next?.cursor]).toEqual([0n, undefined]);
  expect((await prices.repriceTraces(range, caller)).data).toMatchObject({ changedTraces: 0n, changedSteps: 0n });

  // Lower prices reach steps that were priced before, and removed prices leave them unpriced.
  await prices.updateModelPrices({ prices: [] }, caller);
  await prices.repriceTraces(range, caller);
  expect(await readTrace(caller)).toMatchObject({ totalCost: 7, unpricedSteps: 2n });
});

test("two prices of one model are refused, and so is a cursor that was made up", async () => {
  const caller = testCall(testTenant());
  const price = { model: "m", inputPerMillion: 1, outputPerMillion: 1 };
  await expect(prices.updateModelPrices({ prices: [price, { ...price, model: "M" }] }, caller)).rejects.toThrow(
    "Invalid request data",
  );
  const range = { startDate: timestampFromDate(new Date(0)), endDate: timestampFromDate(new Date()) };
  await expect(prices.repriceTraces({ ...range, cursor: newId() }, caller)).rejects.toThrow("Invalid request data");
});
