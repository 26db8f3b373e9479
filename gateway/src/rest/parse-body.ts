// The bytes of a body into a value. What is no JSON is an issue like any other; what it will cost is known from one look at each
// byte, before any value is made.

import type { Issue } from "@ems/kit/json/issue";
import { jsonDepthMax, tooDeep } from "@ems/kit/json/issue-messages";

export type ParsedBody =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: Issue[]; readonly value?: undefined };

export interface BodyWeight {
  /** Elements and members of lists and objects, and those themselves; counted up to one more than asked for. */
  readonly values: number;
  readonly isTooDeep: boolean;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** No bytes stand for an empty object: a POST whose fields are all optional may come without a body. */
export function parseBody(bytes: Uint8Array | undefined, weight?: BodyWeight): ParsedBody {
  if (bytes === undefined || bytes.length === 0) return { value: {} };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return invalidBody("Body is not valid UTF-8");
  }
  if ((weight ?? weighBody(bytes)).isTooDeep) return invalidBody(tooDeep);
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return invalidBody(`Invalid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function invalidBody(message: string): ParsedBody {
  return { issues: [{ code: "invalid_json", message, path: [] }] };
}

const [quote, backslash, comma, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\,{}[]');

/** Counts commas and brackets outside of strings. All of these are ASCII, which UTF-8 has nowhere else. */
export function weighBody(bytes: Uint8Array, valuesMax = Number.POSITIVE_INFINITY): BodyWeight {
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === quote) isInString = !isInString;
    else if (isInString) {
      if (byte === backslash) index++;
    } else if (byte === comma) {
      if (++values > valuesMax) break;
    } else if (byte === openBrace || byte === openBracket) {
      if (++values > valuesMax) break;
      if (++depth > jsonDepthMax) return { values, isTooDeep: true };
    } else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return { values, isTooDeep: false };
}
