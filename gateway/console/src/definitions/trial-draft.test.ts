import { expect, test } from "vitest";
import { newDraft } from "./definition-draft.ts";
import { newTrial, toTrialRequest } from "./trial-draft.ts";

const trial = { ...newTrial, question: "Why?", answer: "12", context: ["a", ""], expected: "x", items: ["a", ""] };
const pasted = { question: "Why?", answer: "12" };

test.each([
  ["CUSTOM", "string", { ...pasted, globalConfig: { criterion: "" } }],
  ["RECALL", "string", { ...pasted, context: ["a"] }],
  ["FACT", "string", { ...pasted, expected: "x" }],
  ["OUTPUT_MATCH", "string", { ...pasted, expected: "x", globalConfig: { type: "string" } }],
  ["OUTPUT_MATCH", "list", { ...pasted, expected: ["a"], globalConfig: { type: "list" } }],
] as const)("a trial of %s, %s, sends the fields of its type", (type, comparison, sent) => {
  const request = toTrialRequest({ ...newDraft, type, comparison }, trial);
  expect(request).toMatchObject(sent);
  expect(Object.keys(request).sort()).toEqual(["type", ...Object.keys(sent)].sort());
});

test("a trace replaces the question, the answer and the context", () => {
  const request = toTrialRequest({ ...newDraft, type: "RECALL" }, { ...trial, source: "trace", traceId: "t" });
  expect(request).toEqual({ type: "RECALL", traceId: "t" });
});

test("an empty expectation is left out", () => {
  const definition = { ...newDraft, type: "OUTPUT_MATCH", comparison: "list" } as const;
  expect(toTrialRequest(definition, newTrial)).not.toHaveProperty("expected");
});
