import { expect, test } from "vitest";
import { newExample, toExampleDraft, toExamples } from "./example-draft.ts";

test.each([
  [{ input: "a" }, { input: "a" }],
  [
    { input: "a", expected: "1", metadata: { level: 1 } },
    { input: "a", expected: "1", metadata: { level: 1 } },
  ],
  [
    { input: "a", expected: ["1", "one"] },
    { input: "a", expected: ["1", "one"] },
  ],
])("the form sends %j as it was stored", (stored, sent) => {
  expect(toExamples([toExampleDraft(stored)])).toEqual([sent]);
});

test("empty examples and expected answers are omitted, and metadata that is not JSON is left to the API", () => {
  const drafts = [newExample, { input: "a", expected: ["", "1"], metadata: "{level" }];
  expect(toExamples(drafts)).toEqual([{ input: "a", expected: "1", metadata: "{level" }]);
});
