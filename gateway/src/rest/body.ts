// Request bodies over REST: media type, encoding and JSON. Errors in the JSON are issues like any other.

import type { IncomingHttpHeaders } from "node:http";
import { parseJson } from "@ems/kit/json/exact-number";
import type { Issue } from "@ems/kit/json/issue";
import { jsonNamesMax, tooDeep, tooWide } from "@ems/kit/json/issue-messages";
import { hasWideObject } from "@ems/kit/readers";
import { type BodyMeasure, measureBody, measureRaw, type RequestBudget } from "../budget/index.ts";
import type { Route } from "./routes.ts";

export type ParsedBody =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: Issue[]; readonly value?: undefined };

/** Unparsed body, which the service parses. */
export class RawBody {
  readonly payload: Uint8Array;
  readonly contentType: string | undefined;

  constructor(payload: Uint8Array, contentType?: string) {
    this.payload = payload;
    this.contentType = contentType;
  }
}

/**
 * Decompresses the body of a route, measures and parses it, and runs `handle` with it, all within the request's budget.
 */
export async function withBody<T>(
  budget: RequestBudget,
  { bodyMode, bodyBytesMax, method }: Pick<Route, "bodyMode" | "bodyBytesMax" | "method">,
  headers: IncomingHttpHeaders,
  received: Buffer | undefined,
  handle: (body: ParsedBody) => Promise<T>,
): Promise<T> {
  const isGzip = received !== undefined && getEncoding(headers) === "gzip";
  const bytes = isGzip ? await budget.decompress(received, bodyBytesMax) : (received ?? Buffer.alloc(0));
  if (bytes === undefined) return handle(invalidBody("Body is not valid gzip"));
  const isRaw = bodyMode === "raw";
  const limits = budget.valueLimits(isRaw);
  const contentType = getContentType(headers);
  const measure = isRaw ? measureRaw(method, bytes, contentType, limits) : measureBody(bytes, limits);
  return budget.spend({ bytes: bytes.length, measure, isRaw }, () => {
    if (!isRaw) return handle(parseBody(bytes, measure));
    return handle(measure.isTooDeep ? invalidBody(tooDeep) : { value: new RawBody(bytes, contentType) });
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses a body. An empty one is an empty object, for requests whose fields are all optional. */
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
    return { value: parseJson(text) };
  } catch (error) {
    return invalidBody(`Invalid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function invalidBody(message: string): ParsedBody {
  return { issues: [{ code: "invalid_json", message, path: [] }] };
}

/** True if the route accepts the body's type and encoding. OpenTelemetry's exporters send gzip. */
export function isTypeSupported(headers: IncomingHttpHeaders, mediaTypes: readonly string[]): boolean {
  const type = mediaType(headers);
  if (type === undefined || !mediaTypes.includes(type)) return false;
  const charset = type === "application/json" ? parameter(headers, "charset") : undefined;
  return (charset === undefined || /^utf-?8$/i.test(charset)) && ["identity", "gzip"].includes(getEncoding(headers));
}

export function getEncoding(headers: IncomingHttpHeaders): string {
  return headers["content-encoding"]?.toLowerCase() ?? "identity";
}

export function mediaType({ "content-type": contentType }: IncomingHttpHeaders): string | undefined {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase();
}

/** Returns the media type that a service needs, with its parameter `boundary`, if any. */
export function getContentType(headers: IncomingHttpHeaders): string | undefined {
  const [type, boundary] = [mediaType(headers), parameter(headers, "boundary")];
  return boundary === undefined ? type : `${type}; boundary="${boundary}"`;
}

function parameter({ "content-type": contentType = "" }: IncomingHttpHeaders, name: string): string | undefined {
  const [, quoted, bare] = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^";\\s]+))`, "i").exec(contentType) ?? [];
  return quoted ?? bare;
}
