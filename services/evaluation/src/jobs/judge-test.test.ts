import { newId, secureRandom } from "@ems/kit/id";
import { expect, test } from "vitest";
import { judge } from "../judges/index.ts";
import { judgeOne } from "./judge-test.ts";

test("an evaluation whose definition was deleted ends FAILED, and no model is called", async () => {
  const job = {
    ...{ applicationId: newId(), orgId: "o", id: newId(), testId: newId(), kind: "JUDGE" as const, needsModel: true },
    ...{ attempts: 0, createdAt: new Date(), waitingFor: null, consumed: null, replies: null, outcome: null },
    leasedUntil: new Date(),
  };
  const attempt = {
    ...{ job, connection: undefined, model: undefined, replies: undefined, save: async () => undefined },
    ...{ now: () => new Date(), random: () => 0, signal: AbortSignal.timeout(60_000) },
  };
  expect(await judgeOne(judge, undefined, undefined, secureRandom, attempt)).toMatchObject({
    kind: "ended",
    outcome: { status: "FAILED", message: "definition_deleted: The definition was deleted", attempts: 1 },
  });
});
