import { places, type SecretBox } from "../secret-box.ts";
import type { WebhookRow } from "./entity.ts";

export type Headers = Readonly<Record<string, string>>;

export function sealSecret(box: SecretBox, applicationId: string, secret: string): string {
  return box.seal(secret, places.webhookSecret(applicationId));
}

/** Encrypts headers and builds the columns that store them. */
export function sealHeaders(
  box: SecretBox,
  applicationId: string,
  headers: Headers,
): Pick<WebhookRow, "headers" | "headerNames"> {
  const headerNames = Object.keys(headers);
  const place = places.webhookHeaders(applicationId);
  return { headers: headerNames.length === 0 ? null : box.seal(JSON.stringify(headers), place), headerNames };
}

export function openSecret(box: SecretBox, { applicationId, secret }: WebhookRow): string {
  return box.open(secret, places.webhookSecret(applicationId));
}

export function openHeaders(box: SecretBox, { applicationId, headers }: WebhookRow): Headers {
  return headers === null ? {} : JSON.parse(box.open(headers, places.webhookHeaders(applicationId)));
}
