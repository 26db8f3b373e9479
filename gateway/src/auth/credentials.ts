// The API key that a request shows.

import type { IncomingHttpHeaders } from "node:http";

/** What a client without a valid key is told, where it has a choice. */
export const howToAuthenticate =
  "Send an API key of the application: `authorization: Bearer ems_...` or `x-api-key: ems_...`";

/** `authorization: Bearer` or `x-api-key`; REST has the second only, as its specification says. */
export function apiKeyOf({ authorization, "x-api-key": apiKey }: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  return bearer ?? singleValue(apiKey);
}

export function singleValue(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}
