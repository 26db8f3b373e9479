// /console/api/session: the current session; sign-in with an API key or the code of a link; application switch;
// sign-out.

import type { Readable } from "node:stream";
import type { Clock } from "@ems/kit/clock";
import { z } from "@ems/kit/config";
import { Code, ConnectError, failure, malformedRequest, notFound, unauthenticated } from "@ems/kit/errors";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RequestBudget } from "../budget/index.ts";
import type { Pipeline } from "../pipeline.ts";
import { getEncoding, isTypeSupported, parseBody } from "../rest/body.ts";
import { admit, disconnected } from "../rest/register-route.ts";
import { findKeyName, loadMemberships, loadSessionView } from "./account.ts";
import { startPath } from "./open-id/paths.ts";
import type { OpenIdProvider } from "./open-id/provider.ts";
import { checkOrigin, findUnsafeReason, isFromThisMachine } from "./origin.ts";
import { clearSession, cookiePath, toCredentials } from "./session-cookie.ts";
import type { Sessions } from "./sessions.ts";
import type { SignInCodes } from "./sign-in-link.ts";

const url = `${cookiePath}/session`;
const bodyBytesMax = 4 * 1024;
const text = z.string().min(1).max(1_024);
const switching = z.strictObject({ applicationId: text });
const signIn = z.union([z.strictObject({ apiKey: text, applicationId: text }), z.strictObject({ code: text })]);

/** Bodies of unauthenticated clients are counted together. */
const signInCaller = { applicationId: "sign-in" };
const anyApplication = { isApplicationOptional: true, method: undefined };

interface Deps {
  readonly pipeline: Pipeline;
  readonly sessions: Sessions;
  readonly codes: SignInCodes;
  readonly clock: Clock;
  readonly provider: OpenIdProvider | undefined;
}

export function registerSignIn(app: FastifyInstance, { pipeline, sessions, codes, clock, provider }: Deps): void {
  const config = { receive: (request: FastifyRequest, stream: Readable) => receive(pipeline, request, stream) };
  app.addHook("onRequest", async (request, reply) => {
    reply.header("cache-control", "no-store");
    checkOrigin(request);
  });

  // 200 also without a session: browsers log a 401 to their console.
  app.get(url, async (request, reply) => {
    const reason = findUnsafeReason(request) ?? null;
    const providerView = provider === undefined ? null : { name: provider.name, url: startPath };
    return { data: await signedIn(request, reply), canSignIn: reason === null, reason, provider: providerView };
  });

  app.post<{ Body: Received | undefined }>(url, {
    config,
    handler: async (request, reply) => {
      const reason = findUnsafeReason(request);
      if (reason !== undefined) throw failure("NOT_CONFIGURED", reason);
      try {
        const credentials = await readCredentials(request, reply, request.body?.bytes);
        const { owner } = await admit(pipeline, anyApplication, credentials, request, reply);
        const { apiKey } = credentials;
        const keyName = await findKeyName(pipeline, owner, request.id);
        const session = sessions.begin(reply, { apiKey, applicationId: owner.applicationId, keyName });
        return { data: await loadSessionView(pipeline, session, owner, request.id) };
      } finally {
        request.body?.budget.release();
      }
    },
  });

  // A person's session can switch to another of their applications; a key belongs to one.
  app.put<{ Body: Received | undefined }>(url, {
    config,
    handler: async (request, reply) => {
      try {
        const session = sessions.of(request);
        if (session === undefined || !("person" in session)) throw unauthenticated("API_KEY_MISSING");
        const { data, success } = switching.safeParse(parseBody(request.body?.bytes).value);
        if (!success) throw malformedRequest([], "Send the `applicationId` to switch to");
        const memberships = await loadMemberships(pipeline, session.person, request.id);
        const chosen = memberships.find((membership) => membership.applicationId === data.applicationId.toLowerCase());
        if (chosen === undefined) throw notFound("Application");
        const { applicationId, orgId, userId } = chosen;
        const person = { ...session.person, orgId, userId };
        const switched = sessions.switchTo(reply, session, { applicationId, person });
        const credentials = { ...toCredentials(switched), applicationId };
        const { owner } = await admit(pipeline, anyApplication, credentials, request, reply);
        return { data: await loadSessionView(pipeline, switched, owner, request.id) };
      } finally {
        request.body?.budget.release();
      }
    },
  });

  app.delete(url, async (request, reply) => {
    const session = sessions.of(request);
    sessions.end(reply);
    const signOutUrl = session !== undefined && "person" in session ? await provider?.signOutUrl() : undefined;
    return signOutUrl === undefined ? reply.code(204).send() : { data: { signOutUrl } };
  });

  async function signedIn(request: FastifyRequest, reply: FastifyReply) {
    const session = sessions.of(request);
    if (session === undefined) return null;
    try {
      const credentials = { ...toCredentials(session), applicationId: session.applicationId };
      const { owner } = await admit(pipeline, anyApplication, credentials, request, reply);
      return await loadSessionView(pipeline, sessions.renew(reply, session), owner, request.id);
    } catch (error) {
      if (!(error instanceof ConnectError && error.code === Code.Unauthenticated)) throw error;
      clearSession(reply);
      return null;
    }
  }

  async function readCredentials(
    request: FastifyRequest,
    reply: FastifyReply,
    bytes: Buffer | undefined,
  ): Promise<{ apiKey: string; applicationId: string | undefined }> {
    const { data, success } = signIn.safeParse(parseBody(bytes).value);
    if (!success) throw malformedRequest([], "Send `apiKey` and `applicationId`, or the `code` of a sign-in link");
    if (!("code" in data)) return data;
    const isHere = isFromThisMachine(request);
    const apiKey = isHere ? codes.redeem(data.code, clock.now().getTime()) : undefined;
    if (apiKey === undefined) return pipeline.refuse(request.ip, disconnected(reply));
    return { apiKey, applicationId: undefined };
  }
}

/** Received body. Its bytes count towards the limits until the budget is released. */
interface Received {
  readonly bytes: Buffer;
  readonly budget: RequestBudget;
}

async function receive({ budgets }: Pipeline, { headers }: FastifyRequest, stream: Readable): Promise<Received> {
  if (!isTypeSupported(headers, ["application/json"]) || getEncoding(headers) !== "identity")
    throw Object.assign(new Error(), { statusCode: 415 });
  const budget = budgets.open(signInCaller);
  try {
    return { bytes: await budget.receive(stream, headers, bodyBytesMax), budget };
  } catch (error) {
    budget.release();
    throw error;
  }
}
