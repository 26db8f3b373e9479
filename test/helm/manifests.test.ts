import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { caseFile, find, getPods, type Manifest, manifests, valuesFiles } from "./render.ts";

const all = new Map<string, Manifest[]>();
// Files in this folder can import the modules that they need.
const folder = join(import.meta.dirname, "../node_modules/.cache/chart-types");

beforeAll(async () => {
  for (const file of valuesFiles) all.set(file, await manifests(file));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the module with the types of an API version. */
function getModule(apiVersion: string): string {
  if (apiVersion.startsWith("monitoring.coreos.com/")) return `@kubernetes-models/prometheus-operator/${apiVersion}`;
  if (apiVersion.startsWith("gateway.networking.k8s.io/")) return `@kubernetes-models/gateway-api/${apiVersion}`;
  return `kubernetes-models/${apiVersion}`;
}
/** True for the chart's own objects; an operator may add objects of any kind. */
const own = (manifest: Manifest) => manifest.metadata.labels?.["app.kubernetes.io/part-of"] === "ems";
/** True if an installed package has types for the object's kind; values.test.ts checks KEDA's kinds. */
const typed = (manifest: Manifest) => own(manifest) && !manifest.apiVersion.startsWith("keda.sh/");

test("every manifest is what its kind's schema asks for", async () => {
  for (const manifest of [...all.values()].flat().filter(typed)) {
    const kinds = await import(getModule(manifest.apiVersion));
    expect(() => new kinds[manifest.kind](manifest).validate()).not.toThrow();
  }
});

test("no manifest has a field that its kind does not know", async () => {
  const objects = [
    ...new Map(
      [...all.values()]
        .flat()
        .filter(typed)
        .map((each) => [JSON.stringify(each), each]),
    ).values(),
  ];
  const text = objects.map((manifest, index) => {
    const type = `import("${getModule(manifest.apiVersion)}").I${manifest.kind}`;
    return `export const manifest${index} = ${JSON.stringify(manifest, null, 1)} satisfies ${type};`;
  });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "manifests.ts"), text.join("\n"));
  const tsc = join(import.meta.dirname, "../node_modules/.bin/tsc");
  const options = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--types", ""];
  const output = await promisify(execFile)(tsc, [...options, "manifests.ts"], { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(output).toBe("");
});

test("every pod meets Pod Security restricted, with a read-only root and no token", () => {
  for (const pod of [...all.values()]
    .flat()
    .filter(own)
    .flatMap((each) => getPods([each]))) {
    const { spec } = pod;
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect([spec.hostNetwork, spec.hostPID, spec.hostIPC]).toEqual([undefined, undefined, undefined]);
    const isOwn = ({ image }: { image: string }) => /\/ems[:@]/.test(image);
    for (const { securityContext, resources } of [...spec.containers, ...(spec.initContainers ?? [])].filter(isOwn)) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      expect(resources).toMatchObject({
        requests: { memory: expect.anything() },
        limits: { memory: expect.anything() },
      });
    }
  }
});

test("names are unique, and every selector finds the pods it is for", () => {
  for (const objects of all.values()) {
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    const labels = getPods(objects.filter(own)).map((pod) => pod.metadata.labels ?? {});
    const found = (selector: Record<string, string>) =>
      labels.filter((each) => Object.entries(selector).every(([name, value]) => each[name] === value)).length;
    for (const { kind, metadata, spec } of objects.filter(own)) {
      if (kind === "Service") expect(found(spec.selector)).toBe(metadata.name.endsWith("-admin") ? 8 : 1);
      if (kind === "Deployment" || kind === "PodDisruptionBudget") expect(found(spec.selector.matchLabels)).toBe(1);
      if (kind === "NetworkPolicy") expect(found(spec.podSelector.matchLabels)).toBe(1);
    }
  }
});

test("a process is given the time that its shutdown may take", () => {
  const seconds = (name: string) =>
    find(all.get(caseFile(name)) ?? [], "Deployment", name === "minimal" ? "prod-ems-catalog" : "ems-catalog").spec
      .template.spec.terminationGracePeriodSeconds;
  expect(seconds("minimal")).toBe(30);
  // Draining takes 8.5 s.
  expect(seconds("everything")).toBe(34);
});

test("every pod that connects to PostgreSQL has the certificate of a private authority, and no other pod has", () => {
  for (const file of [
    caseFile("everything"),
    valuesFiles.find((each) => each.endsWith("cloudnative-pg.values.yaml")),
  ]) {
    for (const { spec } of getPods((all.get(file ?? "") ?? []).filter(own))) {
      const [{ env = [], volumeMounts = [] }] = spec.containers;
      const urls = env.filter(({ name }: { name: string }) => name.endsWith("DATABASE_URL"));
      const mounts = volumeMounts.filter(({ mountPath }: { mountPath: string }) => mountPath === "/etc/ems/postgres");
      expect(mounts).toHaveLength(urls.length > 0 ? 1 : 0);
      // A URL from a Secret names the certificate itself.
      for (const { value } of urls)
        if (value) expect(value).toMatch(/\?sslmode=verify-full&sslrootcert=\/etc\/ems\/postgres\/ca\.crt$/);
    }
  }
});

test("a component that is recreated has no rolling update, which the cluster would refuse together with it", async () => {
  const objects = await manifests(caseFile("minimal"), "--set", "components.reporting.strategy.type=Recreate");
  expect(find(objects, "Deployment", "prod-ems-reporting").spec.strategy).toEqual({ type: "Recreate" });
  expect(find(objects, "Deployment", "prod-ems-catalog").spec.strategy.type).toBe("RollingUpdate");
});

test("a budget of all components takes the place of the default, and a component's own of that", async () => {
  const budgets = [
    "defaults.podDisruptionBudget.minAvailable=1",
    "components.gateway.podDisruptionBudget.maxUnavailable=2",
  ];
  const objects = await manifests(caseFile("minimal"), ...budgets.flatMap((budget) => ["--set", budget]));
  const getBudget = (name: string) => find(objects, "PodDisruptionBudget", `prod-ems-${name}`).spec;
  expect([getBudget("catalog").minAvailable, getBudget("catalog").maxUnavailable]).toEqual([1, undefined]);
  expect([getBudget("gateway").minAvailable, getBudget("gateway").maxUnavailable]).toEqual([undefined, 2]);
});

test("native gRPC probes ask services, and the gateway still by http", () => {
  const objects = all.get(caseFile("ipv6-grpc")) ?? [];
  const probe = (name: string) =>
    find(objects, "Deployment", `prod-ems-${name}`).spec.template.spec.containers[0].readinessProbe;
  expect(probe("identity").grpc).toEqual({ port: 7101 });
  expect(probe("gateway").httpGet).toEqual({ path: "/readyz", port: "admin" });
});

test("migrations are another Job for another image, and for another way to run them", async () => {
  const renderJobName = async (...args: string[]) =>
    (await manifests(caseFile("minimal"), ...args)).find(({ kind }) => kind === "Job")?.metadata.name;
  const first = await renderJobName();
  expect(await renderJobName("--set", "components.gateway.replicas=5")).toBe(first);
  expect(await renderJobName("--set", "image.tag=2.0.0")).not.toBe(first);
  expect(await renderJobName("--set", "migrations.resources.limits.memory=1Gi")).not.toBe(first);
});

test("as a hook migrations run before an upgrade; an installation and other tools get a plain Job", async () => {
  const renderHook = async (...args: string[]) =>
    (await manifests(caseFile("hook"), ...args)).find(({ kind }) => kind === "Job")?.metadata.annotations;
  expect(await renderHook()).toBeUndefined();
  expect(await renderHook("--is-upgrade")).toMatchObject({ "helm.sh/hook": "pre-upgrade" });
});

test("only migrations and `ems doctor` get the owner's way to the database", () => {
  for (const objects of all.values()) {
    const owners = getPods(objects.filter(own)).filter((pod) => JSON.stringify(pod).includes("OWNER_DATABASE_URL"));
    const jobs = objects.filter(({ kind, metadata }) =>
      /^(Cron)?Job .*-(migrate-\w+|doctor)$/.test(`${kind} ${metadata.name}`),
    );
    expect(owners).toHaveLength(jobs.length);
    for (const { metadata } of owners)
      expect(metadata.labels?.["app.kubernetes.io/component"]).toMatch(/^(migrate|doctor)$/);
  }
});
