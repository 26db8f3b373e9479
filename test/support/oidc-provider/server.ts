// An OpenID Connect provider in its own process: npm's oidc-provider with a sign-in page that only requires a name. The
// first argument has its settings as JSON; the first line of its output is its port.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import Provider from "oidc-provider";
import type { ProviderSettings } from "./index.ts";

const settings = JSON.parse(process.argv[2] ?? "{}") as ProviderSettings;
const server = createServer();
server.listen(settings.port ?? 0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
const port = typeof address === "object" ? address?.port : undefined;
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: settings.clientId,
      client_secret: settings.clientSecret,
      redirect_uris: [...settings.redirectUris],
      post_logout_redirect_uris: [...settings.signedOutUris],
      grant_types: ["authorization_code"],
      response_types: ["code"],
    },
  ],
  cookies: { keys: ["of a test"] },
  claims: { openid: ["sub"], email: ["email", "email_verified", "xms_edov"], profile: ["name"] },
  features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
  interactions: { url: (_context, { uid }) => `/sign-in/${uid}` },
  pkce: { required: () => true },
  findAccount: (_context, sub) => {
    const claims = settings.people[sub] ?? { email: `${sub}@example.com`, email_verified: true, name: sub };
    return { accountId: sub, claims: async () => ({ sub, ...claims }) };
  },
  // Skip the consent page.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new provider.Grant({ clientId: settings.clientId, accountId: oidc.session?.accountId ?? "" });
    grant.addOIDCScope("openid email profile");
    await grant.save();
    return grant;
  },
});
const answer = provider.callback();
server.on("request", (request: IncomingMessage, response: ServerResponse) => {
  const isPage = request.url?.startsWith("/sign-in/") === true;
  (isPage ? signIn(request, response) : Promise.resolve(answer(request, response))).catch((error: unknown) => {
    response.statusCode = 500;
    response.end(String(error));
  });
});
console.log(port);

async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== "POST") {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(
      `<!doctype html><title>Provider</title><form method="post"><label>Who are you? <input name="person"></label>
       <button name="answer" value="yes">Sign in</button><button name="answer" value="no">Refuse</button></form>`,
    );
    return;
  }
  const form = new URLSearchParams(await text(request));
  const accountId = form.get("person") ?? "";
  const result = form.get("answer") === "no" ? { error: "access_denied" } : { login: { accountId } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}
