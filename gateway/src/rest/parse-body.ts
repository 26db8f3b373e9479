// Body parsing: invalid JSON is an issue like any other. The body's complexity is measured before a value is allocated.

import type { Issue } from "@ems/kit/json/issue";
import { jsonDepthMax, tooDeep } from "@ems/kit/json/issue-messages";

export type ParsedBody =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: Issue[]; readonly value?: undefined };

export interface BodyMeasure {
  /** Lists, objects, their elements and members; counted up to one more than the maximum. */
  readonly values: number;
  readonly isTooDeep: boolean;
}

/** A body that the service reads. */
export class RawBody {
  readonly payload: Uint8Array;
  readonly contentType: string | undefined;

  constructor(payload: Uint8Array, contentType?: string) {
    this.payload = payload;
    this.contentType = contentType;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** An empty body is an empty object, for requests whose fields are all optional. */
export function parseBody(bytes: Uint8Array | undefined, measure?: BodyMeasure): ParsedBody {
  if (bytes === undefined || bytes.length === 0) return { value: {} };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return invalidBody("Body is not valid UTF-8");
  }
  if ((measure ?? measureBody(bytes)).isTooDeep) return invalidBody(tooDeep);
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

/** Counts commas and brackets outside strings; in UTF-8, these bytes are no part of other characters. */
export function measureBody(bytes: Uint8Array, valuesMax = Number.POSITIVE_INFINITY): BodyMeasure {
  let depth = 0;
  let values = 1;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === quote) index = endOfString(bytes, index + 1);
    else if (byte === comma) {
      if (++values > valuesMax) break;
    } else if (byte === openBrace || byte === openBracket) {
      if (++values > valuesMax) break;
      if (++depth > jsonDepthMax) return { values, isTooDeep: true };
    } else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return { values, isTooDeep: false };
}

/** The index of the quote that ends the string; most bytes of a body are in strings. */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start;
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index;
}
