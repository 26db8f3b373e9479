import type { Handlers } from "@ems/kit/rpc/service";
import type { ErasureService } from "@ems/proto/experiments/v1/erasure_service";
import { endUserKey } from "@ems/traces-client";
import type { Deps } from "../../deps.ts";
import { countUser } from "./count-user.ts";
import { ErasureEntity, type ErasureRow } from "./entity.ts";
import { counts, erasure } from "./messages.ts";

type Handler = Handlers<typeof ErasureService>["createErasure"];

/** Counts the stored data of the end user and, unless it is a dry run, starts the erasure. */
export function createErasure({ database, stores, clock, newId, plans }: Deps, onCreated: () => void): Handler {
  return async ({ user, dryRun = false }, call) => {
    const { applicationId, orgId } = call.tenant;
    const key = endUserKey(applicationId, user);
    const answer = await database.runExpensive(call, () =>
      database.changeAfter(
        call,
        () => countUser({ stores, plans }, call, key),
        async (tx, found) => {
          if (dryRun) return { found: counts(found) };
          // Serializes concurrent requests for one user, so that the second request finds the erasure of the first.
          await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [key]);
          const running = await tx.findOne(ErasureEntity, { applicationId, endUserKey: key, status: "RUNNING" });
          if (running !== null) return { found: counts(found), data: erasure(running) };
          const now = clock.now();
          const dates = { dueAt: now, createdAt: now, modifiedAt: now, completedAt: null };
          const row: ErasureRow = {
            applicationId,
            id: newId(),
            orgId,
            endUserKey: key,
            status: "RUNNING",
            erased: {},
            ...dates,
            traces: null,
            traceId: null,
          };
          tx.defer(
            `INSERT INTO experiments.erasure (application_id, id, org_id, end_user_key, status, erased, due_at, created_at, modified_at)
             VALUES ($1, $2, $3, $4, 'RUNNING', '{}', now(), $5, $5)`,
            [applicationId, row.id, orgId, key, now],
          );
          return { found: counts(found), data: erasure(row) };
        },
      ),
    );
    onCreated();
    return answer;
  };
}
