// Pods that run to completion (migrations, `helm test`): placement, and completion despite an injected sidecar.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { testDatabase } from "@ems/test-support";
import { startFaultProxy } from "@ems/test-support/fault-proxy";
import { afterAll, expect, inject, test } from "vitest";
import { caseFile, find, getPods, type Manifest, manifests } from "./render.ts";

const database = await testDatabase(inject("postgres"));
afterAll(() => database.drop());

function job(objects: readonly Manifest[], name: "migrate" | "test"): Manifest {
  const pod = getPods(objects).find(({ metadata }) => metadata.labels?.["app.kubernetes.io/component"] === name);
  if (pod === undefined) throw new Error(`There is no pod ${name}.`);
  return pod;
}

test("in a cluster of tainted nodes the Job and the test pod run where the components do", async () => {
  const objects = await manifests(caseFile("everything"));
  const { spec } = find(objects, "Deployment", "ems-catalog").spec.template;
  for (const pod of [job(objects, "migrate"), job(objects, "test")]) {
    const { nodeSelector, tolerations, affinity, priorityClassName } = pod.spec;
    expect({ nodeSelector, tolerations, affinity, priorityClassName }).toEqual({
      nodeSelector: { "kubernetes.io/os": "linux" },
      tolerations: spec.tolerations,
      affinity: spec.affinity,
      priorityClassName: "important",
    });
    expect(pod.metadata).toMatchObject({ annotations: { "example.com/reload": "true" }, labels: { team: "quality" } });
    expect(pod.spec.volumes).toContainEqual({ name: "ca", configMap: { name: "own-ca" } });
    expect(pod.spec.containers[0].volumeMounts).toContainEqual({
      name: "ca",
      mountPath: "/etc/ssl/own",
      readOnly: true,
    });
  }
});

test("what a Job's own pod is given overrides what all are given, and a selector's label cannot be changed", async () => {
  const own = {
    nodeSelector: { pool: "jobs" },
    tolerations: [],
    priorityClassName: "low",
    podLabels: { team: "database", "app.kubernetes.io/component": "catalog" },
  };
  const objects = await manifests(
    caseFile("everything"),
    ...["--set-json", `migrations.pod=${JSON.stringify(own)}`],
    ...["--set-json", 'migrations.annotations={"argocd.argoproj.io/hook":"Sync"}'],
    ...["--set-json", 'migrations.extraEnv=[{"name":"NODE_EXTRA_CA_CERTS","value":"/own.pem"}]'],
  );
  const { spec, metadata } = job(objects, "migrate");
  expect(spec.nodeSelector).toEqual({ "kubernetes.io/os": "linux", pool: "jobs" });
  expect([spec.tolerations, spec.priorityClassName]).toEqual([undefined, "low"]);
  expect(metadata.labels).toMatchObject({ team: "database" });
  const [, owner] = objects.filter(({ kind }) => kind === "Job").map((each) => each.metadata.annotations);
  expect(owner).toBeUndefined();
  expect(objects.find(({ kind }) => kind === "Job")?.metadata.annotations).toEqual({
    "argocd.argoproj.io/hook": "Sync",
  });
  const certificates = spec.containers[0].env.filter(({ name }: { name: string }) => name === "NODE_EXTRA_CA_CERTS");
  expect(certificates).toEqual([{ name: "NODE_EXTRA_CA_CERTS", value: "/own.pem" }]);
});

test("annotations disable sidecar injection for pods that end, unless the values enable it", async () => {
  const injection = {
    labels: { "sidecar.istio.io/inject": "false", "kuma.io/sidecar-injection": "disabled" },
    annotations: { "linkerd.io/inject": "disabled", "consul.hashicorp.com/connect-inject": "false" },
  };
  const [quitUrl, injected] = ["http://127.0.0.1:15020/quitquitquit", ["inject=true"]];
  injected.push(`quitUrl=${quitUrl}`);
  const sets = ["migrations", "tests"].flatMap((of) => injected.flatMap((set) => ["--set", `${of}.sidecar.${set}`]));
  const [without, withSidecar] = [await manifests(caseFile("minimal")), await manifests(caseFile("minimal"), ...sets)];
  for (const name of ["migrate", "test"] as const) {
    expect(job(without, name).metadata).toMatchObject(injection);
    const { metadata, spec } = job(withSidecar, name);
    expect(JSON.stringify(metadata)).not.toMatch(/inject/);
    expect(spec.containers[0].env).toContainEqual({ name: "SIDECAR_QUIT_URL", value: quitUrl });
  }
});

/** Runs the Job's container as a process, with PostgreSQL and a sidecar on these ports. */
async function runJob(postgresPort: number, waitSeconds: number) {
  const quits: string[] = [];
  const sidecar = createServer(({ method, url }, response) => {
    quits.push(`${method} ${url}`);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(sidecar, "listening");
  const { port } = sidecar.address() as AddressInfo;
  const quitUrl = `migrations.sidecar.quitUrl=http://127.0.0.1:${port}/quitquitquit`;
  const sets = ["--set", quitUrl, "--set", `migrations.waitSeconds=${waitSeconds}`];
  const [container] = job(await manifests(caseFile("minimal"), ...sets), "migrate").spec.containers;
  const url = new URL(database.ownerUrl);
  url.port = String(postgresPort);
  const env = Object.fromEntries(
    container.env.map(({ name, value }: { name: string; value?: string }) => [name, value ?? url.href]),
  );
  const main = join(import.meta.dirname, "../../deploy/main.ts");
  const child = spawn(process.execPath, [main, ...container.args], { env, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const ended = once(child, "close").then(([code]) => {
    sidecar.close();
    return { code, quits };
  });
  return { ended, output: () => output };
}

const atDatabase = () => Number(new URL(database.ownerUrl).port);

test("the Job waits for a PostgreSQL that starts later, migrates, and ends with its sidecar", async () => {
  const proxy = await startFaultProxy(atDatabase);
  proxy.set("refuse");
  const { ended, output } = await runJob(proxy.port, 120);
  await expect.poll(output).toMatch(/^Waiting up to 120 s for PostgreSQL: \w+ ECONNRESET/);
  proxy.set("pass");
  expect(await ended).toEqual({ code: 0, quits: ["POST /quitquitquit"] });
  expect(output()).toMatch(/^(Waiting .*\n)+The database is up to date\.\n$/);
  await proxy.close();
});

test("a Job that fails says why in a sentence, and its sidecar ends too", async () => {
  const proxy = await startFaultProxy(atDatabase);
  proxy.set("refuse");
  const { ended, output } = await runJob(proxy.port, 0);
  expect(await ended).toEqual({ code: 1, quits: ["POST /quitquitquit"] });
  expect(output()).toMatch(
    /^Cannot migrate: PostgreSQL at [\d.:]+ \(OWNER_DATABASE_URL\) cannot be used: \w+ ECONNRESET.*\n$/,
  );
  await proxy.close();
});

test("the Job prepares, migrates and issues the first key, one after the other, with the names that it is given", async () => {
  const { spec } = job(await manifests(caseFile("first-install")), "migrate");
  const steps = [...spec.initContainers, ...spec.containers];
  expect(steps.map(({ args }: { args: string[] }) => args)).toEqual([
    ["prepare"],
    ["migrate"],
    [
      "bootstrap",
      "--organisation=Retail bank",
      "--application=Support assistant",
      "--user=Ada",
      "--email=ada@example.com",
    ],
  ]);
});
