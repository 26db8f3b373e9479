// The media type and content encoding of a request's body.

import type { IncomingHttpHeaders } from "node:http";

/** Whether the body's type and encoding are among those of its route. OpenTelemetry's exporters send gzip. */
export function isTypeSupported(headers: IncomingHttpHeaders, mediaTypes: readonly string[]): boolean {
  const type = mediaType(headers);
  if (type === undefined || !mediaTypes.includes(type)) return false;
  const charset = type === "application/json" ? parameter(headers, "charset") : undefined;
  return (charset === undefined || /^utf-?8$/i.test(charset)) && ["identity", "gzip"].includes(encodingOf(headers));
}

export function encodingOf(headers: IncomingHttpHeaders): string {
  return headers["content-encoding"]?.toLowerCase() ?? "identity";
}

export function mediaType({ "content-type": contentType }: IncomingHttpHeaders): string | undefined {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase();
}

/** The media type as a service needs it: with its parameter `boundary`, if it has one. */
export function contentTypeOf(headers: IncomingHttpHeaders): string | undefined {
  const [type, boundary] = [mediaType(headers), parameter(headers, "boundary")];
  return boundary === undefined ? type : `${type}; boundary="${boundary}"`;
}

function parameter({ "content-type": contentType = "" }: IncomingHttpHeaders, name: string): string | undefined {
  const [, quoted, bare] = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^";\\s]+))`, "i").exec(contentType) ?? [];
  return quoted ?? bare;
}
