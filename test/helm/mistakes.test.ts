import { helm, helmVersions } from "@ems/release/helm";
import { expect, test } from "vitest";
import { sample } from "../harness/sample.ts";
import { caseFile, chart } from "./render.ts";

/** Mistakes in values (JSON by path), each with its error message. */
const mistakes: readonly [values: Record<string, unknown>, sentence: string | RegExp][] = [
  [{ "image.repository": "" }, "image.repository is required"],
  [{ "image.tag": "latest" }, "image.tag must not be latest: migrations run once per image"],
  [{ "image.repository": "registry.example:5000/ems:1.0" }, "image.repository contains a tag or a digest"],
  [{ "image.repository": "registry.example/ems@sha256:abc" }, "image.repository contains a tag or a digest"],
  [{ "image.tag": "sha256:abc" }, "image.tag must be letters, digits and . _ -, at most 128"],
  [{ "image.digest": "sha256:abc" }, "image.digest must be sha256: and 64 digits"],
  [{ "secrets.existingSecret": "" }, "secrets.existingSecret is required"],
  [{ "database.existingSecret": "" }, "database.roles.owner has no Secret"],
  [{ "database.form": "parts" }, "database.host is required when database.form is parts"],
  [
    { "settings.DATABASE_POOL_MAX": 5 },
    "the processes may open 132 connections to PostgreSQL during a rollout, which leaves fewer than 10 of its 100 for others",
  ],
  [{ "database.maxConnections": 99 }, "may open 90 connections to PostgreSQL during a rollout"],
  [{ "database.host": "db" }, "have no effect when database.form is uri"],
  [
    { "database.form": "parts", "database.host": "db", "database.replica.key": "url" },
    "database.replica.key has no effect when database.form is parts",
  ],
  [
    { "database.form": "parts", "database.host": "db", "database.parameters": "?sslmode=verify-full" },
    "database.parameters must not begin with a question mark",
  ],
  [
    { "database.form": "parts", "database.host": "db", "database.parameters": "a=b&sslmode=require" },
    "database.parameters must contain sslmode=verify-full",
  ],
  [{ "nats.url": "nats://n:4222", "nats.existingSecret": "nats" }, "exclude each other: set one"],
  [{ "nats.url": "nats://user:word@n:4222" }, "nats.url contains a user or token, which is not secret there"],
  [{ "nats.credentials": { existingSecret: "x" } }, "nats.credentials requires nats.url or nats.existingSecret"],
  [
    { "nats.url": "nats://n:4222", "nats.users.catalog.urlKey": "url" },
    "nats.users.catalog has a Secret or key for a URL, but nats.url applies to all: set one",
  ],
  [{ "nats.users.catalog.urlKey": "url" }, "nats.users.catalog.urlKey requires nats.existingSecret"],
  [{ "clickhouse.url": "https://ch:8443" }, "clickhouse.existingSecret is required when clickhouse.url is set"],
  [
    { "clickhouse.url": "https://ems:word@ch:8443", "clickhouse.existingSecret": "ch" },
    "clickhouse.url contains a user or password, which is not secret there",
  ],
  [{ "clickhouse.cluster": "main" }, "clickhouse.existingSecret, cluster and ca have no effect without clickhouse.url"],
  [
    { "clickhouse.url": "http://ch:8123", "clickhouse.existingSecret": "ch", "clickhouse.ca.existingSecret": "ca" },
    "clickhouse.ca requires an https:// URL",
  ],
  [{ "rpc.tlsSecret": "tls", "probes.readiness": "grpc" }, "probes.readiness must be http when rpc.tlsSecret is set"],
  [{ "mail.existingSecret": "mail" }, "mail.from and mail.feedbackTo are required"],
  [{ "firstKey.existingSecret": "key", "migrations.enabled": false }, "firstKey and database.admin require migrations"],
  [{ "firstKey.existingSecret": "key", "firstKey.email": "ada@example.com" }, "firstKey.email requires firstKey.user"],
  [{ "ingress.enabled": true }, "ingress.hosts is required"],
  [{ "httpRoute.enabled": true }, "httpRoute.parentRefs is required"],
  [{ "grpcRoute.enabled": true }, "grpcRoute.parentRefs is required"],
  [
    { "grpcRoute.enabled": true, "grpcRoute.parentRefs": [{ name: "public" }], "service.grpcPort": 0 },
    "grpcRoute requires service.grpcPort, which is 0",
  ],
  [
    {
      httpRoute: { enabled: true, parentRefs: [{ name: "public" }], hostnames: ["a.example.com"] },
      grpcRoute: { enabled: true, parentRefs: [{ name: "public" }], hostnames: ["a.example.com"] },
    },
    "grpcRoute and httpRoute have the same hostnames at the same Gateways",
  ],
  [{ "service.externalTrafficPolicy": "Local" }, "service.externalTrafficPolicy requires service.type NodePort"],
  [{ "service.nodePort": 30_080 }, "service.nodePort and grpcNodePort require service.type NodePort"],
  [
    { "service.loadBalancerSourceRanges": ["10.0.0.0/8"], "service.type": "NodePort" },
    "loadBalancerSourceRanges and loadBalancerClass require service.type LoadBalancer",
  ],
  [{ "service.ipFamilies": ["IPv6"] }, 'set listenAddress to "::"'],
  [
    { "components.gateway.autoscaling.enabled": true, "components.gateway.keda": { enabled: true } },
    "components.gateway has both autoscaling and keda: enable one",
  ],
  [{ "components.gateway.keda.enabled": true }, "components.gateway.keda.triggers is required"],
  [
    { "components.gateway.autoscaling": { enabled: true, targetCPUUtilizationPercentage: 0 } },
    "components.gateway.autoscaling has nothing to scale by",
  ],
  [
    { "networkPolicy.enabled": true, "monitoring.serviceMonitor.enabled": true },
    "networkPolicy.adminFrom is required when monitoring.serviceMonitor.enabled",
  ],
  [
    { "networkPolicy.enabled": true, "settings.OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318" },
    "networkPolicy.extraEgress is required when settings.OTEL_EXPORTER_OTLP_ENDPOINT",
  ],
  [{ "settings.LOG_LEVLE": "warn" }, "settings.LOG_LEVLE is not one of its settings"],
  [
    { "components.catalog.settings.WEBHOOK_POLL_MS": 5 },
    "components.catalog.settings.WEBHOOK_POLL_MS is not one of its settings",
  ],
  [{ "settings.DATABASE_URL": "postgres://x" }, "settings.DATABASE_URL is set by the chart from other values"],
  [{ extraEnv: [{ name: "RPC_PRIVATE_KEY", value: "x" }] }, "extraEnv has RPC_PRIVATE_KEY, which is set by the chart"],
  [{ extraEnv: [{ name: "LOG_LEVEL", value: "warn" }] }, "extraEnv has LOG_LEVEL, which is a setting"],
  [
    { "components.gateway.autoscaling": { enabled: true, minReplicas: 5, maxReplicas: 4 } },
    "components.gateway.autoscaling.minReplicas is greater than maxReplicas",
  ],
  [
    { "components.gateway.autoscaling": { enabled: true }, "defaults.resources.requests": { memory: "1Gi", cpu: "" } },
    "components.gateway.autoscaling requires resources.requests.cpu",
  ],
  [
    { "components.catalog.podDisruptionBudget": { minAvailable: 1, maxUnavailable: 1 } },
    "components.catalog.podDisruptionBudget has both maxUnavailable and minAvailable",
  ],
  [{ "defaults.podDisruptionBudget": { minAvailable: 1, maxUnavailable: 1 } }, "has both maxUnavailable and minAvail"],
  [{ "components.gateway.strategy.type": "Replace" }, "strategy.type must be RollingUpdate or Recreate"],
  [{ "settings.WEBHOOK_ALLOW_CIDRS": "10.0.0.0/8" }, 'it requires WEBHOOK_ALLOW_PRIVATE: "yes"'],
  [{ "settings.TRUST_PROXY": true }, "TRUST_PROXY must not be true"],
  [{ "components.gateway.settings.TRUST_PROXY": "true" }, "TRUST_PROXY must not be true"],
  // The two versions of helm word the schema's errors differently.
  [{ replicaCount: 2 }, /additional propert(y|ies) '?replicaCount'?/i],
  [{ "components.billing": {} }, /additional propert(y|ies) '?billing'?/i],
  [{ "components.gateway.replicas": "three" }, /components[./]gateway[./]replicas/],
  [{ "database.port": 70_000 }, /database[./]port/],
  [{ "clickhouse.url": "clickhouse://ch:9000" }, /clickhouse[./]url/],
  [{ "clickhouse.database": "ems; DROP" }, /clickhouse[./]database/],
  [{ "httpRoute.parentRefs": [{ nam: "public" }] }, /parentRefs[./]0.*name/s],
  [{ "service.loadBalancerSourceRanges": ["10.0.0.1"] }, /loadBalancerSourceRanges[./]0/],
  [{ "migrations.sidecar.quitUrl": "https://example.com/" }, /sidecar[./]quitUrl/],
  [{ "monitoring.prometheusRule.matchers": "namespace=ems" }, /prometheusRule[./]matchers/],
  [{ "probes.readiness": "tcp" }, /probes[./]readiness/],
];

test.each(sample(mistakes, 8))("%j is rejected: %s", async (values, sentence) => {
  const args = Object.entries(values).flatMap(([path, value]) => ["--set-json", `${path}=${JSON.stringify(value)}`]);
  for (const version of helmVersions) {
    const { ok, stderr } = await helm(version, "template", chart, "-f", caseFile("minimal"), ...args);
    expect(ok).toBe(false);
    if (typeof sentence === "string") expect(stderr).toContain(sentence);
    else expect(stderr).toMatch(sentence);
  }
});

test("all mistakes are reported together", async () => {
  const { stderr } = await helm("4.1.4", "template", chart);
  expect(stderr).toContain("image.repository is required");
  expect(stderr).toContain("secrets.existingSecret is required");
});
