// Body parsing: invalid JSON is an issue like any other. The body's complexity is measured before a value is allocated.

import type { Issue } from "@ems/kit/json/issue";
import { jsonDepthMax, jsonNamesMax, tooDeep, tooWide } from "@ems/kit/json/issue-messages";
import { hasWideObject, measureJson } from "@ems/kit/readers";

export type ParsedBody =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: Issue[]; readonly value?: undefined };

export interface BodyMeasure {
  /** Lists, objects, their elements and members; counted up to one more than the maximum. */
  readonly values: number;
  /** The same of JSON inside of texts. */
  readonly textValues: number;
  readonly isTooDeep: boolean;
}

/** Counting ends beyond them. */
export interface ValueLimits {
  readonly values: number;
  /** For the sum with values inside of texts. */
  readonly allValues: number;
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
  const { values, isTooDeep } = measure ?? measureBody(bytes);
  if (isTooDeep) return invalidBody(tooDeep);
  if (values > jsonNamesMax && hasWideObject(bytes, jsonNamesMax)) return invalidBody(tooWide);
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return invalidBody(`Invalid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function invalidBody(message: string): ParsedBody {
  return { issues: [{ code: "invalid_json", message, path: [] }] };
}

/** Measures a body before a value of it is allocated. */
export function measureBody(bytes: Uint8Array, { values, allValues }: ValueLimits = unlimited): BodyMeasure {
  const measured = measureJson(bytes, { values, allValues, depth: jsonDepthMax });
  return { values: measured.values, textValues: measured.textValues, isTooDeep: measured.depth > jsonDepthMax };
}

const unlimited: ValueLimits = { values: Number.POSITIVE_INFINITY, allValues: Number.POSITIVE_INFINITY };
