import { create } from "@bufbuild/protobuf";
import { findViolations } from "@ems/kit/json/validate";
import { WebhookHeadersSchema } from "@ems/proto/notifications/v1/webhook_service";
import { placeOf, type SecretBox } from "../../secret-box.ts";
import type { Claimed } from "./claim.ts";
import type { DeliveryRequest } from "./send.ts";
import { signingSecrets } from "./sign.ts";

/** The request of a delivery, with the webhook's current URL, headers and secrets. Throws when they cannot be opened. */
export function requestOf(claimed: Claimed, box: SecretBox, now: Date): DeliveryRequest {
  const { applicationId, id, payload, webhook } = claimed;
  if (webhook === null) throw new Error("a delivery without a webhook cannot be sent");
  const { url, headers } = webhook;
  const opened = headers === null ? {} : JSON.parse(box.open(headers, placeOf.webhookHeaders(applicationId)));
  const secrets = signingSecrets(box, { applicationId, ...webhook }, now);
  return { applicationId, id, payload, url, headers: allowedHeaders(opened), secrets };
}

/** The headers that pass today's rules: they may have been set under others. */
export function allowedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const isAllowed = ([name, value]: [string, string]) =>
    findViolations(WebhookHeadersSchema, create(WebhookHeadersSchema, { values: { [name]: value } })).length === 0;
  return Object.fromEntries(Object.entries(headers).filter(isAllowed));
}
