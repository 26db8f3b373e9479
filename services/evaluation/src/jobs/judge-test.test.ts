import { newId, secureRandom } from "@ems/kit/id";
import { expect, test, vi } from "vitest";
import { judge, ModelFault } from "../judges/index.ts";
import { type Attempt, judgeOne, runAttempt } from "./judge-test.ts";

const now = new Date();
const job = {
  applicationId: newId(),
  orgId: "o",
  id: newId(),
  testId: newId(),
  kind: "JUDGE" as const,
  needsModel: true,
  attempts: 3,
  createdAt: now,
  waitingFor: null,
  consumed: null,
  replies: null,
  outcome: null,
  leasedUntil: now,
};
const attempt: Attempt = {
  job,
  connection: undefined,
  model: undefined,
  replies: undefined,
  save: async () => undefined,
  now: () => now,
  random: () => 0.5,
  signal: AbortSignal.timeout(60_000),
  log: { error: vi.fn() },
};

test("an evaluation whose definition was deleted ends FAILED without a model call", async () => {
  expect(await judgeOne(judge, undefined, undefined, secureRandom, attempt)).toMatchObject({
    kind: "ended",
    outcome: { status: "FAILED", message: "definition_deleted: The definition was deleted", attempts: 4 },
  });
});

const failing = (error: Error) => () => Promise.reject(error);

test.each([
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "timeout exceeded when trying to connect",
])("no attempt is charged for an outage of the service's own database: %s", async (message) => {
  expect(await runAttempt(attempt, failing(new Error(message)))).toMatchObject({
    kind: "parked",
    parked: { attempts: 3, waitingFor: null, at: new Date(now.getTime() + 5_000) },
  });
});

test.each([
  ["a fault of the model, whatever its message says", new ModelFault("unavailable", "Connection terminated")],
  ["a defect, which each attempt would meet", new TypeError("x is not a function")],
  ["a violation of a constraint", Object.assign(new Error("duplicate key"), { code: "23505" })],
])("an attempt is charged for %s", async (_, error) => {
  expect(await runAttempt(attempt, failing(error))).toMatchObject({
    kind: "parked",
    parked: { attempts: 4, waitingFor: "retry" },
  });
});
