// Traces that come again after they were dropped.

import { Stores } from "@ems/kit/archive";
import type { Call } from "@ems/kit/rpc/call";
import { expect, test } from "vitest";
import { addTraces, archiveHarness } from "../../test/archive.ts";
import { dropDue } from "./drop.ts";
import { experimentsArchive } from "./kinds.ts";
import { mergeReturned } from "./returned.ts";

const { sql, clock, archive, carrier, newCall, database, relayDatabase, source, log } = await archiveHarness();
const deps = { database, relayDatabase, source, log };
const dayMs = 86_400_000;
const day = clock.now().getTime() - 20 * dayMs;
const signal = new AbortController().signal;

async function numberOf(table: string, applicationId: string): Promise<number | undefined> {
  const text = `SELECT count(*)::int AS rows FROM experiments.${table} WHERE application_id = $1`;
  return (await sql<{ rows: number }>(text, [applicationId]))[0]?.rows;
}

test("a trace that came again is read once, and goes on with what the archive has of it", async () => {
  const { applicationId } = newCall().tenant;
  await addTraces(sql, applicationId, new Date(day), 4);
  await carrier().run();
  while ((await dropDue(deps, 1, signal)) > 0);
  const call = { ...newCall(), tenant: { applicationId, orgId: "o", userId: "" } } as unknown as Call;
  const stores = new Stores(database, archive, "experiments.archive_extent", experimentsArchive);
  const text = "SELECT count() AS rows FROM trace";
  const read = async () => {
    const { dropped } = await stores.read(call, ["traces"], []);
    return stores.readDropped<{ rows: string }>(call, { trace: dropped.traces }, text, {});
  };
  expect(await read()).toEqual([{ rows: "4" }]);
  const [old] = await sql<{ id: string }>(
    "SELECT id FROM experiments.dropped_trace WHERE application_id = $1 LIMIT 1",
    [applicationId],
  );
  await addTraces(sql, applicationId, new Date(), 1);
  await sql(
    `WITH young AS (DELETE FROM experiments.trace WHERE application_id = $1 RETURNING *)
     INSERT INTO experiments.trace
     SELECT (jsonb_populate_record(NULL::experiments.trace, to_jsonb(young) || jsonb_build_object('id', $2::text))).* FROM young`,
    [applicationId, old?.id],
  );
  await sql("UPDATE experiments.trace_step SET trace_id = $2 WHERE application_id = $1", [applicationId, old?.id]);
  expect(await read()).toEqual([{ rows: "3" }]);
  // Whoever erases looks for all that there is.
  expect(await stores.queryDropped(call, "traces", text, {})).toEqual([{ rows: "4" }]);
  expect(await mergeReturned(deps, signal)).toBe(1);
  expect(await read()).toEqual([]);
  const merged = "SELECT steps FROM experiments.trace WHERE application_id = $1 AND id = $2";
  expect(await sql(merged, [applicationId, old?.id])).toEqual([{ steps: 4 }]);
  expect(await numberOf("trace", applicationId)).toBe(4);
  expect(await numberOf("trace_step", applicationId)).toBe(10);
  expect(await numberOf("dropped_trace", applicationId)).toBe(0);
  expect(await mergeReturned(deps, signal)).toBe(0);
});
