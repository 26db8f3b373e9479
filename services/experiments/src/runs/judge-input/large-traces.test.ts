// Judge input for the largest accepted traces.

import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { stepBytesMax, traceBytesMax } from "@ems/proto/limits";
import { testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { executions } from "../../../test/executions.ts";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const value = (json: JsonValue) => fromJson(ValueSchema, json);
const [outputMax, contextMax, noteMax] = [200_000, 300_000, 100];

/** Creates a test with a trace that gets its steps in separate requests and completes when all have arrived. */
async function traced() {
  const of = executions(harness, testTenant());
  const [{ id: testId } = { id: "" }] = (await of.trigger()).tests;
  await of.accept(testId);
  const traceId = newId();
  const send = async (events: object[]) => {
    const sent = events.map((event) => ({ traceId, ...event }));
    const { data } = await harness.client(IngestService).ingestEvents({ events: sent }, of.call());
    return data.filter(({ success }) => !success).map(({ error }) => error);
  };
  // The arrival of this event completes the trace.
  expect(await send([{ type: "trace", testId }])).toEqual([]);
  const hold = () =>
    harness.database.sql(
      "UPDATE traces.trace_settling SET due_at = 'infinity', started_at = now() WHERE test_id = $1",
      [testId],
    );
  await hold();
  const input = async () => {
    await harness.database.sql("UPDATE traces.trace_settling SET due_at = now() WHERE test_id = $1", [testId]);
    const ids = of.listEvaluations(await of.claim(1)).map(({ id }) => id);
    return harness.client(ExecutionService).getJudgeInput({ testId, evaluationIds: ids }, of.call());
  };
  const stepCount = async () =>
    (await harness.client(TraceService).getTrace({ id: traceId }, of.call())).data?.stepCount;
  return { send, hold, input, stepCount };
}

test("10,000 steps: the answer is the last response, and 200 retriever results are read", async () => {
  const { send, hold, input, stepCount } = await traced();
  const steps = Array.from({ length: 10_000 }, (_, index) => {
    const timestamp = { seconds: BigInt(1_767_225_600 + index), nanos: 0 };
    return index % 10 === 0
      ? { type: "retriever", query: value("cards"), result: value(`Result ${index}`), timestamp }
      : { type: "response", content: value(`Answer ${index}`), timestamp };
  });
  for (let at = 0; at < steps.length; at += 1_000) {
    expect(await send(steps.slice(at, at + 1_000))).toEqual([]);
    await hold();
  }
  const { output, context, hasRetriever } = await input();
  expect([output, hasRetriever]).toEqual(["Answer 9999", true]);
  expect(context).toHaveLength(201);
  expect([context[0], context.at(-1)]).toEqual(["Result 0", "[... 800 results left out ...]"]);
  expect(await stepCount()).toBe(10_000n);
}, 120_000);

test("64 MiB: the judge input is truncated at its limits and notes the omissions", async () => {
  const { send, hold, input } = await traced();
  const length = Math.floor(stepBytesMax * 0.9);
  const long = (first: string) => value(first.padEnd(length, "x "));
  for (const index of [1, 2, 3, 4]) {
    expect(await send([{ type: "retriever", query: value("cards"), result: long(`Result ${index}`) }])).toEqual([]);
    await hold();
  }
  for (const index of [1, 2, 3, 4]) {
    expect(await send([{ type: "response", content: long(`Answer ${index}`) }])).toEqual([]);
    await hold();
  }
  expect(8 * length + stepBytesMax).toBeGreaterThan(traceBytesMax);
  expect((await send([{ type: "response", content: long("Answer 5") }]))[0]).toMatch(/64 MiB/);
  const { output = "", context } = await input();
  expect(output).toMatch(/^Answer 4x x .*characters left out.*[x ]$/s);
  expect(output.length).toBeLessThanOrEqual(outputMax + noteMax);
  expect(context).toHaveLength(4);
  expect(context.map((text) => text.slice(0, 8))).toEqual(["Result 1", "Result 2", "Result 3", "Result 4"]);
  expect(context.join("").length).toBeLessThanOrEqual(contextMax + 4 * noteMax);
  for (const text of context) expect(text).toMatch(/characters left out/);
}, 240_000);
