import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { WebhookChangedSchema } from "@ems/proto/events/v1/event";
import type { WebhookSchema } from "@ems/proto/notifications/v1/webhook_service";
import type { SecretBox } from "../secret-box.ts";
import type { WebhookRow } from "./entity.ts";
import { openHeaders, openSecret } from "./secrets.ts";

/** The API's webhook, with its secret and the values of its headers. */
export function webhook(row: WebhookRow, box: SecretBox): MessageInitShape<typeof WebhookSchema> {
  const { id, url, applicationId, orgId, createdAt, modifiedAt, disabledReason } = row;
  return {
    id,
    url,
    webhookSecret: openSecret(box, row),
    applicationId,
    orgId,
    headers: openHeaders(box, row),
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
    ...disabledSince(row),
    ...(disabledReason !== null && { disabledReason }),
  };
}

/** The event's webhook, without secrets. */
export function webhookChanged(row: WebhookRow): MessageInitShape<typeof WebhookChangedSchema> {
  const { id, url, headerNames, modifiedAt } = row;
  return { id, url, headerNames, modifiedAt: timestampFromDate(modifiedAt), ...disabledSince(row) };
}

function disabledSince({ disabledAt }: WebhookRow) {
  return disabledAt === null ? {} : { disabledAt: timestampFromDate(disabledAt) };
}
