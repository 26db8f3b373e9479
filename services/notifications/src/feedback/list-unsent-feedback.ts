import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { failure } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { FeedbackAdminService } from "@ems/proto/notifications/v1/feedback_admin_service";
import { places, type SecretBox } from "../secret-box.ts";
import type { FeedbackRow } from "./entity.ts";
import { missed, unsent } from "./unsent.ts";

type Handler = Handlers<typeof FeedbackAdminService>["listUnsentFeedback"];

export interface ListUnsentDeps {
  readonly relayDatabase: RelayDatabase;
  /** Decrypts texts; undefined without sealing keys, in which case no text is returned. */
  readonly secrets: SecretBox | undefined;
}

type Unsent = Pick<FeedbackRow, "applicationId" | "id" | "createdAt" | "text"> & { reason: string };

/** Lists the unsent feedback of all applications. */
export function listUnsentFeedback({ relayDatabase, secrets }: ListUnsentDeps): Handler {
  return async ({ limit, oldestFirst, withText }) => {
    const order = oldestFirst ? "created_at, id" : "created_at DESC, id";
    const rows = await relayDatabase.query<Unsent>({
      text: `SELECT application_id AS "applicationId", id, created_at AS "createdAt", text, coalesce(error, 'IN_DOUBT') AS reason
       FROM notifications.feedback WHERE ${unsent} ORDER BY ${order} LIMIT $1`,
      values: [limit ?? null],
    });
    const [count] = await relayDatabase.query<{ total: number }>({
      text: `SELECT count(*)::int AS total FROM notifications.feedback WHERE ${missed}`,
    });
    return {
      feedback: rows.map(({ applicationId, id, createdAt, text, reason }) => ({
        applicationId,
        id,
        createdAt: timestampFromDate(createdAt),
        reason,
        ...(withText && { text: opened(secrets, { applicationId, id, text }) }),
      })),
      missedTotal: count?.total ?? 0,
    };
  };
}

function opened(secrets: SecretBox | undefined, row: Pick<FeedbackRow, "applicationId" | "id" | "text">): string {
  if (secrets === undefined) throw failure("NOT_CONFIGURED", "SEALING_KEYS is required to read the text of feedback");
  try {
    return secrets.open(row.text, places.feedback(row));
  } catch {
    throw failure(
      "NOT_CONFIGURED",
      `The text of feedback ${row.id} cannot be decrypted: set SEALING_KEYS to the keys that sealed it.`,
    );
  }
}
