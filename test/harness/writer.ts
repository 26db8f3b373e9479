// Clients that write to a mesh of services which a test starts and stops: an organization, an application and its key for each.

import { setTimeout as delay } from "node:timers/promises";
import { type BootstrapOptions, bootstrap } from "@ems/identity/bootstrap";
import { systemClock } from "@ems/kit/clock";
import { ownerRole } from "@ems/kit/db/schema";
import { newId, secureRandom } from "@ems/kit/id";
import type { FaultMesh } from "./fault-mesh.ts";

export interface Writer {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly applicationId: string;
  send(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Response>;
}

export interface WebhookWriter extends Writer {
  /** Secret that signs its deliveries. */
  readonly webhookSecret: string;
}

type Mesh = Pick<FaultMesh, "baseUrl" | "installation">;

const patienceMs = 60_000;

/** Creates an organization and application with a key; events go to `url`. */
export async function newWriter(mesh: Mesh, url: string): Promise<WebhookWriter> {
  const writer = await newWriterWithoutWebhook(mesh);
  const set = () => writer.send("POST", "/v0/webhook", { url });
  let answer = await set();
  // Right after a fault, an answer may be 503 with Retry-After or 504.
  for (const untilMs = Date.now() + patienceMs; answer.status >= 503 && Date.now() < untilMs; ) {
    await answer.body?.cancel();
    await delay(200);
    answer = await set();
  }
  if (answer.status !== 200) throw new Error(`the webhook was refused: ${answer.status} ${await answer.text()}`);
  const { data } = (await answer.json()) as { data: { webhookSecret: string } };
  return { ...writer, webhookSecret: data.webhookSecret };
}

/** Creates an organization and application with a key of `user`'s, without a webhook. */
export async function newWriterWithoutWebhook(
  { baseUrl, installation }: Mesh,
  user?: BootstrapOptions["user"],
): Promise<Writer> {
  const { applicationId, apiKey } = await bootstrap({
    ownerUrl: installation.urlAs(ownerRole),
    peppers: [installation.secrets.apiKeyPepper],
    clock: systemClock,
    newId,
    random: secureRandom,
    organisation: `Organisation ${newId()}`,
    application: "Support assistant",
    user,
    always: true,
  });
  if (apiKey === undefined) throw new Error("bootstrap made no key");
  const own = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
  const send = (method: string, path: string, json?: unknown, headers?: Record<string, string>) => {
    const body = json === undefined ? undefined : JSON.stringify(json);
    return fetch(`${baseUrl}${path}`, { method, headers: { ...own, ...headers }, ...(body !== undefined && { body }) });
  };
  return { baseUrl, apiKey, applicationId, send };
}
