// Secrets issued by other systems: the product's own API key in their place is refused, and nothing is stored.

import { ConnectError } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { ModelConnectionService } from "@ems/proto/evaluation/v1/model_connection_service";
import { BadRequestSchema } from "@ems/proto/google/rpc/error_details";
import { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { expect, inject, test } from "vitest";
import { nowhere, storageEndpoint } from "../harness/names.ts";
import { newTenant } from "../harness/tenant.ts";

const { api, apiKey } = await newTenant();
const advice = /^Must not .*API key of this service \(ems_\.\.\.\): enter the secret issued by .*$/;
const issueAt = (...path: string[]) => ({
  status: 400,
  body: { issues: [{ code: "invalid_string", message: expect.stringMatching(advice), path }] },
});
const connection = { name: "Judge", provider: "openai", model: "judge-1" };

test.each([apiKey, "ems_", "ems_production", `ems_${"x".repeat(200)}`])("as a provider's key: %s", async (key) => {
  const list = () => api.get("/v0/model-connections").then(({ body }) => body.data);
  const before = await list();
  expect(await api.post("/v0/model-connections", { ...connection, apiKey: key })).toMatchObject(issueAt("apiKey"));
  expect(await list()).toEqual(before);

  const made = await api.post("/v0/model-connections", { ...connection, apiKey: "sk-right-0123456789-4321" });
  expect(made.status).toBe(201);
  const path = `/v0/model-connections/${made.body.data.id}`;
  expect(await api.send("PUT", path, { json: { ...connection, apiKey: key } })).toMatchObject(issueAt("apiKey"));
  expect((await api.get(path)).body.data).toMatchObject({ apiKeyLastFour: "4321" });
});

test("as a secret key of storage", async () => {
  const settings = { endpoint: storageEndpoint, bucket: "exports", accessKeyId: "exporter", datasets: ["TRACES"] };
  const put = (secretAccessKey: string) =>
    api.send("PUT", "/v0/export-settings", { json: { ...settings, secretAccessKey } });
  expect(await put(apiKey)).toMatchObject(issueAt("secretAccessKey"));
  expect((await api.get("/v0/export-settings")).body.data).toBeNull();
});

test.each([apiKey, `Bearer ${apiKey}`, `token=${apiKey}; version=1`])(
  "in a header of the webhook: %s",
  async (value) => {
    const webhook = (headers: Record<string, string>) => api.post("/v0/webhook", { url: nowhere, headers });
    expect(await webhook({ authorization: value, "x-team": "qa" })).toMatchObject(issueAt("headers", "authorization"));
  },
);

test.each(["sk-ems_1234", "Bearer sk-1", "systems_a"])("other texts are taken: %s", async (secret) => {
  const made = await api.post("/v0/model-connections", { ...connection, apiKey: secret.replaceAll(" ", "-") });
  expect(made.status).toBe(201);
});

test("over gRPC too, by the field's name", async () => {
  const transport = createGrpcTransport({ baseUrl: inject("product").grpcUrl });
  const headers = { authorization: `Bearer ${apiKey}` };
  const { createModelConnection } = ModelConnectionService.method;
  const { setWebhook } = WebhookService.method;
  const values = { authorization: `Bearer ${apiKey}` };
  const failures = await Promise.all([
    transport
      .unary(createModelConnection, undefined, 20_000, headers, { ...connection, apiKey })
      .catch(ConnectError.from),
    transport
      .unary(setWebhook, undefined, 20_000, headers, { url: nowhere, headers: { values } })
      .catch(ConnectError.from),
  ]);
  const fields = failures.map((failure) =>
    failure instanceof ConnectError ? failure.findDetails(BadRequestSchema)[0]?.fieldViolations : failure,
  );
  expect(fields).toMatchObject([
    [{ field: "api_key", description: expect.stringMatching(advice) }],
    [{ field: expect.stringMatching(/^headers\b.*authorization/), description: expect.stringMatching(advice) }],
  ]);
});
