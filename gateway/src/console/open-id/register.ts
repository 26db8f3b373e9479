// /console/api/open-id: sign-in start and callback. Both are navigations, so they respond with redirects. A failure is
// a single word, for which the sign-in page has a text.

import type { Clock } from "@ems/kit/clock";
import { entriesAtMost } from "@ems/kit/limits/cache-entries";
import { TokenBuckets } from "@ems/kit/limits/token-bucket";
import type { Logger } from "@ems/kit/log";
import { SignInService } from "@ems/proto/identity/v1/sign_in_service";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { AuthorizationResponseError } from "openid-client";
import { clientNetwork } from "../../auth/client-address.ts";
import type { Pipeline } from "../../pipeline.ts";
import { checkOrigin, findUnsafeReason, isAt } from "../origin.ts";
import type { Seal } from "../seal.ts";
import type { Sessions } from "../sessions.ts";
import { attemptMs, keepAttempt, takeAttempt } from "./attempt-cookie.ts";
import { callbackPath, startPath } from "./paths.ts";
import type { OpenIdProvider, ProvidedPerson } from "./provider.ts";

/** Reason for a failed sign-in. */
type Failure = "denied" | "expired" | "provider" | "refused" | "stranger" | "unverified" | "busy" | "unavailable";

/** Each sign-in calls the provider. The limit per address is high, because an office may share one address. */
const perAddress = { name: "sign-in", perMinute: 120, burst: 120, message: "Too many sign-ins from this address" };
const addressesMax = 10_000;
/** Higher than the number of sign-ins that can end while an attempt is valid. */
const usedMax = 20_000;

interface Deps {
  readonly provider: OpenIdProvider;
  readonly pipeline: Pipeline;
  readonly sessions: Sessions;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly log: Logger;
  /** Verified addresses of owners that the operator configured. */
  readonly owners: readonly string[];
}

export function registerOpenId(app: FastifyInstance, deps: Deps): void {
  const { provider, pipeline, sessions, seal, clock, log, owners } = deps;
  const limit = new TokenBuckets(perAddress, addressesMax);
  /** Used states: each state is valid for a single callback. */
  const used = new LRUCache<string, true>({ ...entriesAtMost(usedMax), ttl: attemptMs });

  app.addHook("onRequest", async (_request, reply) => {
    reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer");
  });

  app.get(startPath, async (request, reply) => {
    checkOrigin(request);
    const from = localPath(new URLSearchParams(getQuery(request)).get("from"));
    // The provider redirects to the public address. A cookie set at any other address would be missing there.
    if (!isAt(request, provider.publicUrl) || findUnsafeReason(request) !== undefined)
      return reply.redirect(`${provider.publicUrl}/sign-in?from=${encodeURIComponent(from)}`);
    if (isOverLimit(request)) return failed(reply, "busy");
    try {
      const { url, attempt } = await provider.begin();
      keepAttempt(seal, reply, { ...attempt, from }, clock.now().getTime());
      return reply.redirect(url.href);
    } catch (error) {
      log.warn({ fault: describeError(error), requestId: request.id }, "the OpenID Connect provider does not answer");
      return failed(reply, "provider");
    }
  });

  app.get(callbackPath, async (request, reply) => {
    const attempt = takeAttempt(seal, request, reply, clock.now().getTime());
    if (attempt === undefined || used.has(attempt.state)) return failed(reply, "expired");
    used.set(attempt.state, true);
    if (isOverLimit(request)) return failed(reply, "busy");
    let person: ProvidedPerson;
    try {
      person = await provider.finish(getQuery(request), attempt);
    } catch (error) {
      const failure = classifyFailure(error);
      log.warn({ fault: describeError(error), failure, requestId: request.id }, "sign-in at the provider failed");
      return failed(reply, failure);
    }
    const { issuer, subject, email, isEmailVerified, name } = person;
    const verifiedEmail = isEmailVerified ? email : undefined;
    const isNamedOwner = verifiedEmail !== undefined && owners.includes(verifiedEmail.toLowerCase());
    const signInRequest = { issuer, subject, verifiedEmail, name, isNamedOwner };
    const answer = pipeline.callIdentity(SignInService.method.signIn, signInRequest, request.id);
    const memberships = await answer.then(
      (response) => response.memberships,
      (error: unknown) => {
        log.warn({ err: error, requestId: request.id }, "identity does not respond to a sign-in");
        return undefined;
      },
    );
    if (memberships === undefined) return failed(reply, "unavailable");
    const [first] = memberships;
    if (first === undefined) return failed(reply, email !== undefined && !isEmailVerified ? "unverified" : "stranger");
    const { orgId, userId, applicationId } = first;
    sessions.begin(reply, { applicationId, person: { issuer, subject, orgId, userId } });
    return reply.redirect(attempt.from);
  });

  function isOverLimit(request: FastifyRequest): boolean {
    const network = clientNetwork(request.ip);
    if (limit.waitMs(network, 1) > 0) return true;
    limit.charge(network, 1);
    return false;
  }
}

/** Returns a path within this console, which prevents open redirects. */
function localPath(from: unknown): string {
  if (typeof from !== "string" || from.length > 2_000) return "/";
  const isLocal = /^\/(?![/\\])[\x21-\x7e]*$/.test(from) && !from.startsWith("/sign-in");
  const own = "http://localhost";
  // Parse as browsers do: they read backslashes as slashes, and drop tabs and line breaks.
  return isLocal && URL.parse(from, own)?.origin === own ? from : "/";
}

function failed(reply: FastifyReply, failure: Failure): FastifyReply {
  return reply.redirect(`/sign-in?failed=${failure}`);
}

/** Classifies an error for the sign-in page: denied, provider unavailable, or an invalid callback. */
function classifyFailure(error: unknown): Failure {
  if (error instanceof AuthorizationResponseError) return error.error === "access_denied" ? "denied" : "refused";
  return isOutage(error) ? "provider" : "refused";
}

function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  const isFetch = error instanceof TypeError && error.message === "fetch failed";
  return isFetch || code === "OAUTH_TIMEOUT" || error.name === "TimeoutError";
}

/** Returns the error's type only: messages and causes may contain data from the provider. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error ? `${error.name} ${String(error.code)}` : error.name;
}

function getQuery({ url }: FastifyRequest): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}
