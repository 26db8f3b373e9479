// Typical values, and their effects on the rendered chart.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { processNames } from "@ems/deploy/mesh";
import { expect, test } from "vitest";
import { caseFile, chart, find, getPods, type Manifest, manifests, renderManifests } from "./render.ts";

const deployment = (objects: readonly Manifest[], name: string) => find(objects, "Deployment", `prod-ems-${name}`);
const container = (objects: readonly Manifest[], name: string) =>
  deployment(objects, name).spec.template.spec.containers[0];

test("only tainted nodes: every pod tolerates them, and selects them", async () => {
  const pods = getPods(await manifests(caseFile("tainted-nodes")));
  expect(pods).toHaveLength(processNames.length + 2);
  for (const { spec } of pods) {
    expect(spec.nodeSelector).toEqual({ pool: "quality" });
    expect(spec.tolerations).toEqual([{ key: "dedicated", operator: "Equal", value: "quality", effect: "NoSchedule" }]);
  }
  expect(pods.map(({ spec }) => spec.priorityClassName).toSorted()).toEqual([
    ...Array.from({ length: processNames.length + 1 }, () => "business"),
    "system",
  ]);
});

test("variables of all lists are there once each, and the narrower list wins", async () => {
  const objects = await manifests(caseFile("sidecars"));
  const own = (name: string) =>
    container(objects, name).env.filter((each: { name: string }) => /^(NODE_EXTRA|TZ|UV_)/.test(each.name));
  const certificates = { name: "NODE_EXTRA_CA_CERTS", value: "/etc/ssl/own/ca.pem" };
  expect(own("catalog")).toEqual([
    certificates,
    { name: "TZ", value: "UTC" },
    { name: "UV_THREADPOOL_SIZE", value: "4" },
  ]);
  expect(own("notifications")).toEqual([
    certificates,
    { name: "TZ", value: "Europe/Berlin" },
    { name: "UV_THREADPOOL_SIZE", value: "8" },
  ]);
  const proxies = { configMapRef: { name: "proxies" } };
  expect(container(objects, "catalog").envFrom).toEqual([proxies]);
  expect(container(objects, "gateway").envFrom).toEqual([proxies, { secretRef: { name: "gateway-extra" } }]);
});

test("sidecars stand after the process, native ones before it and in the pods that end", async () => {
  const objects = await manifests(caseFile("sidecars"));
  const names = (pod: Manifest) => pod.spec.containers.map(({ name }: { name: string }) => name);
  expect(names(deployment(objects, "gateway").spec.template)).toEqual(["gateway", "log-shipper"]);
  expect(names(deployment(objects, "catalog").spec.template)).toEqual(["catalog"]);
  for (const { spec } of getPods(objects))
    expect(spec.initContainers).toEqual([expect.objectContaining({ name: "postgres-proxy", restartPolicy: "Always" })]);
  expect(deployment(objects, "catalog").metadata.annotations).toEqual({ "reloader.stakater.com/auto": "true" });
});

test("common labels are on every object and pod, but select nothing and change none of the chart's", async () => {
  const labels = { team: "quality", "cost-center": "4711" };
  const args = ["--set-json", 'commonLabels.app\\.kubernetes\\.io/name="other"'];
  const objects = await manifests(caseFile("sidecars"), ...args);
  for (const { metadata } of [...objects, ...getPods(objects)])
    expect(metadata.labels).toMatchObject({ ...labels, "app.kubernetes.io/name": "ems" });
  expect(deployment(objects, "catalog").spec.selector.matchLabels).toEqual({
    "app.kubernetes.io/component": "catalog",
    "app.kubernetes.io/instance": "prod",
    "app.kubernetes.io/name": "ems",
  });
});

test("an umbrella chart's registry takes the place of the image's, and its pull secrets are added", async () => {
  const pods = getPods(await manifests(caseFile("private-registry")));
  for (const { spec } of pods) {
    expect(spec.containers[0].image).toBe("mirror.internal:5000/proxy/quality/ems:1.2.3");
    expect(spec.imagePullSecrets).toEqual([{ name: "shared" }, { name: "mirror" }]);
  }
  const image = async (repository: string) => {
    const args = ["--set", `image.repository=${repository}`, "--set", "global.imageRegistry=mirror"];
    const objects = await manifests(caseFile("minimal"), ...args);
    return container(objects, "catalog").image;
  };
  expect(await image("quality/ems")).toBe("mirror/quality/ems:0.1.0");
  expect(await image("localhost/ems")).toBe("mirror/ems:0.1.0");
  expect(await image("localhost:5000/a/b/ems")).toBe("mirror/a/b/ems:0.1.0");
});

test("as the values are, all processes fit into PostgreSQL's connections while they are rolled, with room for an operator", async () => {
  const objects = await manifests(caseFile("minimal"));
  const sum = objects
    .filter(({ kind }) => kind === "Deployment")
    .map(({ spec }) => {
      const [{ env }] = spec.template.spec.containers;
      const pools = env.filter(({ name }: { name: string }) => name.endsWith("_POOL_MAX"));
      const each = pools.reduce((connections: number, { value }: { value: string }) => connections + Number(value), 0);
      return each * (spec.replicas + spec.strategy.rollingUpdate.maxSurge);
    })
    .reduce((all, each) => all + each);
  expect(sum).toBeLessThanOrEqual(90);
  const guide = readFileSync(join(chart, "../../guides/connections.md"), "utf8");
  expect(guide).toMatch(new RegExp(`\\*\\*total\\*\\*[ |]+30 +\\| 60 +\\| ${sum} of 100 `));
  // With a pooler, only the relays connect to PostgreSQL directly.
  await expect(manifests(caseFile("pooler"), "--set", "database.maxConnections=37")).resolves.not.toEqual([]);
  await expect(manifests(caseFile("pooler"), "--set", "database.maxConnections=36")).rejects.toThrow(/may open 27 /);
});

test("a prefix of the roles is in the URLs that the chart makes, and known to what creates the roles", async () => {
  const args = ["--set", "database.rolePrefix=staging_"];
  const urls = JSON.stringify(await manifests(caseFile("parts"), ...args)).match(/postgres:\/\/\w+/g) ?? [];
  expect(urls.length).toBeGreaterThan(10);
  for (const url of urls) expect(url).toMatch(/^postgres:\/\/staging_ems_/);
  const jobs = (await manifests(caseFile("first-install"), ...args)).filter(({ kind }) => kind === "Job");
  expect(JSON.stringify(jobs)).toContain('{"name":"DATABASE_ROLE_PREFIX","value":"staging_"}');
});

test("a load balancer has its policies, addresses and families; without them a Service has no such field", async () => {
  const service = find(await manifests(caseFile("load-balancer")), "Service", "prod-ems-gateway");
  expect(service.metadata.labels).toMatchObject({ exposed: "yes" });
  expect(service.spec).toMatchObject({
    type: "LoadBalancer",
    externalTrafficPolicy: "Local",
    internalTrafficPolicy: "Cluster",
    loadBalancerSourceRanges: ["203.0.113.0/24", "2001:db8::/32"],
    loadBalancerClass: "service.k8s.aws/nlb",
    ipFamilyPolicy: "PreferDualStack",
    ipFamilies: ["IPv6", "IPv4"],
    ports: [
      { name: "http", port: 443, nodePort: 30_080 },
      { name: "grpc", port: 4317, nodePort: 30_317 },
    ],
  });
  const plain = find(await manifests(caseFile("minimal")), "Service", "prod-ems-gateway");
  expect(Object.keys(plain.spec).toSorted()).toEqual(["ports", "selector", "type"]);
});

test("gRPC has a route of its own to the port for gRPC", async () => {
  const objects = await manifests(caseFile("gateway-api"));
  const { spec, metadata } = find(objects, "GRPCRoute", "prod-ems");
  expect(metadata.annotations).toEqual({ "example.com/team": "quality" });
  expect(spec).toEqual({
    parentRefs: [{ name: "public", namespace: "gateways" }],
    hostnames: ["grpc.ems.example.com"],
    rules: [{ backendRefs: [{ name: "prod-ems-gateway", port: 4317 }] }],
  });
  expect(find(objects, "HTTPRoute", "prod-ems").spec.rules[0].backendRefs).toEqual([
    { name: "prod-ems-gateway", port: 80 },
  ]);
});

test("components scale by a backlog, of an adapter or of KEDA, which then sets their number", async () => {
  const external = await manifests(caseFile("external-metrics"));
  const metrics = (name: string) => find(external, "HorizontalPodAutoscaler", `prod-ems-${name}`).spec.metrics;
  expect(metrics("gateway").map(({ type }: { type: string }) => type)).toEqual(["Resource", "Pods"]);
  expect(metrics("notifications")).toEqual([
    {
      type: "External",
      external: {
        metric: {
          name: "ems_queue_depth",
          selector: { matchLabels: { release: "prod", queue: "notifications.deliveries" } },
        },
        target: { type: "AverageValue", averageValue: "100" },
      },
    },
  ]);
  const keda = await manifests(join(chart, "examples/keda.values.yaml"));
  const { spec } = find(keda, "ScaledObject", "prod-ems-notifications");
  expect(spec).toMatchObject({
    scaleTargetRef: { name: "prod-ems-notifications" },
    minReplicaCount: 2,
    maxReplicaCount: 8,
    pollingInterval: 15,
  });
  expect(spec.triggers[0].metadata.query).toBe(
    'max(ems_queue_depth{namespace="ems", release="prod", queue="notifications.deliveries"})',
  );
  expect(deployment(keda, "notifications").spec).not.toHaveProperty("replicas");
  expect(deployment(keda, "catalog").spec.replicas).toBe(2);
  expect(keda.filter(({ kind }) => kind === "HorizontalPodAutoscaler")).toEqual([]);
});

test("two releases of a namespace share no name, and neither selects the other's pods", async () => {
  const [each, two] = [
    await renderManifests("prod", caseFile("two-releases")),
    await renderManifests("staging", caseFile("two-releases")),
  ];
  const names = (objects: readonly Manifest[]) => objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(names(each).filter((name) => names(two).includes(name))).toEqual([]);
  const unlabeled = getPods(two).map(({ metadata }) => metadata.labels ?? {});
  const selects = (selector: Record<string, string>) =>
    unlabeled.some((labels) => Object.entries(selector).every(([name, value]) => labels[name] === value));
  for (const { kind, spec } of each) {
    if (kind === "Service") expect(selects(spec.selector)).toBe(false);
    if (kind === "NetworkPolicy") expect(selects(spec.podSelector.matchLabels)).toBe(false);
  }
});

interface SchemaNode {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
}

test("every value has a description in the schema, which editors show", () => {
  const schema = JSON.parse(readFileSync(join(chart, "values.schema.json"), "utf8"));
  const undescribed = (node: SchemaNode, path: string): string[] => [
    ...(node.items === undefined ? [] : undescribed(node.items, path)),
    ...Object.entries(node.properties ?? {}).flatMap(([name, property]) => [
      ...(property.description ? [] : [`${path}.${name}`]),
      ...undescribed(property, `${path}.${name}`),
    ]),
  ];
  const definitions = Object.entries(schema.definitions as Record<string, SchemaNode>);
  expect([
    ...undescribed(schema, ""),
    ...definitions.flatMap(([name, definition]) => undescribed(definition, `#${name}`)),
  ]).toEqual([]);
});
