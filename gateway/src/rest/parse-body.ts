// The bytes of a body into a value. What is no JSON is an issue like any other, and never costs more than one look at each byte.

import type { Issue } from "@ems/kit/json/issue";
import { jsonDepthMax, tooDeep } from "@ems/kit/json/texts";

export type ParsedBody =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: Issue[]; readonly value?: undefined };

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** No bytes stand for an empty object: a POST whose fields are all optional may come without a body. */
export function parseBody(bytes: Uint8Array | undefined): ParsedBody {
  if (bytes === undefined || bytes.length === 0) return { value: {} };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return invalid("Body is not valid UTF-8");
  }
  if (isTooDeep(bytes)) return invalid(tooDeep);
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return invalid(`Invalid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function invalid(message: string): ParsedBody {
  return { issues: [{ code: "invalid_json", message, path: [] }] };
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\{}[]');

/** Counts brackets outside of strings. All of these are ASCII, which UTF-8 has nowhere else. */
function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === quote) isInString = !isInString;
    else if (isInString) {
      if (byte === backslash) index++;
    } else if (byte === openBrace || byte === openBracket) {
      depth++;
      if (depth > jsonDepthMax) return true;
    } else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return false;
}
