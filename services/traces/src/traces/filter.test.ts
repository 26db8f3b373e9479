import type { MessageInitShape } from "@bufbuild/protobuf";
import { fromJson } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { type IngestEventSchema, IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { type ListTracesRequest, TraceOrder, TraceService } from "@ems/proto/experiments/v1/trace_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";
import { tracesSchema } from "../schema.ts";
import { where } from "./filter.ts";

const harness = await tracesHarness();
const { tenant, clock, database } = harness;
const ingest = harness.client(IngestService);
const traces = harness.client(TraceService);

const add = async (event: MessageInitShape<typeof IngestEventSchema>, by = tenant) => {
  clock.advance(1_000);
  const { data } = await ingest.ingestEvents({ events: [{ type: "trace", ...event }] }, testCall(by));
  expect(data).toMatchObject([{ success: true }]);
};
const found = async (request: Partial<Omit<ListTracesRequest, "$typeName">>, by = tenant) => {
  const { data, pagination } = await traces.listTraces(
    { orderBy: TraceOrder.CREATED_AT, orderDir: OrderDirection.ASC, ...request },
    testCall(by),
  );
  expect(pagination?.total).toBe(BigInt(data.length));
  return data.map(({ referenceId }) => referenceId).join("");
};
const metadata = (value: object) => fromJson(ValueSchema, JSON.parse(JSON.stringify(value)));

beforeAll(async () => {
  const at = timestampFromDate(new Date("2026-01-02T00:00:00Z"));
  await add({ referenceId: "a", totalCost: 0.5, totalDurationMs: 100, hasError: true, timestamp: at });
  await add({
    referenceId: "b",
    totalCost: 1,
    totalDurationMs: 300,
    stepCount: 7n,
    metadata: metadata({ plan: "pro", seats: 3 }),
  });
  await add({ referenceId: "c", metadata: metadata({ plan: "free", nested: { plan: "pro" } }) });
});

test("by cost and duration, inclusively, and by error", async () => {
  expect(await found({ minCost: 0.5 })).toBe("ab");
  expect(await found({ minCost: 0.6, maxCost: 1 })).toBe("b");
  // The cost of the third is unknown.
  expect(await found({ maxCost: 0 })).toBe("");
  expect(await found({ maxCost: 9 })).toBe("ab");
  expect(await found({ minDuration: 100n, maxDuration: 299n })).toBe("a");
  expect(await found({ hasError: true })).toBe("a");
  expect(await found({ hasError: false })).toBe("bc");
});

test("by the end user, whose name has at most 1,000 characters, within the application", async () => {
  const [mail, long] = ["ann@example.com", "u".repeat(1_000)];
  const by = testTenant();
  await add({ referenceId: "a", metadata: metadata({ userId: mail }) }, by);
  await add({ referenceId: "b", metadata: metadata({ "user.id": long }) }, by);
  await add({ referenceId: "c", traceId: newId(), metadata: metadata({ user: { id: mail } }) }, by);
  expect(await found({ user: mail }, by)).toBe("ac");
  expect(await found({ user: long }, by)).toBe("b");
  expect(await found({ user: "ann" }, by)).toBe("");
  expect(await found({ user: mail })).toBe("");
});

test("the first user in a trace's metadata remains its user; later ones are only in the metadata", async () => {
  const by = testTenant();
  const traceId = newId();
  for (const value of [{ a: 1 }, { userId: "first" }, { "user.id": "second" }])
    await add({ referenceId: "a", traceId, metadata: metadata(value) }, by);
  const { data } = await traces.getTrace({ id: traceId }, testCall(by));
  expect(data?.user).toBe("first");
  expect([await found({ user: "first" }, by), await found({ user: "second" }, by)]).toEqual(["a", ""]);
});

test("by a key and value of the metadata, at the first level, immediately and within the tenant", async () => {
  const pro = { metadataKey: "plan", metadataValue: "pro" };
  expect(await found(pro)).toBe("b");
  expect(await found({ metadataKey: "seats", metadataValue: "3" })).toBe("b");
  expect(await found({ metadataKey: "plan", metadataValue: "pr" })).toBe("");
  expect(await found(pro, testTenant())).toBe("");
  const traceId = newId();
  await add({ traceId, referenceId: "d" });
  await add({ traceId, metadata: metadata({ plan: "pro" }) });
  expect(await found(pro)).toBe("bd");
  for (const alone of [{ metadataKey: "plan" }, { metadataValue: "pro" }]) {
    await expect(traces.listTraces(alone, testCall(tenant))).rejects.toMatchObject({ code: Code.InvalidArgument });
  }
});

test("in the order of each total and time, with ties ordered by id", async () => {
  const order = async (orderBy: TraceOrder) => {
    const whole = (await traces.listTraces({ orderBy, orderDir: OrderDirection.DESC }, testCall(tenant))).data;
    const pages = await Promise.all(
      whole.map((_, skip) =>
        traces.listTraces({ orderBy, orderDir: OrderDirection.DESC, skip: BigInt(skip), limit: 1 }, testCall(tenant)),
      ),
    );
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(whole.map(({ id }) => id));
    return whole.map(({ referenceId }) => referenceId)[0];
  };
  expect(await order(TraceOrder.TOTAL_COST)).toBe("b");
  expect(await order(TraceOrder.TOTAL_DURATION_MS)).toBe("b");
  expect(await order(TraceOrder.STEP_COUNT)).toBe("b");
  expect(await order(TraceOrder.MODIFIED_AT)).toBe("d");
  expect(await order(TraceOrder.CREATED_AT)).toBe("d");
});

const planner = testTenant();
const client = new pg.Client({ connectionString: database.getUrl(tracesSchema) });
beforeAll(async () => {
  await database.sql(
    `INSERT INTO traces.trace (application_id, id, org_id, "timestamp", type, is_root_child, has_error, steps, bytes,
       step_count, total_cost, total_duration_ms, total_prompt_tokens, total_completion_tokens, pinned, metadata, created_at,
       modified_at, test_id)
     SELECT $1, gen_random_uuid(), 'org', now(), 'log', false, n % 500 = 0, 0, 0, 0, n, n, 0, 0, 0, '{}', now(), now(),
       CASE WHEN n % 500 = 0 THEN gen_random_uuid() END
     FROM generate_series(1, 5000) n`,
    [planner.applicationId],
  );
  await database.sql("ANALYZE traces.trace");
  await client.connect();
  await client.query("SELECT set_config('ems.application_id', $1, false)", [planner.applicationId]);
});
afterAll(() => client.end());

test.each([
  ["hasError", "trace_error", "has_error", "true::boolean"],
  ["minCost", "trace_cost", "total_cost >=", "4990::float8"],
  ["maxDuration", "trace_duration", "total_duration_ms <=", "5::bigint"],
  ["metadata", "trace_metadata_pkey", "pair =", "'{plan,pro}'::text[]"],
  ["score", "trace_evaluated", "application_id =", "'{0,1}'::float8[]"],
] as const)("as the runtime role, %s is looked up in an index", async (name, index, condition, value) => {
  const predicate = where[name].replaceAll("?", value).replaceAll("$1", `'${planner.applicationId}'`);
  const text = `SELECT t.id FROM traces.trace t WHERE t.application_id = '${planner.applicationId}' AND ${predicate}`;
  const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`);
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toContain(index);
  expect(plan).toMatch(new RegExp(`Index Cond: .*${condition}`));
});
