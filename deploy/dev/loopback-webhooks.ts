import type { Environment } from "./environment.ts";

const loopbackHosts: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "::1"]);

/**
 * Lets `npm start` accept webhooks at `http://127.0.0.1:<port>` if HOST is loopback, so that only this machine can set
 * webhooks, and NODE_ENV is not production. An explicit WEBHOOK_ALLOW_LOOPBACK takes precedence.
 */
export function loopbackWebhooks(env: Environment, isMesh = false): Environment {
  if (env.WEBHOOK_ALLOW_LOOPBACK) return {};
  const isOwn = loopbackHosts.has(env.HOST || "127.0.0.1") && env.NODE_ENV !== "production";
  return isOwn && !isMesh ? { WEBHOOK_ALLOW_LOOPBACK: "yes" } : {};
}
