import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import type { Tenant } from "@ems/kit/tenant";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { SessionService } from "@ems/proto/experiments/v1/session_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test, vi } from "vitest";
import { tracesHarness } from "../../test/harness.ts";

const { client } = await tracesHarness();
const [ingest, sessions, traces] = [client(IngestService), client(SessionService), client(TraceService)];
const toValue = (json: JsonValue) => fromJson(ValueSchema, json);

interface Turn {
  readonly metadata: JsonValue;
  readonly at?: string;
  readonly status?: string;
  readonly input?: string;
}

async function addTurn(tenant: Tenant, { metadata, at = "2026-10-01T08:00:00Z", status, input = "Hello" }: Turn) {
  const traceId = newId();
  const timestamp = timestampFromDate(new Date(at));
  const usage = { promptTokens: 10n, completionTokens: 5n };
  const step = { type: "llm", event: "end", traceId, timestamp, input: toValue(input), usage, costAmount: 0.1 };
  const events = [
    { type: "trace", traceId, timestamp, metadata: toValue(metadata) },
    { ...step, modelId: "m", ...(status !== undefined && { status }) },
  ];
  const { data } = await ingest.ingestEvents({ events }, testCall(tenant));
  expect(data.map(({ error }) => error)).toEqual([undefined, undefined]);
  return traceId;
}

test("a session has totals of its traces, which are returned in order", async () => {
  const tenant = testTenant();
  const second = await addTurn(tenant, {
    metadata: { "session.id": "chat-1", "user.id": "ada" },
    at: "2026-10-01T09:00:00Z",
  });
  const first = await addTurn(tenant, { metadata: { sessionId: "chat-1", "user.id": "bo" }, status: "error" });
  await addTurn(tenant, { metadata: { session_id: "chat-2" } });
  await addTurn(testTenant(), { metadata: { sessionId: "chat-1" } });
  const { data, pagination } = await sessions.listSessions({ externalId: "chat-1" }, testCall(tenant));
  expect(pagination?.total).toBe(1n);
  expect(data[0]).toMatchObject({
    externalId: "chat-1",
    turns: 2n,
    users: ["ada", "bo"],
    errors: 1n,
    tokens: { input: 20n, output: 10n },
    totalCost: 0.2,
    evaluations: { count: 0n },
  });
  const id = data[0]?.id ?? "";
  const found = await sessions.getSession({ id }, testCall(tenant));
  expect(found.data).toEqual(data[0]);
  expect(found.traces.map((trace) => [trace.id, trace.session, trace.sessionId])).toEqual([
    [first, "chat-1", id],
    [second, "chat-1", id],
  ]);
  const next = await sessions.getSession({ id, skip: 1n, limit: 1 }, testCall(tenant));
  expect(next.traces.map((trace) => trace.id)).toEqual([second]);
  expect(next.pagination).toMatchObject({ total: 2n, totalPages: 2n });
  for (const filter of [{ session: "chat-1" }, { sessionId: id }]) {
    expect((await traces.listTraces(filter, testCall(tenant))).pagination?.total).toBe(2n);
  }
});

test("sessions are filtered by time, user, errors and words; another application's are not found", async () => {
  const tenant = testTenant();
  await addTurn(tenant, { metadata: { threadId: "a", user: { id: "ada" } }, input: "refund please" });
  await addTurn(tenant, { metadata: { conversation_id: 7 }, at: "2026-10-03T08:00:00Z", status: "error" });
  await addTurn(tenant, { metadata: { session: { id: "c" } } });
  await addTurn(tenant, { metadata: { region: "eu" } });
  const list = async (filter: object) =>
    (await sessions.listSessions(filter, testCall(tenant))).data.map(({ externalId }) => externalId).toSorted();
  expect(await list({})).toEqual(["7", "a", "c"]);
  expect(await list({ user: "ada" })).toEqual(["a"]);
  expect(await list({ hasError: true })).toEqual(["7"]);
  expect(await list({ hasError: false })).toEqual(["a", "c"]);
  const startDate = { seconds: BigInt(Date.parse("2026-10-02T00:00:00Z") / 1000), nanos: 0 };
  expect(await list({ startDate })).toEqual(["7"]);
  await vi.waitFor(async () => expect(await list({ search: "refund" })).toEqual(["a"]), { timeout: 20_000 });
  const { data } = await sessions.listSessions({}, testCall(tenant));
  for (const { id } of data) {
    const found = sessions.getSession({ id }, testCall(testTenant()));
    await expect(found).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "Session not found" });
  }
});

test("a session is gone with its last trace", async () => {
  const tenant = testTenant();
  const ids = [await addTurn(tenant, { metadata: { sessionId: "x" } })];
  ids.push(await addTurn(tenant, { metadata: { sessionId: "x" } }));
  const work = client(TraceWorkService);
  const turns = async () => (await sessions.listSessions({}, testCall(tenant))).data.map((session) => session.turns);
  await work.eraseTraces({ traceIds: ids.slice(1) }, testCall(tenant));
  expect(await turns()).toEqual([1n]);
  await work.eraseTraces({ traceIds: ids }, testCall(tenant));
  expect(await turns()).toEqual([]);
});
