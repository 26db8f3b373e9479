import { create } from "@bufbuild/protobuf";
import { findViolations } from "@ems/kit/json/validate";
import { WebhookHeadersSchema } from "@ems/proto/notifications/v1/webhook_service";
import type { SecretBox } from "../../secret-box.ts";
import type { Claimed } from "./claim.ts";
import type { Outgoing } from "./send.ts";

/**
 * What is sent for a delivery: with the webhook's URL, headers and secrets of now. For a while after a change of secrets the
 * one before signs too. Throws when what is sealed cannot be opened.
 */
export function outgoing(claimed: Claimed, secrets: SecretBox, now: Date): Outgoing {
  const { applicationId, id, payload, webhook } = claimed;
  if (webhook === null) throw new Error("a delivery without a webhook cannot be sent");
  const { url, secret, previousSecret, previousSecretUntil, headers } = webhook;
  const isPreviousLive = previousSecretUntil !== null && now < previousSecretUntil;
  const live = [secret, ...(isPreviousLive && previousSecret !== null ? [previousSecret] : [])];
  return {
    applicationId,
    id,
    payload,
    url,
    // It was sealed as names to values.
    headers: headers === null ? {} : allowed(JSON.parse(secrets.open(headers, `${applicationId}/headers`))),
    secrets: live.map((sealed) => secrets.open(sealed, `${applicationId}/secret`)),
  };
}

/** What of `headers` keeps the rules of today: they may have been set under others. */
export function allowed(headers: Readonly<Record<string, string>>): Record<string, string> {
  const isAllowed = ([name, value]: [string, string]) =>
    findViolations(WebhookHeadersSchema, create(WebhookHeadersSchema, { values: { [name]: value } })).length === 0;
  return Object.fromEntries(Object.entries(headers).filter(isAllowed));
}
