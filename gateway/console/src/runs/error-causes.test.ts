import { expect, test } from "vitest";
import { findRemedy } from "./error-causes.ts";

const failed = (message: string) => ({ status: "FAILED" as const, message });
const judged = { taskId: "a", traceId: "1", prompt: "Why?", message: null, evals: [failed("model_unavailable: 503")] };
const unasked = {
  taskId: "b",
  traceId: null,
  prompt: "Why?",
  message: "no_webhook: The application has no webhook",
  evals: [],
};
const paths = (fixes: readonly { readonly to: string }[]) => fixes.map(({ to }) => to);

test("evaluations of a test with an answer are scored again", () => {
  expect(findRemedy("JUDGE", [judged, judged])).toEqual({ canRescore: true, taskIds: [], fixes: [] });
});

test("tests without anything to evaluate are rerun, each task once", () => {
  const { canRescore, taskIds } = findRemedy("CONFIGURATION", [judged, unasked, unasked]);
  expect([canRescore, taskIds]).toEqual([true, ["b"]]);
});

test("recorded tests are rerun, because the product cannot evaluate them again", () => {
  expect(findRemedy("JUDGE", [{ ...judged, prompt: null }])).toMatchObject({ canRescore: false, taskIds: ["a"] });
});

test("the application is asked again, because its answer is missing", () => {
  const noOutput = { ...judged, evals: [failed("no_output: The trace has no output")] };
  expect(findRemedy("APPLICATION", [noOutput])).toEqual({ canRescore: false, taskIds: ["a"], fixes: [] });
});

test.each([
  ["no_webhook: None", ["/webhook"]],
  ["no_model_connection: None", ["/settings/models"]],
  ["model_error: 400", ["/settings/models"]],
  ["definition_deleted: Gone", ["/definitions"]],
  ["unknown: Anything", ["/webhook", "/settings/models"]],
])("%s is fixed at %j", (message, found) => {
  expect(paths(findRemedy("CONFIGURATION", [{ ...judged, evals: [failed(message)] }]).fixes)).toEqual(found);
});
