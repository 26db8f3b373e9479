import { bootstrap } from "@ems/identity/bootstrap";
import { systemClock } from "@ems/kit/clock";
import { newId, secureRandom } from "@ems/kit/id";
import { testDatabase } from "@ems/kit/testing";
import { afterAll, expect, inject, test } from "vitest";
import { type Child, ready, startChild, stopChild } from "../child.ts";
import { mesh, type ProcessName, processNames } from "../mesh.ts";
import { caseFile, find, type Manifest, manifests } from "./render.ts";

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { secretKeyRef: { name: string; key: string } };
}

const pepper = secureRandom(24).toString("hex");
const { passwords } = inject("postgres");
/** What the Secrets hold that the values name. */
const secrets: Readonly<Record<string, string>> = {
  RPC_SECRET: secureRandom(24).toString("hex"),
  API_KEY_PEPPERS: pepper,
  SEALING_KEYS: `first:${secureRandom(32).toString("base64")}`,
  ...Object.fromEntries(
    Object.entries(passwords).map(([role, word]) => [`${role.replace("ems_", "")}-password`, word]),
  ),
};
const database = await testDatabase(inject("postgres"));
const children: Child[] = [];
afterAll(async () => {
  for (const child of children.reverse()) await stopChild(child);
  await database.drop();
});

/** The environment as Kubernetes makes it of a container's list; names of Services become where they are here. */
function environment(container: Manifest, addresses: ReadonlyMap<string, string>) {
  const env: Record<string, string> = {};
  for (const { name, value = "", valueFrom } of container.env as Variable[]) {
    const text = valueFrom === undefined ? value : secrets[valueFrom.secretKeyRef.key];
    if (text === undefined) throw new Error(`No Secret has ${valueFrom?.secretKeyRef.key}.`);
    env[name] = text.replaceAll(/\$\((\w+)\)/g, (_, other: string) => env[other] ?? "");
    env[name] = addresses.get(env[name]) ?? env[name];
  }
  // One machine stands for six pods: its loopback, and ports that are free.
  for (const name of ["HOST", "RPC_HOST", "ADMIN_HOST"]) if (env[name] !== undefined) env[name] = "127.0.0.1";
  for (const name of ["PORT", "RPC_PORT", "ADMIN_PORT"]) if (env[name] !== undefined) env[name] = "0";
  return { ...env, LOG_LEVEL: "error", DRAIN_DELAY_MS: "0" };
}

test("the rendered Deployments, started as processes, are the product", async () => {
  const { hostname, port, pathname } = new URL(database.superuserUrl);
  const parts = [`host=${hostname}`, `port=${port}`, `name=${pathname.slice(1)}`, "form=parts"];
  const objects = await manifests(caseFile("minimal"), "--set", parts.map((part) => `database.${part}`).join(","));
  const addresses = new Map<string, string>();
  const start = async (name: ProcessName) => {
    const [container] = find(objects, "Deployment", `prod-ems-${name}`).spec.template.spec.containers;
    expect(container.args).toEqual([name]);
    const child = startChild(name, environment(container, addresses));
    children.push(child);
    const { port: taken, adminUrl } = await ready(child);
    const probe = await fetch(`${adminUrl}${container.readinessProbe.httpGet.path}`);
    expect(probe.status).toBe(200);
    addresses.set(`prod-ems-${name}.ems.svc.cluster.local:${mesh[name].port}`, `127.0.0.1:${taken}`);
    return taken;
  };
  let gatewayPort = 0;
  for (const name of processNames) gatewayPort = await start(name);

  const { apiKey = "", applicationId } = await bootstrap({
    ownerUrl: database.ownerUrl,
    peppers: [pepper],
    clock: systemClock,
    newId,
    random: secureRandom,
    always: true,
  });
  // Through the gateway, identity and catalog: the addresses and the secrets of the chart fit together.
  const answer = await fetch(`http://127.0.0.1:${gatewayPort}/v0/topics`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey, "x-application-id": applicationId },
    body: JSON.stringify({ title: "By the chart" }),
  });
  expect(answer.status, await answer.text()).toBe(201);
});
