import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { makeStorable } from "@ems/kit/readers";
import { TraceStepSchema } from "@ems/proto/experiments/v1/trace";
import { expect, test } from "vitest";
import { callFields } from "./count-calls.ts";
import { stepContent, traceStep } from "./step-row.ts";
import type { SpanCall } from "./trace-update.ts";

const traceId = newId();

function storedStep(id: string, costAmount: number, call?: SpanCall) {
  const usage = { promptTokens: 10n, completionTokens: 2n };
  const timestamp = timestampFromMs(0);
  const step = create(TraceStepSchema, { id, traceId, type: "llm", event: "end", timestamp, usage, costAmount });
  return { ...stepContent(traceId, step, call), traceId };
}

test("a step returns the counted usage of its call, not the span's own", () => {
  const call = { callId: newId(), isPriced: true };
  const fields = { name: makeStorable("chat"), ...callFields({}) };
  const answered = traceStep({ ...storedStep(newId(), 0.4, call), fields });
  expect([answered.name, answered.usage, answered.costAmount]).toEqual(["chat", undefined, undefined]);
});

test("a span's own usage does not count toward its step's size", () => {
  const id = newId();
  expect(storedStep(id, 0.5, { callId: id, isPriced: false }).size).toBe(storedStep(id, 0.5).size);
});
