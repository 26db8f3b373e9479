// Signatures of deliveries, as Standard Webhooks has them (https://www.standardwebhooks.com): HMAC-SHA-256 over id, time and
// body, under a secret that receivers know.

import { createHmac } from "node:crypto";
import type { Random } from "@ems/kit/id";

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
