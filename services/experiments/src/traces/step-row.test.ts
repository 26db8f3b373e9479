import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { makeStorable } from "@ems/kit/readers";
import { TraceStepSchema } from "@ems/proto/experiments/v1/trace";
import { expect, test } from "vitest";
import { callFields } from "./duplicate-spans.ts";
import { stepContent, traceStep, updateFromSteps } from "./step-row.ts";
import type { SpanCall } from "./trace-update.ts";

const traceId = newId();

function storedStep(id: string, costAmount: number, call?: SpanCall) {
  const usage = { promptTokens: 10n, completionTokens: 2n };
  const timestamp = timestampFromMs(0);
  const step = create(TraceStepSchema, { id, traceId, type: "llm", event: "end", timestamp, usage, costAmount });
  return { ...stepContent(traceId, step, call), traceId };
}

test("stored steps become an update with what their spans say, whether they count it or not", () => {
  const call = { callId: newId(), isPriced: true };
  const [counting, other, native] = [
    storedStep(newId(), 0.5, call),
    storedStep(newId(), 0.4, call),
    storedStep("a", 0.3),
  ];
  const own = { usage: { promptTokens: 10, completionTokens: 2 }, costAmount: 0.4, isPriced: true };
  const duplicate = { ...other, fields: { name: makeStorable("chat"), ...callFields({ own, counted: {} }) } };
  const answered = traceStep(duplicate);
  expect([answered.name, answered.usage, answered.costAmount]).toEqual(["chat", undefined, undefined]);
  const { steps, calls } = updateFromSteps([counting, duplicate, native]);
  expect(steps.map(({ id, usage, costAmount }) => [id, usage?.promptTokens, costAmount])).toEqual([
    [counting.id, 10n, 0.5],
    [duplicate.id, 10n, 0.4],
    ["a", 10n, 0.3],
  ]);
  expect(steps[1]?.name).toBe("chat");
  expect(calls).toEqual(new Map([counting, duplicate].map(({ id }) => [id, call])));
});

test("what a span says itself is no part of its step's size", () => {
  const id = newId();
  expect(storedStep(id, 0.5, { callId: id, isPriced: false }).size).toBe(storedStep(id, 0.5).size);
});
