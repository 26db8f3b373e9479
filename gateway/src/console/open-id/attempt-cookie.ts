// Sealed cookie with OIDC state, nonce and PKCE verifier, kept for the duration of the sign-in and bound to this
// browser.

import { z } from "@ems/kit/config";
import { stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isSecure } from "../origin.ts";
import type { Seal } from "../seal.ts";
import { listCookieValues } from "../session-cookie.ts";
import type { Attempt } from "./provider.ts";

/** Maximum duration of a sign-in at the provider. */
export const attemptMs = 10 * 60_000;

const path = "/console/api/open-id";
const place = "open-id attempt";

const sealed = z.object({ s: z.string(), n: z.string(), v: z.string(), f: z.string(), t: z.number() });

export interface KeptAttempt extends Attempt {
  /** Page to open after sign-in. */
  readonly from: string;
}

/** Returns and clears the sign-in attempt; undefined if the cookie is missing, expired or sent twice. */
export function takeAttempt(
  seal: Seal,
  request: FastifyRequest,
  reply: FastifyReply,
  nowMs: number,
): KeptAttempt | undefined {
  const [value, ...duplicates] = listCookieValues(request.headers.cookie, getCookieName(request));
  if (value === undefined) return undefined;
  setCookie(reply, "", 0);
  const opened = duplicates.length > 0 ? undefined : seal.open(value, place, sealed);
  if (opened === undefined || opened.t > nowMs || nowMs - opened.t >= attemptMs) return undefined;
  return { state: opened.s, nonce: opened.n, verifier: opened.v, from: opened.f };
}

export function keepAttempt(seal: Seal, reply: FastifyReply, attempt: KeptAttempt, nowMs: number): void {
  const { state: s, nonce: n, verifier: v, from: f } = attempt;
  setCookie(reply, seal.seal({ s, n, v, f, t: nowMs }, place), attemptMs / 1000);
}

function setCookie(reply: FastifyReply, value: string, maxAge: number): void {
  const secure = isSecure(reply.request);
  // Lax: the provider redirects back with a cross-site navigation.
  const attributes = { httpOnly: true, sameSite: "lax", path, secure, maxAge } as const;
  reply.header("set-cookie", stringifySetCookie({ name: getCookieName(reply.request), value, ...attributes }));
}

function getCookieName(request: Pick<FastifyRequest, "protocol">): string {
  return isSecure(request) ? "__Secure-ems-open-id" : "ems-open-id";
}
