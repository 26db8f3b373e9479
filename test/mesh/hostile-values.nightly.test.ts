// Hostile values in every field of every RPC that platform callers may use, sent directly to the services, without the
// gateway's checks: services report the caller's mistake, and never fail themselves.

import { type DescField, type DescMethod, type DescMethodUnary, hasOption, type Message } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import type { ProcessName } from "@ems/deploy/mesh";
import { http } from "@ems/proto/google/api/annotations";
import { getProcess } from "@ems/proto/process-name";
import { services } from "@ems/proto/services";
import { afterAll, expect, test } from "vitest";
import { hostileMessages } from "../harness/hostile-messages.ts";
import { hostileFailures, repeatBy } from "../harness/hostile-sample.ts";
import { findProcess } from "../harness/mesh-address.ts";
import { platformKey, platformToken, serviceNames, startWithCallers } from "../harness/platform-callers.ts";
import { newTenant } from "../harness/tenant.ts";

const methods = services
  .filter((service) => serviceNames.some((name) => name === getProcess(service)))
  .flatMap((service): readonly DescMethod[] => service.methods)
  .filter((method): method is DescMethodUnary => method.methodKind === "unary");

const key = platformKey();
const caller = {
  name: "anyone",
  keys: [key.publicKey],
  organizations: ["*"],
  // Internal RPCs must be listed by name.
  rpcs: methods.map(({ parent, name }) => `${parent.typeName}/${name}`),
  rate: { perMinute: 1_000_000, burst: 100_000, inFlightMax: 1_000 },
};
const { facts, database, remove } = await startWithCallers([caller]);
afterAll(remove);

const transports = new Map<ProcessName, ReturnType<typeof createGrpcTransport>>();
for (const name of serviceNames) {
  transports.set(name, createGrpcTransport({ baseUrl: `http://${(await findProcess(facts, name)).address}` }));
}

const { api, orgId, applicationId } = await newTenant({}, facts);
const { rows } = await database.query("SELECT id FROM identity.app_user WHERE org_id = $1", [orgId]);
const tenant = { "x-organization-id": orgId, "x-application-id": applicationId, "x-user-id": rows[0].id as string };
const topicId = (await api.post("/v0/topics", { title: "a" })).body.data.id;
const taskId = (await api.post("/v0/tasks", { title: "a", description: "a", topicId })).body.task.id;

const definition = { name: "a", type: "CUSTOM", globalConfig: { criterion: "a" } };
const definitionId = (await api.post("/v0/definitions", definition)).body.data.id;
const connection = { name: "a", provider: "openai", model: "a", apiKey: "a" };
const connectionId = (await api.post("/v0/model-connections", connection)).body.data.id;
const results = { tests: [{ taskId, evaluations: [{ definitionId, passed: true, score: 1 }] }] };
const { testIds, run } = (await api.post("/v0/tests/results", results)).body;
const evaluationId = (await api.get(`/v0/evals?testId=${testIds[0]}`)).body.data[0].id;

/** Values by field name that let a request reach its handler. */
const values = new Map<string, unknown>([
  ["topic_id", topicId],
  ["topic_ids", topicId],
  ["TopicService.id", topicId],
  ["task_id", taskId],
  ["task_ids", taskId],
  ["TaskService.id", taskId],
  ["TestPlanService.ids", definitionId],
  ["definition_id", definitionId],
  ["default_connection_id", connectionId],
  ["ModelConnectionService.id", connectionId],
  ["ScheduleService.id", taskId],
  ["run_id", run.id],
  ["test_id", testIds[0]],
  ["evaluation_ids", evaluationId],
  ["EvaluationService.id", evaluationId],
  ["EvaluationService.ids", evaluationId],
  ["ExecutionService.id", evaluationId],
  ["EventLogService.limit", 10],
  ["EventLogService.bytes", 1_000],
]);

/** Expected answers of internal RPCs. Operators' RPCs are unimplemented here: only `ems` serves them. */
const expectedAnswers = new Map([
  ["ApiKeyService.Authenticate", [Code.Unauthenticated]],
  ["EventLogService.ReadEvents", [Code.OutOfRange]],
]);

test.each(methods.map((method): [string, DescMethodUnary] => [`${method.parent.name}.${method.name}`, method]))(
  "%s",
  async (name, method) => {
    const service = getProcess(method.parent) as ProcessName;
    const headers = { ...platformToken(key, "anyone", service), ...tenant };
    const valid = ({ name }: DescField) => values.get(`${method.parent.name}.${name}`) ?? values.get(name);
    const send = async (message: Message) =>
      transports.get(service)?.unary(method, undefined, 20_000, headers, message as never);
    const more = hasOption(method, http) ? [] : [Code.Unimplemented, ...(expectedAnswers.get(name) ?? [])];
    expect(await hostileFailures(hostileMessages(method, valid), send, more), repeatBy).toEqual([]);
  },
);
