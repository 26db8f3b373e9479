import { expect, test } from "vitest";
import type { Schemas } from "../api/request.ts";
import { findAnswer, findQuestion } from "./answer.ts";

const step = (fields: Partial<Schemas["TraceStep"]>): Schemas["TraceStep"] => ({
  id: "1",
  type: "log",
  status: "success",
  timestamp: "2026-01-01T00:00:00.000Z",
  traceId: "1",
  ...fields,
});

test("the last response is the answer", () => {
  const steps = [
    step({ type: "response", content: "first" }),
    step({ type: "llm", output: '{"message":"model"}' }),
    step({ type: "response", content: "last" }),
  ];
  expect(findAnswer(steps)).toBe("last");
});

test("without a response it is the root's output, unwrapped", () => {
  expect(findAnswer([step({ type: "agent", output: '{"message":"root"}' })])).toBe("root");
});

test("else the last model that succeeded", () => {
  const steps = [
    step({ type: "request", content: "?" }),
    step({ parentId: "1", type: "llm", output: "plain" }),
    step({ parentId: "1", type: "llm", status: "error", output: "broken" }),
  ];
  expect(findAnswer(steps)).toBe("plain");
});

test("the question is the first request's", () => {
  const steps = [step({ type: "request", content: "" }), step({ type: "request", content: '{"message":"why?"}' })];
  expect(findQuestion(steps)).toBe("why?");
  expect(findQuestion([])).toBeUndefined();
});

test("objects stay JSON, and nothing is no answer", () => {
  expect(findAnswer([step({ output: '{"a":1}' })])).toBe('{"a":1}');
  expect(findAnswer([])).toBeUndefined();
});
