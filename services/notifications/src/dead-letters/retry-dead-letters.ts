import type { Handlers } from "@ems/kit/rpc/service";
import type { DeadLetterService } from "@ems/proto/notifications/v1/dead_letter_service";
import { type RetryDeps, retry, type StoredMessage, storedColumns } from "./retry.ts";

type Handler = Handlers<typeof DeadLetterService>["retryDeadLetters"];

/** Retries the given dead letters, or all of them, oldest first; those that fail are kept. */
export function retryDeadLetters(deps: RetryDeps): Handler {
  return async ({ ids }) => {
    const rows = await deps.relayDatabase.query<StoredMessage>({
      text: `SELECT ${storedColumns} FROM notifications.dead_event
       WHERE $1::text[] IS NULL OR id::text = ANY ($1) ORDER BY buried_at, id`,
      values: [ids.length > 0 ? ids : null],
    });
    const handledIds: string[] = [];
    const failures: { id: string; reason: string }[] = [];
    for (const row of rows) {
      const reason = await retry(deps, row);
      if (reason === undefined) handledIds.push(row.id);
      else failures.push({ id: row.id, reason });
    }
    return { handledIds, failures };
  };
}
