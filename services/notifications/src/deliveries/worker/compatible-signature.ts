// A second signature, for receivers of other products: header names, time unit, encoding and signed content are settings.
// Off unless the signature's header has a name.

import { createHmac } from "node:crypto";
import type { DeliveryConfig } from "../settings.ts";

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
  /** The webhook's newest secret; its whole text is the key. */
  readonly secret: string;
}

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
