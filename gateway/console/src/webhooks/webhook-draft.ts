import type { Schemas } from "../api/request.ts";

interface Header {
  readonly name: string;
  readonly value: string;
}

export interface WebhookDraft {
  readonly url: string;
  /** True to replace all headers. They cannot be edited, because the API does not return their secret values. */
  readonly isReplacing: boolean;
  readonly headers: readonly Header[];
}

type Stored = Pick<Schemas["Webhook"], "url" | "headers"> | null;

const listNames = (webhook: Stored) => Object.keys(webhook?.headers ?? {});

export const toDraft = (webhook: Stored): WebhookDraft => ({
  url: webhook?.url ?? "",
  isReplacing: listNames(webhook).length === 0,
  headers: [],
});

/** Builds the request. Omits `headers` to keep the stored headers, or if there are none. */
export function toRequest({ url, isReplacing, headers }: WebhookDraft, webhook: Stored): Schemas["SetWebhookRequest"] {
  const named = headers.filter(({ name, value }) => name !== "" || value !== "");
  if (!isReplacing || (named.length === 0 && listNames(webhook).length === 0)) return { url };
  return { url, headers: Object.fromEntries(named.map(({ name, value }) => [name, value])) };
}
