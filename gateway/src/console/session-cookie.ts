// A session is a sealed cookie: the browser stores it, scripts cannot read it, and the gateway keeps no table.

import { z } from "@ems/kit/config";
import { stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { RequestCredentials } from "../auth/authenticator.ts";
import { isSecure } from "./origin.ts";
import type { Seal } from "./seal.ts";

/** Path of the cookie: browsers send it with API requests only, not with pages or files. */
export const cookiePath = "/console/api";
/** Lifetime of a session since its last renewal. */
export const idleMs = 12 * 3_600_000;
/** Maximum lifetime of a session since sign-in, however much it is used. */
export const ageMaxMs = 7 * 24 * 3_600_000;

const place = "session";

/** Sealed fields with one-letter names: browsers limit cookies to 4 KB. */
const times = { i: z.string(), a: z.string(), s: z.number(), r: z.number() };
const keySession = z.object({ ...times, k: z.string(), n: z.string().nullable() });
const personSession = z.object({ ...times, p: z.tuple([z.string(), z.string(), z.string(), z.string()]) });
const sealed = z.union([keySession, personSession]);

/** Person signed in at the provider, and their user in the organization of the session's application. */
export interface SessionPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly orgId: string;
  readonly userId: string;
}

/** Owner of a session: a key (its name is null if the lookup failed) or a person. */
export type SessionOwner =
  | { readonly apiKey: string; readonly keyName: string | null; readonly applicationId: string }
  | { readonly person: SessionPerson; readonly applicationId: string };

export type Session = SessionOwner & {
  readonly id: string;
  readonly signedInMs: number;
  readonly renewedMs: number;
};

/** Returns the credentials of the session. */
export function toCredentials(session: SessionOwner): Omit<RequestCredentials, "applicationId"> {
  if ("apiKey" in session) return { apiKey: session.apiKey };
  const { orgId, userId } = session.person;
  return { signedIn: { orgId, userId, applicationId: session.applicationId } };
}

export function expiresMs({ signedInMs, renewedMs }: Pick<Session, "signedInMs" | "renewedMs">): number {
  return Math.min(renewedMs + idleMs, signedInMs + ageMaxMs);
}

/** Returns the session of a request; undefined when its cookie is absent, forged, expired or not unique. */
export function readSession(seal: Seal, request: FastifyRequest, nowMs: number): Session | undefined {
  // Another host of the domain could add a cookie of this name; the two cannot be distinguished.
  const [value, ...duplicates] = listCookieValues(request.headers.cookie, getCookieName(request));
  if (value === undefined || duplicates.length > 0) return undefined;
  const opened = seal.open(value, place, sealed);
  if (opened === undefined) return undefined;
  const session = toSession(opened);
  return nowMs < expiresMs(session) ? session : undefined;
}

export function writeSession(seal: Seal, reply: FastifyReply, session: Session, nowMs: number): void {
  setCookie(reply, seal.seal(toSealed(session), place), Math.floor((expiresMs(session) - nowMs) / 1000));
}

export function clearSession(reply: FastifyReply): void {
  setCookie(reply, "", 0);
}

function toSession(opened: z.infer<typeof sealed>): Session {
  const { i: id, a: applicationId, s: signedInMs, r: renewedMs } = opened;
  const times = { id, applicationId, signedInMs, renewedMs };
  if ("k" in opened) return { ...times, apiKey: opened.k, keyName: opened.n };
  const [issuer, subject, orgId, userId] = opened.p;
  return { ...times, person: { issuer, subject, orgId, userId } };
}

function toSealed(session: Session): z.infer<typeof sealed> {
  const { id: i, applicationId: a, signedInMs: s, renewedMs: r } = session;
  if ("apiKey" in session) return { i, a, s, r, k: session.apiKey, n: session.keyName };
  const { issuer, subject, orgId, userId } = session.person;
  return { i, a, s, r, p: [issuer, subject, orgId, userId] };
}

function setCookie(reply: FastifyReply, value: string, maxAge: number): void {
  const secure = isSecure(reply.request);
  const attributes = { httpOnly: true, sameSite: "strict", path: cookiePath, secure, maxAge } as const;
  reply.header("set-cookie", stringifySetCookie({ name: getCookieName(reply.request), value, ...attributes }));
}

/** With the prefix `__Secure-`, browsers accept the cookie over HTTPS only. */
function getCookieName(request: Pick<FastifyRequest, "protocol">): string {
  return isSecure(request) ? "__Secure-ems-console" : "ems-console";
}

/** Lists all values of a cookie; `cookie`'s parser keeps only one. */
export function listCookieValues(header: string | undefined, name: string): string[] {
  const pairs = header?.split(";").map((pair) => pair.trim()) ?? [];
  return pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));
}
