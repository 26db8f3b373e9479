import { expect, test } from "vitest";
import { helm, helmVersions } from "./helm.ts";
import { caseFile, chart } from "./render.ts";

/** A mistake, as values in JSON by path, and how the refusal tells it. */
const mistakes: readonly [values: Record<string, unknown>, sentence: string | RegExp][] = [
  [{ "image.repository": "" }, "image.repository is required"],
  [{ "image.tag": "latest" }, "image.tag may not be latest: migrations run once for an image"],
  [{ "image.repository": "registry.example:5000/ems:1.0" }, "image.repository has a tag or a digest in it"],
  [{ "image.repository": "registry.example/ems@sha256:abc" }, "image.repository has a tag or a digest in it"],
  [{ "image.tag": "sha256:abc" }, "image.tag must be letters, digits and . _ -, at most 128"],
  [{ "image.digest": "sha256:abc" }, "image.digest must be sha256: and 64 digits"],
  [{ "secrets.existingSecret": "" }, "secrets.existingSecret is required"],
  [{ "database.existingSecret": "" }, "database.roles.owner has no Secret"],
  [{ "database.form": "parts" }, "database.host is required when database.form is parts"],
  [{ "database.host": "db" }, "have no meaning when database.form is uri"],
  [
    { "database.form": "parts", "database.host": "db", "database.replica.key": "url" },
    "database.replica.key has no meaning when database.form is parts",
  ],
  [
    { "database.form": "parts", "database.host": "db", "database.parameters": "?sslmode=verify-full" },
    "database.parameters begins with a question mark",
  ],
  [
    { "database.form": "parts", "database.host": "db", "database.parameters": "a=b&sslmode=require" },
    "database.parameters must say sslmode=verify-full",
  ],
  [{ "nats.url": "nats://n:4222", "nats.existingSecret": "nats" }, "are two ways to say the same: give one"],
  [{ "nats.url": "nats://user:word@n:4222" }, "nats.url has a user or token in it, which everybody could read"],
  [{ "nats.credentials": { existingSecret: "x" } }, "nats.credentials needs nats.url or nats.existingSecret"],
  [
    { "nats.url": "nats://n:4222", "nats.users.catalog.urlKey": "url" },
    "nats.users.catalog has a Secret or key for a URL, but nats.url is everybody's: give one",
  ],
  [{ "nats.users.catalog.urlKey": "url" }, "nats.users.catalog.urlKey needs nats.existingSecret beside it"],
  [{ "mail.existingSecret": "mail" }, "mail.from and mail.feedbackTo are required"],
  [{ "ingress.enabled": true }, "ingress.hosts is required"],
  [{ "httpRoute.enabled": true }, "httpRoute.parentRefs is required"],
  [
    { "networkPolicy.enabled": true, "monitoring.serviceMonitor.enabled": true },
    "networkPolicy.adminFrom is required when monitoring.serviceMonitor.enabled",
  ],
  [
    { "networkPolicy.enabled": true, "settings.OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318" },
    "networkPolicy.extraEgress is required when settings.OTEL_EXPORTER_OTLP_ENDPOINT",
  ],
  [{ "settings.LOG_LEVLE": "warn" }, "settings.LOG_LEVLE is no setting of it"],
  [{ "components.catalog.settings.WEBHOOK_POLL_MS": 5 }, "components.catalog.settings.WEBHOOK_POLL_MS is no setting"],
  [{ "settings.DATABASE_URL": "postgres://x" }, "settings.DATABASE_URL is set by the chart from other values"],
  [{ extraEnv: [{ name: "RPC_PRIVATE_KEY", value: "x" }] }, "extraEnv has RPC_PRIVATE_KEY, which is set by the chart"],
  [{ extraEnv: [{ name: "LOG_LEVEL", value: "warn" }] }, "extraEnv has LOG_LEVEL, which is a setting"],
  [
    { "components.gateway.autoscaling": { enabled: true, minReplicas: 5, maxReplicas: 4 } },
    "components.gateway.autoscaling.minReplicas is greater than maxReplicas",
  ],
  [
    { "components.gateway.autoscaling": { enabled: true }, "defaults.resources.requests": { memory: "1Gi", cpu: "" } },
    "components.gateway.autoscaling needs resources.requests.cpu",
  ],
  [
    { "components.catalog.podDisruptionBudget": { minAvailable: 1, maxUnavailable: 1 } },
    "components.catalog.podDisruptionBudget has both maxUnavailable and minAvailable",
  ],
  [{ "defaults.podDisruptionBudget": { minAvailable: 1, maxUnavailable: 1 } }, "has both maxUnavailable and minAvail"],
  [{ "components.gateway.strategy.type": "Replace" }, "strategy.type must be RollingUpdate or Recreate"],
  [{ "settings.WEBHOOK_ALLOW_CIDRS": "10.0.0.0/8" }, 'it needs WEBHOOK_ALLOW_PRIVATE: "yes" beside it'],
  [{ "settings.TRUST_PROXY": true }, "TRUST_PROXY may not be true"],
  [{ "components.gateway.settings.TRUST_PROXY": "true" }, "TRUST_PROXY may not be true"],
  // What the schema tells; the two helms have words of their own.
  [{ replicaCount: 2 }, /additional propert(y|ies) '?replicaCount'?/i],
  [{ "components.billing": {} }, /additional propert(y|ies) '?billing'?/i],
  [{ "components.gateway.replicas": "three" }, /components[./]gateway[./]replicas/],
  [{ "database.port": 70_000 }, /database[./]port/],
  [{ "httpRoute.parentRefs": [{ nam: "public" }] }, /parentRefs[./]0.*name/s],
  [{ "probes.readiness": "tcp" }, /probes[./]readiness/],
];

test.each(mistakes)("%j is refused: %s", async (values, sentence) => {
  const args = Object.entries(values).flatMap(([path, value]) => ["--set-json", `${path}=${JSON.stringify(value)}`]);
  for (const version of helmVersions) {
    const { ok, stderr } = await helm(version, "template", chart, "-f", caseFile("minimal"), ...args);
    expect(ok).toBe(false);
    if (typeof sentence === "string") expect(stderr).toContain(sentence);
    else expect(stderr).toMatch(sentence);
  }
});

test("all mistakes are told at once", async () => {
  const { stderr } = await helm("4.1.4", "template", chart);
  expect(stderr).toContain("image.repository is required");
  expect(stderr).toContain("secrets.existingSecret is required");
});
