import { readFileSync } from "node:fs";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { tracesHarness } from "../../test/harness.ts";
import { tracesSchema } from "../schema.ts";
import { wordKeys, wordsToFind } from "./words.ts";

const harness = await tracesHarness();
const { tenant, database } = harness;
const ingest = harness.client(IngestService);
const traces = harness.client(TraceService);
const text = (value: string) => ({ kind: { case: "stringValue" as const, value } });

const add = async (inputs: string[], { traceId = newId(), by = tenant } = {}) => {
  const steps = inputs.map((input) => ({ type: "log", input: text(input) }));
  await ingest.ingestEvents({ events: [{ type: "trace", traceId }] }, testCall(by));
  await ingest.ingestEvents({ events: steps.map((step) => ({ ...step, traceId })) }, testCall(by));
  return traceId;
};
const find = async (search: string, by = tenant) => {
  const { data, pagination } = await traces.listTraces({ search }, testCall(by));
  expect(pagination?.total).toBe(BigInt(data.length));
  return data.map(({ traceId }) => traceId).sort();
};
const indexed = () =>
  vi.waitFor(async () => expect(await database.sql("SELECT FROM traces.search_job")).toEqual([]), {
    timeout: 30_000,
    interval: 50,
  });

test("finds traces that have all words, in any step, case and order", async () => {
  const [first, second] = [await add(["The card was STOLEN", "in Århus"]), await add(["A card was lost"])];
  await indexed();
  expect(await find("card")).toEqual([first, second].sort());
  expect(await find("århus, Stolen!")).toEqual([first]);
  expect(await find("stolen lost")).toEqual([]);
  expect(await find("car")).toEqual([]);
  expect(await find("?!")).toEqual([]);
});

test("later steps are found together with earlier ones", async () => {
  const traceId = await add(["begin"]);
  await indexed();
  await add(["later"], { traceId });
  await indexed();
  expect(await find("begin later")).toEqual([traceId]);
});

test("a trace of many words is found by any of them, together and separately", async () => {
  const words = Array.from({ length: 17_000 }, (_, index) => `many${index}`);
  const traceId = await add([words.slice(0, 8_500).join(" "), words.slice(8_500).join(" ")]);
  await indexed();
  expect(await find("many0 many8600 many16999")).toEqual([traceId]);
  expect(await find("many0 many17000")).toEqual([]);
  expect(await database.sql("SELECT FROM traces.trace_words WHERE trace_id = $1", [traceId])).toHaveLength(3);
});

test("another tenant's words find nothing", async () => {
  const other = testTenant();
  const theirs = await add(["secretly"], { by: other });
  await indexed();
  expect(await find("secretly")).toEqual([]);
  expect(await find("secretly", other)).toEqual([theirs]);
});

test("another process takes over the jobs of a dead process", async () => {
  const lease = "UPDATE traces.search_job SET leased_until = now() + interval '1 hour'";
  await database.sql("ALTER TABLE traces.search_job ALTER COLUMN leased_until SET DEFAULT now() + interval '1 hour'");
  const traceId = await add(["orphan"]);
  await database.sql("ALTER TABLE traces.search_job ALTER COLUMN leased_until SET DEFAULT '-infinity'");
  expect(await find("orphan")).toEqual([]);
  await database.sql(lease.replace("+", "-"));
  await indexed();
  expect(await find("orphan")).toEqual([traceId]);
});

test("finds beginnings of words, and words of scripts without spaces, in any case", async () => {
  const traceId = await add(["Rückerstattungen: 我要申请退款", "İADE ขอคืนเงิน", "払い戻しをお願いします"]);
  await indexed();
  for (const search of ["Rückerstatt*", "iade", "退款 rück*", "คืนเงิน", "払い戻し"])
    expect([search, await find(search)]).toEqual([search, [traceId]]);
  expect(await find("rückerstatt")).toEqual([]);
  await expect(find("r*")).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("a search states how many traces are not indexed yet, or waits for them", async () => {
  const delayed = "ALTER TABLE traces.search_job ALTER COLUMN leased_until SET DEFAULT now() + interval '1 hour'";
  await database.sql(delayed);
  const traceId = await add(["waiting"]);
  await add(["later"], { traceId });
  await database.sql("ALTER TABLE traces.search_job ALTER COLUMN leased_until SET DEFAULT '-infinity'");
  const search = { search: "waiting" };
  expect(await traces.listTraces(search, testCall(tenant))).toMatchObject({ data: [], unindexed: 1n });
  expect((await traces.listTraces({}, testCall(tenant))).unindexed).toBeUndefined();
  expect((await traces.listTraces(search, testCall(testTenant()))).unindexed).toBe(0n);
  const waiting = () => traces.listTraces({ ...search, consistency: "indexed" }, testCall(tenant, 1_500));
  await expect(waiting()).rejects.toMatchObject({ code: Code.Unavailable });
  const answer = traces.listTraces({ ...search, consistency: "indexed" }, testCall(tenant));
  await database.sql("UPDATE traces.search_job SET leased_until = '-infinity'");
  expect(await answer).toMatchObject({ data: [{ id: traceId }], unindexed: 0n });
});

test("traces that are stored already are indexed again, after new ones", async () => {
  const traceId = await add(["formerly"]);
  await indexed();
  await database.sql("DELETE FROM traces.trace_words");
  const keys = wordKeys(tenant.applicationId);
  await database.sql(
    "INSERT INTO traces.trace_words SELECT application_id, id, 0, created_at, ARRAY[$2::bigint] FROM traces.trace WHERE id = $1",
    [traceId, keys.getKey("formerly")],
  );
  const owner = new pg.Client({ connectionString: database.superuserUrl });
  await owner.connect();
  await owner.query("SET ROLE ems_owner");
  await owner.query(readFileSync(new URL("../migrations/reindex-words.sql", import.meta.url), "utf8"));
  await owner.end();
  const [job] = await database.sql("SELECT *, leased_until > now() AS waits FROM traces.search_job");
  expect(job).toMatchObject({ application_id: tenant.applicationId, waits: true });
  expect(job?.trace_ids).toContain(traceId);
  expect(await find("former*")).toEqual([]);
  await traces.listTraces({ search: "formerly", consistency: "indexed" }, testCall(tenant, 1_500));
  await database.sql("UPDATE traces.search_job SET leased_until = '-infinity'");
  await indexed();
  expect(await find("former*")).toEqual([traceId]);
});

const client = new pg.Client({ connectionString: database.getUrl(tracesSchema) });
await client.connect();
afterAll(() => client.end());

test("words are found by their index alone, in every month", async () => {
  await add(["planned"]);
  await indexed();
  const [source] = await database.sql<{ body: string }>(
    "SELECT prosrc AS body FROM pg_proc WHERE proname = 'find_traces'",
  );
  const [query = ""] = /SELECT w\.trace_id[\s\S]*?(?= LIMIT)/.exec(source?.body ?? "") ?? [];
  const owner = new pg.Client({ connectionString: database.superuserUrl });
  await owner.connect();
  // The role and settings with which the function runs.
  await owner.query("SET ROLE ems_owner; SET enable_seqscan = off");
  const text = query.replace("wanted", "'{1,2}'").replace("tenant", `'${tenant.applicationId}'`);
  const { rows } = await owner.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`);
  await owner.end();
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/Bitmap Index Scan on trace_words_\d{4}_\d\d_words_idx[\s\S]*Index Cond: \(words @>/);
  expect(plan).not.toMatch(/Seq Scan|pkey/);
});

test("the runtime role can neither read another tenant's words nor search as the owner for another tenant", async () => {
  await client.query("SELECT set_config('ems.application_id', $1, false)", [newId()]);
  expect((await client.query("SELECT FROM traces.trace_words")).rowCount).toBe(0);
  const needle = wordsToFind(tenant.applicationId, "card");
  expect((await client.query("SELECT traces.find_traces($1)", [needle])).rowCount).toBe(0);
  await client.query("SELECT set_config('ems.application_id', '', false)");
  expect((await client.query("SELECT traces.find_traces($1)", [needle])).rowCount).toBe(0);
});
