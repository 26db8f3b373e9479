import { buildMessage } from "@ems/kit/message";
import { WebhookChangedSchema } from "@ems/proto/events/v1/event";
import { WebhookSchema } from "@ems/proto/notifications/v1/webhook_service";
import type { SecretBox } from "../secret-box.ts";
import type { WebhookRow } from "./entity.ts";
import { openHeaders, openSecret } from "./secrets.ts";

/** Builds the API's webhook, with its secret and header values. */
export const webhook = (row: WebhookRow, box: SecretBox) =>
  buildMessage(WebhookSchema, { ...row, webhookSecret: openSecret(box, row), headers: openHeaders(box, row) });

/** Builds the webhook for the event, without secrets. */
export const webhookChanged = (row: WebhookRow) => buildMessage(WebhookChangedSchema, row);
