// Formats a request as a curl command. It reads the API key from the shell variable KEY.

import { type AnyRequest, toUrl } from "./request.ts";

/** Quotes a text as a single word for POSIX shells. */
export const quoted = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

export function toCurl(request: AnyRequest, origin: string, applicationId: string): string {
  const method = request.method.toUpperCase();
  const isDefault = method === (request.body === undefined ? "GET" : "POST");
  const lines = [
    `curl -sS ${isDefault ? "" : `-X ${method} `}${quoted(toUrl(request, origin))}`,
    `-H "x-api-key: $KEY" -H ${quoted(`x-application-id: ${applicationId}`)}`,
  ];
  if (request.body !== undefined) {
    lines.push("-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(request.body))}`);
  }
  return lines.join(" \\\n  ");
}
