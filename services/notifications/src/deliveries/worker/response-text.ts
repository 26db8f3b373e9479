// What is kept of a receiver's answer: the beginning, as text, without what only the receiver and its owner should know.

/** So much of an answer is read. */
export const readBytesMax = 64 * 1024;
/** So much of it is kept. */
const keptBytesMax = 16 * 1024;

const leftOut = "[redacted]";

/**
 * The first 16 KiB of `body` as text. Wherever one of `secrets` stands in it, as it is or as JSON has it, it is left out.
 */
export function keptText(body: Buffer, secrets: readonly string[]): string {
  const longest = Math.max(0, ...secrets.map((secret) => 2 * Buffer.byteLength(secret)));
  // A secret across the cut would leave its beginning.
  const text = decode(body.subarray(0, keptBytesMax + longest));
  const forms = secrets.flatMap(formsOf).sort((a, b) => b.length - a.length);
  const anyForm = new RegExp(forms.map(escaped).join("|"), "g");
  const redacted = forms.length === 0 ? text : text.replaceAll(anyForm, leftOut);
  // PostgreSQL's text has no NUL.
  return cut(redacted.replaceAll("\0", "\ufffd"), keptBytesMax);
}

/** A secret as it is, as JSON has it, and its words: a token is as secret without "Bearer" before it. */
function formsOf(secret: string): string[] {
  const words = secret.split(" ").filter((word) => word.length >= 8);
  const all = [secret, ...words, secret.replace(/^whsec_/, "")];
  return all.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]).filter((form) => form !== "");
}

/** `text` as a pattern that finds it. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function decode(bytes: Buffer): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** The beginning of `text` that has at most so many bytes, without half a character at its end. */
function cut(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  return decode(bytes.subarray(0, bytesMax)).replace(/\ufffd{1,3}$/, "");
}
