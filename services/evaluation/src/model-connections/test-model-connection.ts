import { concurrencyLimited } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { type Call, remainingMs } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ModelConnectionService } from "@ems/proto/evaluation/v1/model_connection_service";
import type { Deps } from "../deps.ts";
import { type JudgeInput, type Judgment, judge, type ModelCaller, ModelFault } from "../judges/index.ts";
import { type Measured, reportChecks } from "./checks.ts";
import { ModelConnectionEntity, type ModelConnectionRow, working } from "./entity.ts";
import { getCost } from "./find-connection.ts";
import { openKey } from "./keys.ts";
import { connectionById } from "./queries.ts";

type Handler = Handlers<typeof ModelConnectionService>["testModelConnection"];

/** Maximum number of concurrent tests per application. */
const testsMax = 2;
/** Part of the caller's deadline that is reserved for the answer. */
const answerMs = 1_000;

/** The smallest judgment that needs each part of a judge's schema. */
const example: JudgeInput = {
  question: "How do I close my account?",
  output: 'In Settings, choose "Close account".',
  context: [],
  hasRetriever: false,
  facts: [],
  definition: { type: "CUSTOM", name: "Connection test", criterion: 'It names the page "Settings".', styleGuide: [] },
  expected: undefined,
  votes: 1,
};

export function testModelConnection({
  database,
  clock,
  random,
  secrets,
  models,
  prices,
  onConnectionWorks,
}: Pick<Deps, "database" | "clock" | "random" | "secrets" | "models" | "prices" | "onConnectionWorks">): Handler {
  const limiter = new TenantConcurrencyLimiter({
    maxPerKey: testsMax,
    reject: () => concurrencyLimited("Too many concurrent tests of model connections: try again when one has ended"),
  });
  const run = async (row: ModelConnectionRow, call: Call) => {
    const startedMs = performance.now();
    const called = { ...row, apiKey: openKey(secrets, row) };
    const measured: Measured[] = [];
    const model: ModelCaller = {
      async generate(request) {
        const caller = models.caller(called, Math.max(1, remainingMs(call) - answerMs));
        try {
          const answer = await caller.generate(request);
          measured.push(answer);
          return answer;
        } catch (error) {
          measured.push({ usage: error instanceof ModelFault ? error.usage : undefined });
          throw error;
        }
      },
    };
    const result = await judge(example, { model, random, signal: call.signal }).catch(
      (error: unknown): Judgment | ModelFault => {
        if (error instanceof ModelFault) return error;
        throw error;
      },
    );
    const findPrice = await prices.of(call.tenant);
    const isPriced = getCost(row, findPrice, () => clock.now()) !== undefined;
    const latencyMs = Math.round(performance.now() - startedMs);
    return { ...reportChecks({ result, measured, isPriced, model: row.model }), latencyMs };
  };
  return async ({ id }, call) => {
    // Makes the call before the transaction, so that no database connection waits for a model.
    const test = async () => {
      const row = await connectionById.read(database, call, id);
      return limiter.run(call.tenant.applicationId, undefined, () => run(row, call));
    };
    return database.changeAfter(call, test, async (tx, answer) => {
      if (answer.ok) {
        const { applicationId } = call.tenant;
        await tx.update(ModelConnectionEntity, { applicationId, id }, working);
        onConnectionWorks(tx, applicationId, clock.now());
      }
      return answer;
    });
  };
}
