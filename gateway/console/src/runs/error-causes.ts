// Remedies for errored tests of a run: fixing a setting, scoring again, or testing again. Pure.

import type { LinkProps } from "@tanstack/react-router";
import type { Test } from "../tests/test-requests.ts";
import type { errorCauses } from "../tests/test-search.ts";

export type ErrorCause = (typeof errorCauses)[number];

export const aboutCause: Readonly<Record<ErrorCause, string>> = {
  APPLICATION: "The application gave no answer. Rerun the tasks to ask it again",
  CONFIGURATION: "A setting is missing or wrong. Fix it first, then rerun",
  JUDGE: "The judge gave no verdict, such as during an outage of its model",
};

export interface Fix {
  readonly to: NonNullable<LinkProps["to"]>;
  readonly label: string;
}

const webhook: Fix = { to: "/webhook", label: "Set the webhook" };
const models: Fix = { to: "/settings/models", label: "Check model connections" };
const evaluators: Fix = { to: "/definitions", label: "Check the evaluators" };

/** Pages that fix a setting, by the code at the start of a message. */
const fixes: Readonly<Record<string, Fix>> = {
  no_webhook: webhook,
  no_model_connection: models,
  model_error: models,
  no_context: evaluators,
  definition_deleted: evaluators,
};

type ErroredTest = Pick<Test, "taskId" | "traceId" | "prompt" | "message"> & {
  readonly evals: readonly Pick<Test["evals"][number], "status" | "message">[];
};

/** A failed evaluation can run again only if the product sent the prompt and the test has a trace with an answer. */
const canRescore = ({ traceId, prompt, evals }: ErroredTest) =>
  traceId !== null && prompt !== null && evals.some(({ status }) => status === "FAILED");

export interface Remedy {
  readonly canRescore: boolean;
  /** Tasks of tests that have nothing to evaluate again. */
  readonly taskIds: readonly string[];
  /** Pages of the settings that are at fault. */
  readonly fixes: readonly Fix[];
}

export function findRemedy(cause: ErrorCause, tests: readonly ErroredTest[]): Remedy {
  const rescored = tests.filter((test) => cause !== "APPLICATION" && canRescore(test));
  const unanswered = tests.filter((test) => !rescored.includes(test));
  const messages = tests.flatMap(({ message, evals }) => [message, ...evals.map((evaluation) => evaluation.message)]);
  const found = messages.flatMap((message) => fixes[message?.split(":", 1)[0] ?? ""] ?? []);
  const needed = found.length > 0 ? [...new Set(found)] : [webhook, models];
  return {
    canRescore: rescored.length > 0,
    taskIds: [...new Set(unanswered.map(({ taskId }) => taskId))],
    fixes: cause === "CONFIGURATION" ? needed : [],
  };
}
