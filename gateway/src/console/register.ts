// The web console, as far as the gateway has to do with it: its files, its sessions, and the API by a session.

import type { Clock } from "@ems/kit/clock";
import { Code, ConnectError, failure, invalidHeader, reasonOf, unauthenticated } from "@ems/kit/errors";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import type { FastifyInstance } from "fastify";
import { singleValue } from "../auth/credentials.ts";
import type { GatewayConfig } from "../config.ts";
import type { Pipeline } from "../pipeline.ts";
import { type Entrance, registerRoute } from "../rest/register-route.ts";
import type { Route } from "../rest/routes.ts";
import { OpenIdProvider } from "./open-id/provider.ts";
import { registerOpenId } from "./open-id/register.ts";
import { checkOrigin } from "./origin.ts";
import { registerPages } from "./pages.ts";
import { Seal } from "./seal.ts";
import { clearSession, cookiePath, shownBy } from "./session-cookie.ts";
import { Sessions } from "./sessions.ts";
import { registerSignIn } from "./sign-in.ts";
import { SignInCodes } from "./sign-in-link.ts";

interface Deps {
  readonly log: Logger;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly pipeline: Pipeline;
  readonly routes: readonly Route[];
  readonly folder: string;
}

export function registerConsole(app: FastifyInstance, config: GatewayConfig, deps: Deps): void {
  const { clock, log, pipeline } = deps;
  const seal = new Seal(config);
  const provider = OpenIdProvider.of(config, clock);
  const sessions = new Sessions(seal, deps, provider?.issuer);
  const codes = new SignInCodes(seal, clock.now().getTime());
  registerPages(app, deps.folder);
  app.register(async (scope) => registerSignIn(scope, { pipeline, sessions, codes, clock, provider }));
  if (provider !== undefined) {
    const { OIDC_OWNERS: owners } = config;
    app.register(async (scope) => registerOpenId(scope, { provider, pipeline, sessions, seal, clock, log, owners }));
  }
  const entrance = sessionEntrance(sessions);
  for (const route of deps.routes) registerRoute(app, route, pipeline, entrance);
}

/** The cookie shows the key or the person; the header names the application that the page was loaded for. */
function sessionEntrance(sessions: Sessions): Entrance {
  return {
    prefix: cookiePath,
    credentials(request, reply) {
      checkOrigin(request);
      const session = sessions.of(request);
      if (session === undefined) throw unauthenticated("API_KEY_MISSING");
      const shown = shownBy(session);
      const { applicationId } = sessions.renew(reply, session);
      const isRead = request.method === "GET" || request.method === "HEAD";
      const named = singleValue(request.headers["x-application-id"]);
      if (named) return { ...shown, applicationId: named };
      // A link to a file has no headers.
      if (isRead) return { ...shown, applicationId };
      throw invalidHeader("x-application-id", "The header x-application-id is missing");
    },
    refusal(error, reply) {
      if (!(error instanceof ConnectError)) return error;
      if (error.code === Code.Unauthenticated) clearSession(reply);
      if (reasonOf(error) !== "APPLICATION_FORBIDDEN") return error;
      reply.header("x-console-conflict", "application");
      return failure("STATE_CONFLICT", "Signed in to another application.");
    },
  };
}
