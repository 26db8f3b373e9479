import { expect, test } from "vitest";
import { type JudgedEvaluation, testErrorCause, testOutcome } from "./outcome.ts";

const completed = (passed: boolean | null): JudgedEvaluation => ({ status: "COMPLETED", passed, message: null });
const failed = (message: string | null = null): JudgedEvaluation => ({ status: "FAILED", passed: null, message });
const skipped: JudgedEvaluation = { status: "SKIPPED", passed: null, message: "no_expected: none" };
const open: JudgedEvaluation = { status: "IN_PROGRESS", passed: null, message: null };

type Status = Parameters<typeof testOutcome>[0]["status"];

test.each<[Status, boolean | null, JudgedEvaluation[], string | undefined, string | null]>([
  ["PENDING", null, [], undefined, null],
  ["IN_PROGRESS", null, [failed()], undefined, null],
  ["COMPLETED", true, [completed(true), skipped], "PASSED", null],
  ["COMPLETED", false, [completed(true), completed(false)], "FAILED", null],
  ["COMPLETED", null, [skipped, skipped], "NONE", null],
  ["COMPLETED", null, [], "NONE", null],
  ["COMPLETED", null, [completed(null)], "NONE", null],
  // As recorded, without evaluations.
  ["COMPLETED", true, [], "PASSED", null],
  ["COMPLETED", true, [completed(true), failed()], "ERRORED", "JUDGE"],
  ["COMPLETED", false, [completed(false), open], "ERRORED", "JUDGE"],
  ["COMPLETED", null, [failed("invalid_answer: no JSON")], "ERRORED", "JUDGE"],
  ["COMPLETED", null, [failed("no_model_connection: none")], "ERRORED", "CONFIGURATION"],
  ["COMPLETED", null, [failed("model_error: The provider answered 404")], "ERRORED", "CONFIGURATION"],
  ["COMPLETED", null, [failed("model_unavailable: 503"), failed("no_context: none")], "ERRORED", "CONFIGURATION"],
  ["COMPLETED", null, [failed("no_context: none"), failed("no_output: none")], "ERRORED", "APPLICATION"],
  ["FAILED", null, [], "ERRORED", "APPLICATION"],
  ["FAILED", true, [completed(true)], "ERRORED", "APPLICATION"],
])("%s, passed %s, with %j", (status, passed, evaluations, outcome, cause) => {
  const errorCause = testErrorCause({ status, message: null }, evaluations);
  expect([testOutcome({ status, passed, errorCause }), errorCause]).toEqual([outcome, cause]);
});

test.each([
  ["no_trace: No trace arrived", "APPLICATION"],
  ["prompt_failed: The webhook answered 500", "APPLICATION"],
  ["no_webhook: The application has no webhook", "CONFIGURATION"],
  ["no_model_connection: A simulated user needs one", "CONFIGURATION"],
  ["attempts_exhausted: 8 attempts", "JUDGE"],
])("a test that failed with %s", (message, cause) => {
  expect(testErrorCause({ status: "FAILED", message }, [])).toBe(cause);
});
