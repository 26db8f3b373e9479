import type { Environment } from "./environment.ts";

const loopbackHosts: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "::1"]);

/**
 * Allows `http://127.0.0.1:<port>` as a webhook of `npm start` if its own HOST is loopback and NODE_ENV is not production, so that
 * no other machine can reach it. An explicit WEBHOOK_ALLOW_LOOPBACK takes precedence.
 */
export function loopbackWebhooks(env: Environment, isMesh = false): Environment {
  if (env.WEBHOOK_ALLOW_LOOPBACK) return {};
  const isOwn = loopbackHosts.has(env.HOST || "127.0.0.1") && env.NODE_ENV !== "production";
  return isOwn && !isMesh ? { WEBHOOK_ALLOW_LOOPBACK: "yes" } : {};
}
