// The same mistake over REST and gRPC: both agree with the table of reasons, and have the details for programs.

import { readFile } from "node:fs/promises";
import type { DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { newId } from "@ems/kit/id";
import { issuesOfError } from "@ems/kit/json/violations";
import { StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import { TagService } from "@ems/proto/catalog/v1/tag_service";
import { TaskService } from "@ems/proto/catalog/v1/task_service";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { ExperimentService, ExperimentStatus } from "@ems/proto/experiments/v1/experiment_service";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "@ems/proto/google/rpc/error_details";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { DeliveryService } from "@ems/proto/notifications/v1/delivery_service";
import { expect, inject, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const tenant = await newTenant();
const { api, apiKey } = tenant;
const transport = createGrpcTransport({ baseUrl: inject("product").grpcUrl });

/** Public documentation of reasons, codes and statuses. */
const page = await readFile(new URL("../../proto/google/ERRORS.md", import.meta.url), "utf8");
const documented = new Map(
  [...page.matchAll(/^\| `(\w+)` +\| (\w+) +\| (\d+) +\|/gm)].map(([, reason = "", code, status]) => [
    reason,
    { code, status: Number(status) },
  ]),
);

async function catchFailure<Method extends DescMethodUnary>(
  method: Method,
  message: MessageInitShape<Method["input"]>,
  headers: Record<string, string> = {},
): Promise<ConnectError> {
  const sent = { authorization: `Bearer ${apiKey}`, ...headers };
  const error = await transport.unary(method, undefined, 20_000, sent, message as never).then(
    () => expect.unreachable("the call succeeds"),
    (thrown: unknown) => ConnectError.from(thrown),
  );
  return error;
}

/** Expects the status and code of `reason` in both answers, and a retry delay in both or in neither. */
function expectBoth(
  reason: string,
  byRest: { readonly status: number; readonly headers: Headers; readonly body: { readonly issues?: unknown[] } },
  byGrpc: ConnectError,
): void {
  const [info] = byGrpc.findDetails(ErrorInfoSchema);
  const code = Code[byGrpc.code].replace(/\B[A-Z]/g, "_$&").toUpperCase();
  expect([reason, { code, status: byRest.status }]).toEqual([info?.reason, documented.get(reason)]);
  expect(info?.domain).toBe("ems");
  expect(byGrpc.findDetails(RetryInfoSchema)).toHaveLength(byRest.headers.get("retry-after") === null ? 0 : 1);
  // REST's issues appear twice over gRPC, as field violations and as issues of the error: the numbers are equal.
  const faults = byRest.body.issues?.length ?? 0;
  expect(byGrpc.findDetails(BadRequestSchema).flatMap((each) => each.fieldViolations)).toHaveLength(faults);
  expect(issuesOfError(byGrpc)).toHaveLength(faults);
  expect(byGrpc.metadata.get("x-request-id")).toBeTruthy();
}

const { createTopic, getTopic } = TopicService.method;

test("credentials", async () => {
  const unknownKey = `${apiKey.slice(0, -1)}${apiKey.endsWith("a") ? "b" : "a"}`;
  const rest = (as: Parameters<typeof api.as>[0]) => api.as(as).get("/v0/topics");
  expectBoth(
    "API_KEY_MISSING",
    await rest({ apiKey: undefined }),
    await catchFailure(getTopic, {}, { authorization: "" }),
  );
  expectBoth(
    "API_KEY_INVALID",
    await rest({ apiKey: unknownKey }),
    await catchFailure(getTopic, {}, { authorization: `Bearer ${unknownKey}` }),
  );
  expectBoth(
    "APPLICATION_FORBIDDEN",
    await rest({ applicationId: newId() }),
    await catchFailure(getTopic, {}, { "x-application-id": newId() }),
  );
  const { data } = (await api.post("/v0/api-keys", { name: "telemetry", scopes: ["otlp:write"] })).body;
  const byGrpc = await catchFailure(getTopic, {}, { authorization: `Bearer ${data.key}` });
  expectBoth("SCOPE_MISSING", await rest({ apiKey: data.key }), byGrpc);
  expect(byGrpc.findDetails(ErrorInfoSchema)[0]?.metadata).toEqual({ scope: "topic:read" });
});

test("fields", async () => {
  const byGrpc = await catchFailure(createTopic, { title: "", quickstartId: "no id" });
  expectBoth("RULES_VIOLATED", await api.post("/v0/topics", { title: "", quickstartId: "no id" }), byGrpc);
  expect(byGrpc.findDetails(BadRequestSchema)[0]?.fieldViolations).toMatchObject([
    { field: "title", description: "String must contain at least 1 character(s)", reason: "TOO_SMALL" },
    { field: "quickstart_id", description: "Invalid UUID", reason: "INVALID_STRING" },
  ]);
});

test("what does not exist, and what exists", async () => {
  const id = newId();
  const missing = await catchFailure(getTopic, { id });
  expectBoth("RESOURCE_NOT_FOUND", await api.get(`/v0/topics/${id}`), missing);
  expect(missing.findDetails(ErrorInfoSchema)[0]?.metadata).toEqual({ resource: "Topic" });
  await api.post("/v0/tags", { name: "taken" });
  expectBoth(
    "RESOURCE_EXISTS",
    await api.post("/v0/tags", { name: "taken" }),
    await catchFailure(TagService.method.createTag, { name: "taken" }),
  );
});

test("states", async () => {
  const made = await api.post("/v0/experiments", { title: "a" });
  expect(made.status).toBe(201);
  const { id } = made.body.data;
  const change = (status: string) => api.send("PUT", `/v0/experiments/${id}`, { json: { status } });
  expect((await change("RUNNING")).status).toBe(200);
  expectBoth(
    "STATE_CONFLICT",
    await change("DRAFT"),
    await catchFailure(ExperimentService.method.updateExperiment, { id, status: ExperimentStatus.DRAFT }),
  );
  const since = new Date(Date.now() - 60_000).toISOString();
  expectBoth(
    "WEBHOOK_INACTIVE",
    await api.post("/v0/webhook/recover", { since }),
    await catchFailure(DeliveryService.method.recoverDeliveries, {
      since: { seconds: BigInt(Date.now()) / 1000n - 60n },
    }),
  );
});

test("idempotency keys", async () => {
  const keyed = (key: string, json: object, path = "/v0/topics") =>
    api.send("POST", path, { json, headers: { "idempotency-key": key } });
  const invalid = await catchFailure(createTopic, { title: "a" }, { "idempotency-key": "a b" });
  expectBoth("IDEMPOTENCY_KEY_INVALID", await keyed("a b", { title: "a" }), invalid);
  expect(invalid.findDetails(ErrorInfoSchema)[0]?.metadata).toEqual({ header: "idempotency-key" });
  const key = newId();
  await keyed(key, { title: "first" });
  expectBoth(
    "IDEMPOTENCY_KEY_REUSED",
    await keyed(key, { title: "a" }),
    await catchFailure(createTopic, { title: "a" }, { "idempotency-key": key }),
  );
  await keyed(key, { name: "a" }, "/v0/api-keys");
  expectBoth(
    "IDEMPOTENCY_ANSWER_NOT_STORED",
    await keyed(key, { name: "a" }, "/v0/api-keys"),
    await catchFailure(ApiKeyService.method.createApiKey, { name: "a" }, { "idempotency-key": key }),
  );
});

test("sizes", async () => {
  const task = { title: "a", description: "a", prompts: Array(110).fill("x".repeat(10_000)) };
  const large = await catchFailure(TaskService.method.createTask, task);
  expectBoth("REQUEST_TOO_LARGE", await api.post("/v0/tasks", task), large);
  const content = [{ heading: "a", content: "x".repeat(1_000_000) }];
  for (let count = 0; count < 4; count++) await api.post("/v0/style-guides", { content });
  expectBoth(
    "ANSWER_TOO_LARGE",
    await api.get("/v0/style-guides"),
    await catchFailure(StyleGuideService.method.listStyleGuides, {}),
  );
});
