import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DeadLetterService } from "@ems/proto/notifications/v1/dead_letter_service";
import type { DeadLetterRow } from "./entity.ts";

type Handler = Handlers<typeof DeadLetterService>["listDeadLetters"];

type Listed = Pick<DeadLetterRow, "applicationId" | "id" | "subject" | "reason" | "buriedAt"> & { total: number };

/** Lists the dead letters of all applications, newest first. */
export function listDeadLetters({ relayDatabase }: { readonly relayDatabase: RelayDatabase }): Handler {
  return async ({ limit }) => {
    const rows = await relayDatabase.query<Listed>({
      text: `SELECT application_id AS "applicationId", id, subject, reason, buried_at AS "buriedAt", count(*) OVER ()::int AS total
       FROM notifications.dead_event ORDER BY buried_at DESC, id LIMIT $1`,
      values: [limit],
    });
    return {
      deadLetters: rows.map(({ applicationId, id, subject, reason, buriedAt }) => {
        return { applicationId, id, subject, reason, deadLetteredAt: timestampFromDate(buriedAt) };
      }),
      total: rows[0]?.total ?? 0,
    };
  };
}
