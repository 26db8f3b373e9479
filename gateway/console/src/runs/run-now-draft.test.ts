import { expect, test } from "vitest";
import { newDraft, toRequest, toRunId } from "./run-now-draft.ts";

test.each([
  [3, 3],
  ["", 1],
] as const)("%j tests of each prompt are %i", (repeat, sent) => {
  expect(toRequest(["a"], { ...newDraft, repeat })).toEqual({ taskIds: ["a"], repeat: sent, simulate: false });
});

test("the run is the last part of the location", () => {
  expect(toRunId("/v0/runs/0190")).toBe("0190");
});
