import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { keyVariables, newPrivateKeys } from "@ems/deploy/keys";
import { mesh, type ProcessName, processNames } from "@ems/deploy/mesh";
import { type Child, ready, startChild, stopChild } from "@ems/dev/child";
import { bootstrap } from "@ems/identity/bootstrap";
import { systemClock } from "@ems/kit/clock";
import { newId, secureRandom } from "@ems/kit/id";
import { testDatabase } from "@ems/test-support";
import { loopbackHost } from "@ems/test-support/loopback";
import { afterAll, expect, inject, test } from "vitest";
import { caseFile, find, type Manifest, manifests } from "./render.ts";

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { secretKeyRef: { name: string; key: string } };
}

const pepper = secureRandom(24).toString("hex");
const { passwords } = inject("postgres");
/** Contents of the Secrets that the values refer to. */
const secrets: Readonly<Record<string, string>> = {
  ...keyVariables(newPrivateKeys()),
  API_KEY_PEPPERS: pepper,
  SEALING_KEYS: `first:${secureRandom(32).toString("base64")}`,
  ...Object.fromEntries(
    Object.entries(passwords).map(([role, word]) => [
      `${role.replace("ems_", "").replaceAll("_", "-")}-password`,
      word,
    ]),
  ),
};
const database = await testDatabase(inject("postgres"));
const children: Child[] = [];
afterAll(async () => {
  await Promise.all(children.map(stopChild));
  await database.drop();
});

/** Shorter than in the chart, but long enough for callers to find the pod that was replaced before. */
const drainDelayMs = "3000";

/** Builds a container's environment as Kubernetes does; Service names become addresses of pods on this machine. */
function environment(container: Manifest, addresses: ReadonlyMap<string, readonly number[]>, port: number) {
  const env: Record<string, string> = {};
  for (const { name, value = "", valueFrom } of container.env as Variable[]) {
    const text = valueFrom === undefined ? value : secrets[valueFrom.secretKeyRef.key];
    if (text === undefined) throw new Error(`No Secret has ${valueFrom?.secretKeyRef.key}.`);
    env[name] = text.replaceAll(/\$\((\w+)\)/g, (_, other: string) => env[other] ?? "");
    const ports = addresses.get(env[name]);
    if (ports !== undefined) env[name] = ports.map((port) => `${loopbackHost}:${port}`).join();
  }
  // One machine stands for all pods: a pod keeps its port while it is replaced.
  for (const name of ["HOST", "RPC_HOST", "ADMIN_HOST"]) if (env[name] !== undefined) env[name] = loopbackHost;
  for (const name of ["PORT", "RPC_PORT"]) if (env[name] !== undefined) env[name] = String(port);
  if (env.GRPC_PORT !== undefined) env.GRPC_PORT = "0";
  return { ...env, ADMIN_PORT: "0", LOG_LEVEL: "error", DRAIN_DELAY_MS: drainDelayMs };
}

test("the rendered Deployments, started as processes, are the product, and are rolled under load without an error", {
  timeout: 300_000,
}, async () => {
  const { hostname, port, pathname } = new URL(database.superuserUrl);
  const parts = [`host=${hostname}`, `port=${port}`, `name=${pathname.slice(1)}`, "form=parts"];
  const sets = [...parts.map((part) => `database.${part}`), "doctor.enabled=true"];
  const objects = await manifests(caseFile("minimal"), "--set", sets.join(","));
  const addresses = new Map<string, number[]>();
  const start = async (name: ProcessName, requestedPort = 0) => {
    const [container] = find(objects, "Deployment", `prod-ems-${name}`).spec.template.spec.containers;
    expect(container.args).toEqual([name]);
    const child = startChild(name, environment(container, addresses, requestedPort));
    children.push(child);
    const { port, adminUrl } = await ready(child);
    const probe = await fetch(`${adminUrl}${container.readinessProbe.httpGet.path}`);
    expect(probe.status).toBe(200);
    return { child, port };
  };
  const pods: { name: ProcessName; copy: number; child: Child; port: number }[] = [];
  for (const name of processNames.filter((each) => each !== "gateway")) {
    const two = [await start(name), await start(name)];
    pods.push(...two.map((pod, copy) => ({ name, copy, ...pod })));
    const ports = two.map((pod) => pod.port);
    addresses.set(`prod-ems-${name}.ems.svc.cluster.local:${mesh[name].port}`, ports);
  }
  const gateway = await start("gateway");

  const { apiKey = "", applicationId } = await bootstrap({
    ownerUrl: database.ownerUrl,
    peppers: [pepper],
    clock: systemClock,
    newId,
    random: secureRandom,
    always: true,
  });
  // A request through the gateway, identity and catalog: the chart's addresses and secrets match each other.
  const create = async () => {
    const answer = await fetch(`http://${loopbackHost}:${gateway.port}/v0/topics`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-api-key": apiKey,
        "x-application-id": applicationId,
        "idempotency-key": newId(),
      },
      body: JSON.stringify({ title: "By the chart" }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  expect(await create()).toMatchObject({ status: 201 });

  const failures: string[] = [];
  let [isRolling, created] = [true, 0];
  const load = (async () => {
    while (isRolling && created < 20_000) {
      const { status, text } = await create();
      if (status !== 201) failures.push(`${status} ${text}`);
      created += 1;
      // Stays within the rate limit of one key.
      await delay(60);
    }
  })();
  const replace = async ({ name, child, port }: (typeof pods)[number]) => {
    await stopChild(child);
    expect(child.process.exitCode, name).toBe(0);
    await start(name, port);
  };
  // All Deployments at the same time, one pod of each after the other.
  for (const nth of [0, 1]) await Promise.all(pods.filter(({ copy }) => copy === nth).map(replace));
  isRolling = false;
  await load;
  expect(failures).toEqual([]);
  expect(created).toBeGreaterThan(20);

  // The CronJob of `ems doctor`, started as by `kubectl create job --from`.
  const { suspend, jobTemplate } = find(objects, "CronJob", "prod-ems-doctor").spec;
  expect(suspend).toBe(true);
  const [doctor] = jobTemplate.spec.template.spec.containers;
  expect(doctor.env[0].value).toBe("http://prod-ems-gateway.ems.svc.cluster.local:80");
  const env = { ...environment(doctor, addresses, 0), EMS_URL: `http://${loopbackHost}:${gateway.port}` };
  const main = join(import.meta.dirname, "../../deploy/main.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...doctor.args], { env });
  const checks = stdout.match(/^ok +(API|clock|database|schemas|queues|dead letters) /gm) ?? [];
  // Each service that is reached has a line for its queues.
  expect(new Set(checks.map((line) => line.replace(/^ok +/, "").trim()))).toEqual(
    new Set(["API", "clock", "database", "schemas", "queues", "dead letters"]),
  );
});
