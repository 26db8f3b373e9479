// Signatures of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA-256 over id, timestamp and body.

import { createHmac } from "node:crypto";
import type { Random } from "@ems/kit/id";
import { placeOf, type SecretBox } from "../../secret-box.ts";

const prefix = "whsec_";

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(random: Random): string {
  return prefix + random(32).toString("base64");
}

/** The signature of a delivery, `v1,` and base64. `timestamp` is in Unix seconds; `payload` is signed byte by byte. */
export function sign(secret: string, id: string, timestamp: number | string, payload: string): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${payload}`).digest("base64")}`;
}

/** A webhook's sealed secrets. */
export interface SealedSecrets {
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousSecretUntil: Date | null;
}

/** The secrets that sign at that time, newest first: after a rotation the previous one for a while too. */
export function signingSecrets(
  box: SecretBox,
  { applicationId, secret, previousSecret, previousSecretUntil }: SealedSecrets & { readonly applicationId: string },
  at: Date,
): string[] {
  const isPreviousValid = previousSecretUntil !== null && at < previousSecretUntil;
  const sealed = previousSecret !== null && isPreviousValid ? [secret, previousSecret] : [secret];
  return sealed.map((one) => box.open(one, placeOf.webhookSecret(applicationId)));
}
