// The gateway's part of the web console: its files, its sessions, and API access by session.

import type { Clock } from "@ems/kit/clock";
import { Code, ConnectError, failure, getReason, invalidHeader, unauthenticated } from "@ems/kit/errors";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import type { FastifyInstance } from "fastify";
import { singleValue } from "../auth/authenticator.ts";
import type { GatewayConfig } from "../config.ts";
import type { Pipeline } from "../pipeline.ts";
import { type Entrance, headerEntrance, type SelectEntrance } from "../rest/register-route.ts";
import { checkOrigin } from "./origin.ts";
import { registerPages } from "./pages.ts";
import { Seal } from "./seal.ts";
import { clearSession, cookiePath, toCredentials } from "./session-cookie.ts";
import { Sessions } from "./sessions.ts";
import { registerSignIn } from "./sign-in.ts";
import { SignInCodes } from "./sign-in-link.ts";

interface Deps {
  readonly log: Logger;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly pipeline: Pipeline;
  readonly folder: string;
}

const apiPath = `${cookiePath}/v0/`;

/** Removes the prefix that paths need for browsers to send the cookie. Sessions use the API's own routes. */
export function withoutCookiePath({ url = "" }: { readonly url?: string | undefined }): string {
  return url.startsWith(apiPath) ? url.slice(cookiePath.length) : url;
}

/** Registers the console. Returns the entrance for API requests: by session if the path was rewritten. */
export async function registerConsole(
  app: FastifyInstance,
  config: GatewayConfig,
  deps: Deps,
): Promise<SelectEntrance> {
  const { clock, log, pipeline } = deps;
  const seal = new Seal(config);
  // The library is loaded only if a provider is configured.
  const openId = config.OIDC_ISSUER === undefined ? undefined : await import("./open-id/index.ts");
  const provider = openId?.OpenIdProvider.of(config, clock);
  const sessions = new Sessions(seal, deps, provider?.issuer);
  const codes = new SignInCodes(seal, clock.now().getTime());
  registerPages(app, deps.folder);
  app.register(async (scope) => registerSignIn(scope, { pipeline, sessions, codes, clock, provider }));
  if (openId !== undefined && provider !== undefined) {
    const openIdDeps = { provider, pipeline, sessions, seal, clock, log, owners: config.OIDC_OWNERS };
    app.register(async (scope) => openId.registerOpenId(scope, openIdDeps));
  }
  const bySession = sessionEntrance(sessions);
  return ({ url, originalUrl }) => (url === originalUrl ? headerEntrance : bySession);
}

/** The cookie identifies the key or the person; the header contains the application that the page shows. */
function sessionEntrance(sessions: Sessions): Entrance {
  return {
    credentials(request, reply) {
      checkOrigin(request);
      const session = sessions.of(request);
      if (session === undefined) throw unauthenticated("API_KEY_MISSING");
      const credentials = toCredentials(session);
      const { applicationId } = sessions.renew(reply, session);
      const isRead = request.method === "GET" || request.method === "HEAD";
      const named = singleValue(request.headers["x-application-id"]);
      if (named) return { ...credentials, applicationId: named };
      // A link to a file cannot send headers, so a read defaults to the session's application.
      if (isRead) return { ...credentials, applicationId };
      throw invalidHeader("x-application-id", "The header x-application-id is missing");
    },
    refusal(error, reply) {
      if (!(error instanceof ConnectError)) return error;
      if (error.code === Code.Unauthenticated) clearSession(reply);
      if (getReason(error) !== "APPLICATION_FORBIDDEN") return error;
      reply.header("x-console-conflict", "application");
      return failure("STATE_CONFLICT", "You are signed in to another application; reload the page.");
    },
  };
}
