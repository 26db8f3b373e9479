// The stored beginning of a response, with secrets redacted.

import { storedBytesMax } from "@ems/proto/limits";

/** The most bytes that are read of a response. */
export const readBytesMax = 64 * 1024;

const redaction = "[redacted]";

/** The first `storedBytesMax` of `body` as text, with `secrets` redacted as they are and in JSON's form. */
export function redactedText(body: Buffer, secrets: readonly string[]): string {
  const longest = Math.max(0, ...secrets.map((secret) => 2 * Buffer.byteLength(secret)));
  // More than is stored: a secret across the limit would keep its beginning.
  const text = decode(body.subarray(0, storedBytesMax + longest));
  const forms = secrets.flatMap(formsOf).sort((a, b) => b.length - a.length);
  const anyForm = new RegExp(forms.map(escapeRegExp).join("|"), "g");
  const redacted = forms.length === 0 ? text : text.replaceAll(anyForm, redaction);
  // PostgreSQL's text has no NUL.
  return truncate(redacted.replaceAll("\0", "\ufffd"), storedBytesMax);
}

/** A secret as it is, its words (a token without "Bearer"), and each in JSON's form. */
function formsOf(secret: string): string[] {
  const words = secret.split(" ").filter((word) => word.length >= 8);
  const all = [secret, ...words, secret.replace(/^whsec_/, "")];
  return all.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]).filter((form) => form !== "");
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function decode(bytes: Buffer): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** At most so many bytes of `text`, without a partial character at the end. */
function truncate(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  return decode(bytes.subarray(0, bytesMax)).replace(/\ufffd{1,3}$/, "");
}
