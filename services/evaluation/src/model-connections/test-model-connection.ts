import { concurrencyLimited } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { type Call, remainingMs } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ModelConnectionService } from "@ems/proto/evaluation/v1/model_connection_service";
import type { Deps } from "../deps.ts";
import { ModelFault } from "../judges/index.ts";
import { ModelConnectionEntity, type ModelConnectionRow, working } from "./entity.ts";
import { openKey } from "./keys.ts";
import { connectionById } from "./queries.ts";

type Handler = Handlers<typeof ModelConnectionService>["testModelConnection"];

/** Maximum number of concurrent tests per application. */
const testsMax = 2;
/** Part of the caller's deadline that is reserved for the answer. */
const answerMs = 1_000;

export function testModelConnection({ database, clock, secrets, models, onConnectionWorks }: Deps): Handler {
  const limiter = new TenantConcurrencyLimiter({
    maxPerKey: testsMax,
    reject: () => concurrencyLimited("Too many concurrent tests of model connections: try again when one has ended"),
  });
  const ping = async (row: ModelConnectionRow, call: Call) => {
    const startedMs = performance.now();
    const timeoutMs = Math.max(1, remainingMs(call) - answerMs);
    const result = await models
      .ping({ ...row, apiKey: openKey(secrets, row) }, timeoutMs, call.signal)
      .then((model) => ({ ok: true as const, model }))
      .catch((error: unknown) => {
        if (!(error instanceof ModelFault)) throw error;
        return { ok: false as const, model: row.model, error: error.message };
      });
    return { ...result, latencyMs: Math.round(performance.now() - startedMs) };
  };
  return async ({ id }, call) => {
    // Makes the call before the transaction, so that no database connection waits for a model.
    const test = async () => {
      const row = await connectionById.read(database, call, id);
      return limiter.run(call.tenant.applicationId, undefined, () => ping(row, call));
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
