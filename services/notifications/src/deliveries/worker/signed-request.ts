// Builds the request of a delivery: the webhook's URL and headers, and the body with its signatures.

import { createHmac } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import type { Random } from "@ems/kit/id";
import { findViolations } from "@ems/kit/json/validate";
import type { Redactor } from "@ems/kit/redaction";
import { WebhookHeadersSchema } from "@ems/proto/notifications/v1/webhook_service";
import { places, type SecretBox } from "../../secret-box.ts";
import type { DeliveryRow } from "../entity.ts";
import type { DeliveryConfig } from "../settings.ts";
import type { Claimed, ClaimedWebhook, SealedSecrets } from "./claim.ts";
import type { HttpRequest } from "./http-request.ts";

/** Target and content of the request. */
export interface DeliveryRequest {
  /** Application that owns the webhook; connections are pooled by application. */
  readonly applicationId: string;
  readonly kind: DeliveryRow["kind"];
  /** ID of the event, or of a prompt's test. */
  readonly id: string;
  readonly payload: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Secrets for signing, newest first. */
  readonly secrets: readonly string[];
  /** Values to redact in the stored response: secrets and values of headers. */
  readonly confidential: readonly string[];
  /** Redactor with the application's rules, for the answer to a prompt. */
  readonly redactor?: Redactor | undefined;
}

const userAgent = "ems-webhooks/1";
const secretPrefix = "whsec_";

/** Creates a secret: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(random: Random): string {
  return secretPrefix + random(32).toString("base64");
}

/**
 * Builds the request of a delivery, with the webhook's current URL, headers and secrets. Throws if the secrets cannot
 * be decrypted.
 */
export function buildRequest(claimed: Claimed, box: SecretBox, now: Date): DeliveryRequest {
  const { applicationId, kind, id, payload, webhook } = claimed;
  if (webhook === null) throw new Error("a delivery without a webhook cannot be sent");
  const { secrets, headers, confidential } = openWebhook(webhook, applicationId, box, now);
  return { applicationId, kind, id, payload, url: webhook.url, headers, secrets, confidential };
}

type Opened = Pick<DeliveryRequest, "headers" | "secrets" | "confidential">;

/** Decrypted webhooks. Deliveries read together share one decryption until they are stale (`staleAfterMs`). */
const openedWebhooks = new WeakMap<ClaimedWebhook, Opened>();

function openWebhook(webhook: ClaimedWebhook, applicationId: string, box: SecretBox, now: Date): Opened {
  const cached = openedWebhooks.get(webhook);
  if (cached !== undefined) return cached;
  const text = webhook.headers === null ? "{}" : box.open(webhook.headers, places.webhookHeaders(applicationId));
  const headers = allowedHeaders(JSON.parse(text));
  const secrets = signingSecrets(box, { applicationId, ...webhook }, now);
  const opened = { headers, secrets, confidential: [...secrets, ...Object.values(headers)] };
  openedWebhooks.set(webhook, opened);
  return opened;
}

/** Returns the headers that the current rules allow, because the headers may have been set under earlier rules. */
export function allowedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const isAllowed = ([name, value]: [string, string]) =>
    findViolations(WebhookHeadersSchema, create(WebhookHeadersSchema, { values: { [name]: value } })).length === 0;
  return Object.fromEntries(Object.entries(headers).filter(isAllowed));
}

/** Returns the secrets that sign at the given time, newest first. For a while after a rotation, both secrets sign. */
export function signingSecrets(
  box: SecretBox,
  { applicationId, secret, previousSecret, previousSecretUntil }: SealedSecrets & { readonly applicationId: string },
  at: Date,
): string[] {
  const isPreviousValid = previousSecretUntil !== null && at < previousSecretUntil;
  const sealed = previousSecret !== null && isPreviousValid ? [secret, previousSecret] : [secret];
  return sealed.map((secret) => box.open(secret, places.webhookSecret(applicationId)));
}

/** Builds the request to send at the given time, signed with every secret. */
export function signedRequest(
  { kind, id, payload, headers, secrets }: DeliveryRequest,
  url: URL,
  at: Date,
  config: CompatibleSignatureConfig,
): HttpRequest {
  const [secret = ""] = secrets;
  const timestamp = Math.floor(at.getTime() / 1000);
  const custom = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    path: url.pathname + url.search,
    headers: {
      ...Object.fromEntries(custom),
      ...compatibleSignature(config, { id, payload, at, secret }),
      "content-type": "application/json",
      "user-agent": userAgent,
      "ems-delivery": kind.toLowerCase(),
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": secrets.map((each) => sign(each, id, timestamp, payload)).join(" "),
    },
    body: payload,
  };
}

/**
 * Returns a signature as in Standard Webhooks (https://www.standardwebhooks.com): `v1,` and the base64 of an
 * HMAC-SHA-256 over the ID, the timestamp in Unix seconds, and the exact bytes of the payload.
 */
export function sign(secret: string, id: string, timestamp: number | string, payload: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${payload}`).digest("base64")}`;
}

export type CompatibleSignatureConfig = Pick<
  DeliveryConfig,
  | "WEBHOOK_COMPAT_SIGNATURE_HEADER"
  | "WEBHOOK_COMPAT_TIMESTAMP_HEADER"
  | "WEBHOOK_COMPAT_TIMESTAMP_UNIT"
  | "WEBHOOK_COMPAT_ENCODING"
  | "WEBHOOK_COMPAT_CONTENT"
>;

export interface SignedContent {
  readonly id: string;
  readonly payload: string;
  readonly at: Date;
  /** The webhook's newest secret. Its whole text is the key, including the prefix. */
  readonly secret: string;
}

/**
 * Builds an additional signature for receivers made for other products; off unless a name for its header is configured.
 * Header names, time unit, encoding and signed content are configurable.
 */
export function compatibleSignature(
  config: CompatibleSignatureConfig,
  { id, payload, at, secret }: SignedContent,
): Record<string, string> {
  const { WEBHOOK_COMPAT_SIGNATURE_HEADER: name, WEBHOOK_COMPAT_TIMESTAMP_HEADER: timestampName } = config;
  if (name === undefined) return {};
  const isInSeconds = config.WEBHOOK_COMPAT_TIMESTAMP_UNIT === "s";
  const timestamp = String(isInSeconds ? Math.floor(at.getTime() / 1000) : at.getTime());
  const parts: Record<string, string> = { id, timestamp, body: payload };
  const content = config.WEBHOOK_COMPAT_CONTENT.replaceAll(/\{(id|timestamp|body)\}/g, (_, part) => parts[part] ?? "");
  const signature = createHmac("sha256", secret).update(content).digest(config.WEBHOOK_COMPAT_ENCODING);
  return { [name]: signature, ...(timestampName !== undefined && { [timestampName]: timestamp }) };
}
