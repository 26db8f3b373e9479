import { buildMessage } from "@ems/kit/message";
import { ModelConnectionSchema } from "@ems/proto/evaluation/v1/model_connection_service";
import { ModelConnectionPausedSchema } from "@ems/proto/events/v1/event";
import type { ModelConnectionRow } from "./entity.ts";

/** Builds the API's model connection, without its key. */
export const modelConnection = ({ apiKey: _, ...row }: ModelConnectionRow) =>
  buildMessage(ModelConnectionSchema, {
    ...row,
    prices:
      row.inputPerMillion === null || row.outputPerMillion === null
        ? undefined
        : { inputPerMillion: row.inputPerMillion, outputPerMillion: row.outputPerMillion },
    limits: {
      ...(row.requestsPerMinute !== null && { requestsPerMinute: row.requestsPerMinute }),
      ...(row.tokensPerMinute !== null && { tokensPerMinute: row.tokensPerMinute }),
      ...(row.concurrency !== null && { concurrency: row.concurrency }),
    },
    default: row.isDefault,
  });

/** Builds the model connection as it appears in the event. */
export const modelConnectionPaused = (row: ModelConnectionRow) =>
  buildMessage(ModelConnectionPausedSchema, {
    id: row.id,
    name: row.name,
    provider: row.provider,
    reason: row.pauseReason ?? "",
    pausedAt: row.pausedAt,
  });
