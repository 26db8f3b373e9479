// What the browser keeps while its person is at the provider: a sealed cookie, which the way back brings although it comes
// from another site, and which only this browser has.

import { z } from "@ems/kit/config";
import { stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isSecure } from "../origin.ts";
import type { Seal } from "../seal.ts";
import { valuesOf } from "../session-cookie.ts";
import type { Attempt } from "./provider.ts";

/** How long a sign-in at the provider may take. */
export const attemptMs = 10 * 60_000;

const path = "/console/api/open-id";
const place = "open-id attempt";

const sealed = z.object({ s: z.string(), n: z.string(), v: z.string(), f: z.string(), t: z.number() });

export interface KeptAttempt extends Attempt {
  /** The page to go on to. */
  readonly from: string;
}

/** The attempt of a request, which its cookie is gone with; undefined when it has none, an old one, or several. */
export function takeAttempt(
  seal: Seal,
  request: FastifyRequest,
  reply: FastifyReply,
  nowMs: number,
): KeptAttempt | undefined {
  const [value, ...others] = valuesOf(request.headers.cookie, nameOf(request));
  if (value === undefined) return undefined;
  setCookie(reply, "", 0);
  const opened = others.length > 0 ? undefined : seal.open(value, place, sealed);
  if (opened === undefined || opened.t > nowMs || nowMs - opened.t >= attemptMs) return undefined;
  return { state: opened.s, nonce: opened.n, verifier: opened.v, from: opened.f };
}

export function keepAttempt(seal: Seal, reply: FastifyReply, attempt: KeptAttempt, nowMs: number): void {
  const { state: s, nonce: n, verifier: v, from: f } = attempt;
  setCookie(reply, seal.seal({ s, n, v, f, t: nowMs }, place), attemptMs / 1000);
}

function setCookie(reply: FastifyReply, value: string, maxAge: number): void {
  const secure = isSecure(reply.request);
  // Lax: the provider's redirect is a navigation from another site.
  const attributes = { httpOnly: true, sameSite: "lax", path, secure, maxAge } as const;
  reply.header("set-cookie", stringifySetCookie({ name: nameOf(reply.request), value, ...attributes }));
}

function nameOf(request: Pick<FastifyRequest, "protocol">): string {
  return isSecure(request) ? "__Secure-ems-open-id" : "ems-open-id";
}
