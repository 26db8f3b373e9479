import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { EvaluationSettingsService } from "@ems/proto/evaluation/v1/evaluation_settings_service";
import { ModelConnectionService } from "@ems/proto/evaluation/v1/model_connection_service";
import { modelConnectionsMax } from "@ems/proto/limits";
import { capturedLog, testCall, testTenant } from "@ems/test-support";
import { modelServer } from "@ems/test-support/model-server";
import { afterAll, beforeEach, expect, test } from "vitest";
import { evaluationHarness } from "../../test/harness.ts";

const server = await modelServer();
afterAll(() => server.close());
const { log, text: logged } = capturedLog();
const harness = await evaluationHarness(
  { MODEL_ALLOW_CIDRS: "127.0.0.1/32" },
  { log, execution: { getExecutionSettings: () => ({}), setExecutionSettings: () => ({}) } },
);
const { database } = harness;
const connections = harness.client(ModelConnectionService);
const settings = harness.client(EvaluationSettingsService);

let tenant = testTenant();
beforeEach(() => {
  tenant = testTenant();
});
const asTenant = (key?: string) => {
  const call = testCall(tenant);
  return key === undefined ? call : { ...call, headers: { ...call.headers, "idempotency-key": key } };
};

const apiKey = "sk-very-secret-key-of-a-tenant-WXYZ";
const request = { name: "Judge", provider: "openai", baseUrl: server.url, model: "model-a", apiKey };
const create = async (more: object = {}, call = asTenant()) => {
  const { data } = await connections.createModelConnection({ ...request, ...more }, call);
  if (data === undefined) throw new Error("no connection");
  return data;
};
const get = async (id: string) => (await connections.getModelConnection({ id }, asTenant())).data;

test("a connection is returned without its key", async () => {
  const limits = { requestsPerMinute: 60, tokensPerMinute: 1_000, concurrency: 4 };
  const created = await create({ prices: { inputPerMillion: 0, outputPerMillion: 2.5 }, limits, default: true });
  expect(created).toMatchObject({
    name: "Judge",
    provider: "openai",
    baseUrl: server.url,
    model: "model-a",
    apiKeyLastFour: "WXYZ",
    prices: { inputPerMillion: 0, outputPerMillion: 2.5 },
    limits,
    default: true,
  });
  expect(await get(created.id)).toEqual(created);
  expect((await connections.listModelConnections({}, asTenant())).data).toEqual([created]);
});

test("a key is sealed in the database, and absent from stored answers and logs", async () => {
  const key = newId();
  const { id } = await create({}, asTenant(key));
  expect((await create({}, asTenant(key))).id).toBe(id);
  server.script({ kind: "error", status: 401, message: `Incorrect key ${apiKey}` });
  await connections.testModelConnection({ id }, asTenant());
  const rows = await database.sql(
    `SELECT api_key FROM evaluation.model_connection WHERE id = $1
     UNION ALL SELECT encode(answer, 'escape') FROM evaluation.idempotency WHERE application_id = $2`,
    [id, tenant.applicationId],
  );
  expect(rows.length).toBe(2);
  expect(JSON.stringify(rows) + logged()).not.toContain("very-secret");
});

test("another tenant's connection is not found", async () => {
  const { id } = await create();
  const call = testCall(testTenant());
  const notFound = { code: Code.NotFound, rawMessage: "Model connection not found" };
  await expect(connections.getModelConnection({ id }, call)).rejects.toMatchObject(notFound);
  await expect(connections.updateModelConnection({ ...request, id }, call)).rejects.toMatchObject(notFound);
  await expect(connections.deleteModelConnection({ id }, call)).rejects.toMatchObject(notFound);
  await expect(connections.testModelConnection({ id }, call)).rejects.toMatchObject(notFound);
  expect((await connections.listModelConnections({}, call)).data).toEqual([]);
  expect(await get(id)).toBeDefined();
});

test("an update replaces all fields except the key, ends a pause, and requires the key again for another host", async () => {
  const { id } = await create({ prices: { inputPerMillion: 1, outputPerMillion: 1 }, limits: { concurrency: 1 } });
  await database.sql(
    "UPDATE evaluation.model_connection SET paused_at = now(), pause_reason = 'The provider answered 401' WHERE id = $1",
    [id],
  );
  expect(await get(id)).toMatchObject({ pauseReason: "The provider answered 401", pausedAt: expect.anything() });
  const { apiKey: _, ...unchanged } = request;
  await connections.updateModelConnection({ ...unchanged, id, model: "model-b" }, asTenant());
  const updated = await get(id);
  expect(updated).toMatchObject({ model: "model-b", apiKeyLastFour: "WXYZ", limits: {} });
  expect([updated?.prices, updated?.pausedAt, updated?.pauseReason]).toEqual([undefined, undefined, undefined]);
  const elsewhere = { ...unchanged, id, baseUrl: "http://127.0.0.1:11434/v1" };
  await expect(connections.updateModelConnection(elsewhere, asTenant())).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
  await connections.updateModelConnection({ ...elsewhere, apiKey: "another-key-0123456789" }, asTenant());
  expect(await get(id)).toMatchObject({ apiKeyLastFour: "6789" });
});

test("only one connection is the default", async () => {
  const first = await create({ default: true });
  const second = await create({ default: true });
  expect([(await get(first.id))?.default, (await get(second.id))?.default]).toEqual([false, true]);
  await connections.updateModelConnection({ ...request, id: first.id, default: true }, asTenant());
  expect([(await get(first.id))?.default, (await get(second.id))?.default]).toEqual([true, false]);
  await connections.deleteModelConnection({ id: first.id }, asTenant());
  await expect(connections.getModelConnection({ id: first.id }, asTenant())).rejects.toMatchObject({
    code: Code.NotFound,
  });
});

test.each([
  [{ baseUrl: "http://10.0.0.1/v1" }],
  [{ baseUrl: "https://localhost/v1" }],
  [{ baseUrl: "https://169.254.169.254/v1" }],
  [{ baseUrl: "ftp://example.com" }],
  [{ provider: "openai-compatible", baseUrl: undefined }],
  [{ provider: "anthropic", apiKey: undefined }],
  [{ provider: "other" }],
  [{ apiKey: "with a space" }],
  [{ prices: { inputPerMillion: -1, outputPerMillion: 1 } }],
  [{ limits: { concurrency: 0 } }],
  [{ name: "" }],
])("%j is rejected", async (more) => {
  await expect(create(more)).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("concurrent requests cannot create more connections than the limit", async () => {
  const results = await Promise.allSettled(Array.from({ length: modelConnectionsMax + 20 }, () => create()));
  expect(results.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(modelConnectionsMax);
  const reasons = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  for (const reason of reasons) expect([Code.FailedPrecondition, Code.ResourceExhausted]).toContain(reason.code);
  await database.sql(
    `INSERT INTO evaluation.model_connection (application_id, id, org_id, name, provider, model, api_key, is_default, created_at, modified_at)
     SELECT $1, gen_random_uuid(), $2, 'n', 'openai', 'm', '', false, now(), now()
     FROM generate_series(1, $3 - 2 - (SELECT count(*)::int FROM evaluation.model_connection WHERE application_id = $1))`,
    [tenant.applicationId, tenant.orgId, modelConnectionsMax],
  );
  const last = await Promise.allSettled(Array.from({ length: 10 }, () => create()));
  expect(last.filter(({ status }) => status === "fulfilled").length).toBe(
    modelConnectionsMax - Math.max(modelConnectionsMax - 2, results.length - reasons.length),
  );
  const [{ count } = { count: 0 }] = await database.sql<{ count: number }>(
    "SELECT count(*)::int FROM evaluation.model_connection WHERE application_id = $1",
    [tenant.applicationId],
  );
  expect(count).toBe(modelConnectionsMax);
  await expect(create()).rejects.toMatchObject({ code: Code.FailedPrecondition });
});

test("without prices no connection is created or changed while a budget in money is set", async () => {
  const prices = { inputPerMillion: 1, outputPerMillion: 2 };
  const { id } = await create({ prices });
  await settings.updateEvaluationSettings({ budgets: { month: { money: 5 } } }, asTenant());
  const refused = { code: Code.InvalidArgument };
  await expect(create()).rejects.toMatchObject(refused);
  await expect(create({ default: true })).rejects.toMatchObject(refused);
  await expect(connections.updateModelConnection({ ...request, id, default: true }, asTenant())).rejects.toMatchObject(
    refused,
  );
  await create({ prices });
  // A model in the price table has prices.
  await create({ model: "gpt-4o-mini" });
  await settings.updateEvaluationSettings({ budgets: { month: { tokens: 5n } } }, asTenant());
  const unpriced = await create({ default: true });
  const withMoney = { budgets: { day: { money: 5 } } };
  await expect(settings.updateEvaluationSettings(withMoney, asTenant())).rejects.toMatchObject(refused);
  await connections.deleteModelConnection({ id: unpriced.id }, asTenant());
  await settings.updateEvaluationSettings(withMoney, asTenant());
});

test("a connection without prices may stay unused under a budget in money, and is refused when it is put in use", async () => {
  const prices = { inputPerMillion: 1, outputPerMillion: 2 };
  const used = await create({ prices, default: true });
  const { id } = await create();
  const withMoney = { budgets: { month: { money: 5 } } };
  await settings.updateEvaluationSettings(withMoney, asTenant());
  const refused = { code: Code.InvalidArgument };
  const puts = [
    () => settings.updateEvaluationSettings({ ...withMoney, defaultConnectionId: id }, asTenant()),
    () => connections.updateModelConnection({ ...request, id, default: true }, asTenant()),
  ];
  for (const put of puts) await expect(put()).rejects.toMatchObject(refused);
  expect((await get(used.id))?.default).toBe(true);
  // Deleting a connection is always possible: the remaining one is not called as long as it has no price.
  await connections.deleteModelConnection({ id: used.id }, asTenant());
  await expect(settings.updateEvaluationSettings(withMoney, asTenant())).rejects.toMatchObject(refused);
  await connections.updateModelConnection({ ...request, id, prices, default: true }, asTenant());
  await settings.updateEvaluationSettings({ ...withMoney, defaultConnectionId: id }, asTenant());
});

test("a test reports its result, and its success ends a pause", async () => {
  const { id } = await create();
  const testConnection = () => connections.testModelConnection({ id }, asTenant());
  await database.sql("UPDATE evaluation.model_connection SET paused_at = now(), pause_reason = 'r' WHERE id = $1", [
    id,
  ]);
  server.script({ kind: "error", status: 401 });
  expect(await testConnection()).toMatchObject({
    ok: false,
    model: "model-a",
    error: "The provider answered 401: the key is not accepted. Set a valid key of the provider",
  });
  expect(await get(id)).toMatchObject({ pauseReason: "r" });
  // An answer that is no judgment does not end the pause, because evaluations would fail.
  server.script({ kind: "answer", text: "OK" }, { kind: "answer", text: "OK" });
  expect(await testConnection()).toMatchObject({ ok: false, reachable: true });
  expect((await get(id))?.pauseReason).toBe("r");
  expect(await testConnection()).toMatchObject({ ok: true, model: "model-a", latencyMs: expect.any(Number) });
  expect((await get(id))?.pauseReason).toBeUndefined();
  const [sent] = server.requests.slice(-1);
  expect(sent?.headers.authorization).toBe(`Bearer ${apiKey}`);
  expect(Object.keys(sent?.schema?.properties ?? {})).toEqual(["rationale", "quotes", "choice"]);
});

test("tests of one application are limited, and end before their caller stops waiting", async () => {
  const { id } = await create();
  server.script({ kind: "hang" }, { kind: "hang" });
  const from = server.requests.length;
  const call = () => connections.testModelConnection({ id }, testCall(tenant, 2_500));
  const hanging = [call(), call()];
  await expect.poll(() => server.requests.length).toBe(from + 2);
  await expect(call()).rejects.toMatchObject({ code: Code.ResourceExhausted });
  expect(await Promise.all(hanging)).toMatchObject([{ ok: false }, { ok: false }]);
});
