// A session is a sealed cookie: the browser keeps it, its scripts cannot read it, and the gateway keeps no table.

import { z } from "@ems/kit/config";
import { stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isSecure } from "./origin.ts";
import type { Seal } from "./seal.ts";

/** Only requests below it get the cookie: no page, and no file. */
export const cookiePath = "/console/api";
/** A session ends so long after it was last renewed, */
export const idleMs = 12 * 3_600_000;
/** and so long after sign-in, however much it is used. */
export const ageMaxMs = 7 * 24 * 3_600_000;

const place = "session";

/** Lengths as they are sealed, one letter a name: browsers keep 4 KB of a cookie. */
const sealed = z.object({
  i: z.string(),
  k: z.string(),
  a: z.string(),
  n: z.string().nullable(),
  s: z.number(),
  r: z.number(),
});

export interface Session {
  readonly id: string;
  readonly apiKey: string;
  readonly applicationId: string;
  /** Display name of the key; null when it was not to be learnt. */
  readonly keyName: string | null;
  readonly signedInMs: number;
  readonly renewedMs: number;
}

export function expiresMs({ signedInMs, renewedMs }: Pick<Session, "signedInMs" | "renewedMs">): number {
  return Math.min(renewedMs + idleMs, signedInMs + ageMaxMs);
}

/** The session of a request; undefined when its cookie is absent, forged, expired, or not the only one of its name. */
export function readSession(seal: Seal, request: FastifyRequest, nowMs: number): Session | undefined {
  // Another host of the domain could add a cookie of the name: which of two is ours cannot be told.
  const [value, ...others] = valuesOf(request.headers.cookie, nameOf(request));
  if (value === undefined || others.length > 0) return undefined;
  const opened = seal.open(value, place, sealed);
  if (opened === undefined) return undefined;
  const { i, k, a, n, s, r } = opened;
  const session = { id: i, apiKey: k, applicationId: a, keyName: n, signedInMs: s, renewedMs: r };
  return nowMs < expiresMs(session) ? session : undefined;
}

export function writeSession(seal: Seal, reply: FastifyReply, session: Session, nowMs: number): void {
  const { id: i, apiKey: k, applicationId: a, keyName: n, signedInMs: s, renewedMs: r } = session;
  const value = seal.seal({ i, k, a, n, s, r }, place);
  setCookie(reply, value, Math.floor((expiresMs(session) - nowMs) / 1000));
}

export function clearSession(reply: FastifyReply): void {
  setCookie(reply, "", 0);
}

function setCookie(reply: FastifyReply, value: string, maxAge: number): void {
  const secure = isSecure(reply.request);
  const attributes = { httpOnly: true, sameSite: "strict", path: cookiePath, secure, maxAge } as const;
  reply.header("set-cookie", stringifySetCookie({ name: nameOf(reply.request), value, ...attributes }));
}

/** With the prefix, browsers take the cookie over https only. */
function nameOf(request: Pick<FastifyRequest, "protocol">): string {
  return isSecure(request) ? "__Secure-ems-console" : "ems-console";
}

/** `cookie`'s parser keeps one value of a name. */
function valuesOf(header: string | undefined, name: string): string[] {
  const pairs = header?.split(";").map((pair) => pair.trim()) ?? [];
  return pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));
}
