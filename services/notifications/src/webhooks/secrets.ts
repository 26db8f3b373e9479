// What of a webhook is sealed, and where: bound to its application, so that it opens for no other.

import type { SecretBox } from "../secret-box.ts";
import type { WebhookRow } from "./entity.ts";

export type Headers = Readonly<Record<string, string>>;

const secretPlace = (applicationId: string) => `${applicationId}/secret`;
const headersPlace = (applicationId: string) => `${applicationId}/headers`;

export function sealSecret(box: SecretBox, applicationId: string, secret: string): string {
  return box.seal(secret, secretPlace(applicationId));
}

/** The columns that hold headers. */
export function sealHeaders(
  box: SecretBox,
  applicationId: string,
  headers: Headers,
): Pick<WebhookRow, "headers" | "headerNames"> {
  const headerNames = Object.keys(headers);
  const sealed = headerNames.length === 0 ? null : box.seal(JSON.stringify(headers), headersPlace(applicationId));
  return { headers: sealed, headerNames };
}

export function openSecret(box: SecretBox, { applicationId, secret }: WebhookRow): string {
  return box.open(secret, secretPlace(applicationId));
}

/** The secrets that sign at that time, newest first. */
export function signingSecrets(box: SecretBox, row: WebhookRow, at: Date): string[] {
  const { applicationId, previousSecret, previousSecretUntil } = row;
  const isPreviousGood = previousSecretUntil !== null && at.getTime() < previousSecretUntil.getTime();
  const previous = isPreviousGood ? previousSecret : null;
  return [openSecret(box, row), ...(previous === null ? [] : [box.open(previous, secretPlace(applicationId))])];
}

export function openHeaders(box: SecretBox, { applicationId, headers }: WebhookRow): Headers {
  return headers === null ? {} : JSON.parse(box.open(headers, headersPlace(applicationId)));
}
