import type { Environment } from "./environment.ts";

const loopbackHosts: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "::1"]);

/**
 * `npm start` takes `http://127.0.0.1:<port>` as a webhook where nobody else can reach it: its own HOST is loopback, and it is
 * not said to be production. An explicit WEBHOOK_ALLOW_LOOPBACK counts.
 */
export function loopbackWebhooks(env: Environment, isMesh = false): Environment {
  if (env.WEBHOOK_ALLOW_LOOPBACK) return {};
  const isOwn = loopbackHosts.has(env.HOST || "127.0.0.1") && env.NODE_ENV !== "production";
  return isOwn && !isMesh ? { WEBHOOK_ALLOW_LOOPBACK: "yes" } : {};
}
