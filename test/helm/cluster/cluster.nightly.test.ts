// The chart on a real API server: strict field validation, defaults, admission, and upgrades that change nothing. The
// cluster has no nodes: pods are admitted but do not start.

import { execFile } from "node:child_process";
import { basename } from "node:path";
import { promisify } from "node:util";
import { helmVersions, loadProgram } from "@ems/release/helm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chart, getPods, type Manifest, renderManifests, valuesFiles } from "../render.ts";
import { type ApiServer, startApiServer } from "./api-server.ts";
import { definitions } from "./definitions.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
  await server.apply(...definitions);
  const kinds = definitions.map(({ metadata }) => `crd/${metadata.name}`);
  await server.kubectl("wait", "--for=condition=Established", "--timeout=60s", ...kinds);
}, 1_800_000);
afterAll(() => server.stop());

async function helm(version: (typeof helmVersions)[number], ...args: string[]): Promise<string> {
  const env = { KUBECONFIG: server.kubeconfig, HOME: "/nonexistent" };
  const options = { env, maxBuffer: 64 * 1024 * 1024 };
  const { stdout, stderr } = await promisify(execFile)(await loadProgram(version, "helm"), args, options);
  // The API server reports violations of Pod Security and of strict validation as warnings.
  expect(stderr.split("\n").filter((line) => /warning/i.test(line))).toEqual([]);
  return stdout;
}

/** Returns the resource versions of a release's objects, by kind and name. */
async function versions(namespace: string): Promise<Record<string, string>> {
  const kinds =
    "deploy,svc,cm,sa,job,cronjob,hpa,pdb,netpol,ing,httproute,grpcroute,servicemonitor,prometheusrule,scaledobject";
  const { items } = JSON.parse(await server.kubectl("get", kinds, "-n", namespace, "-o", "json"));
  const own = (items as Manifest[]).filter(({ metadata }) => metadata.name !== "kube-root-ca.crt");
  return Object.fromEntries(
    own.map(({ kind, metadata }) => [
      `${kind} ${metadata.name}`,
      `${(metadata as { resourceVersion?: string }).resourceVersion}`,
    ]),
  );
}

/** Leaves out Jobs: each revision has its own Job, or an upgrade hook, which is not rendered here. */
function staying(name: string, objects: Record<string, string>): Record<string, string> {
  if (name !== "hook" && name !== "development-example") return objects;
  return Object.fromEntries(Object.entries(objects).filter(([each]) => !each.startsWith("Job ")));
}

const names = valuesFiles.map((file) => ({ file, name: basename(file, ".yaml").replace(".values", "-example") }));

test.each(names)(
  "$name is installed, admitted under Pod Security, and upgraded to itself without a change",
  async ({ file, name }) => {
    for (const version of helmVersions) {
      const namespace = `${name}-${version.split(".")[0]}`;
      const labels = Object.fromEntries(
        ["enforce", "warn"].map((mode) => [`pod-security.kubernetes.io/${mode}`, "restricted"]),
      );
      await server.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } });
      const args = ["prod", chart, "-n", namespace, "-f", file];
      await helm(version, "install", ...args, "--no-hooks");
      const installed = await versions(namespace);
      expect(Object.keys(installed).filter((each) => each.startsWith("Deployment ")).length).toBeGreaterThanOrEqual(7);
      await helm(version, "upgrade", ...args, "--no-hooks");
      expect(staying(name, await versions(namespace))).toEqual(staying(name, installed));
      await helm(version, "uninstall", "prod", "-n", namespace, "--no-hooks");
      // No object is left, including those of `extraObjects`.
      expect(Object.keys(await versions(namespace))).toEqual([]);
    }
  },
);

test.each(names)("the pods of $name are admitted as pods", async ({ file, name }) => {
  const namespace = `pods-${name}`;
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await server.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } });
  const pods = getPods(await renderManifests("prod", file));
  // The controller that would create the default account does not run here.
  const accounts = new Set(["default", ...pods.flatMap(({ spec }) => spec.serviceAccountName ?? [])]);
  const classes = new Set(pods.flatMap(({ spec }) => spec.priorityClassName ?? []));
  await server.apply(
    ...[...accounts].map((account) => ({
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: account, namespace },
    })),
    ...[...classes].map((each) => ({
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: { name: each },
      value: 1,
    })),
  );
  await server.apply(
    ...pods.map(({ metadata, spec }, index) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { labels: metadata.labels ?? {}, name: `pod-${index}`, namespace },
      spec,
    })),
  );
  const { items } = JSON.parse(await server.kubectl("get", "pods", "-n", namespace, "-o", "json"));
  expect(items).toHaveLength(pods.length);
});

test("a second release in the namespace meets nothing of the first's", async () => {
  const file = valuesFiles.find((each) => each.endsWith("two-releases.yaml")) ?? "";
  const [version = "4.1.4"] = helmVersions.toReversed();
  await helm(version, "install", "prod", chart, "-n", "two", "--create-namespace", "-f", file, "--no-hooks");
  const first = await versions("two");
  await helm(version, "install", "staging", chart, "-n", "two", "-f", file, "--no-hooks");
  const both = await versions("two");
  expect(Object.keys(both)).toHaveLength(2 * Object.keys(first).length);
  expect(both).toMatchObject(first);
});
