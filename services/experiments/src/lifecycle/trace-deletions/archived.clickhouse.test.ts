// Count of traces to delete that are in the archive. ../archive/lifecycle.clickhouse.test.ts deletes some.

import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TraceDeletionService } from "@ems/proto/experiments/v1/trace_deletion_service";
import { testCall, testClickhouse, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { dropping } from "../../../test/dropped.ts";
import { experimentsHarness } from "../../../test/harness.ts";

const clickhouse = await testClickhouse();
const harness = await experimentsHarness({ ...clickhouse.env, ARCHIVE_AFTER_DAYS: "3650" });
const { database, clock } = harness;
const [ingest, deletions] = [harness.client(IngestService), harness.client(TraceDeletionService)];
const archive = await dropping(clickhouse, database);
const dayMs = 86_400_000;
const tenant = testTenant();
const call = () => testCall(tenant, 60_000);
const value = (json: string | { says: string }) => fromJson(ValueSchema, json);

async function newTrace(says: string): Promise<void> {
  const traceId = newId();
  const steps = [{ type: "log", id: newId(), input: value(says) }];
  await ingest.ingestEvents(
    { events: [{ type: "trace", traceId, metadata: value({ says }), steps }] as never },
    call(),
  );
}

test("archived traces are counted separately, and by filters", async () => {
  for (const says of ["a", "b", "c"]) await newTrace(says);
  await expect.poll(async () => (await database.sql("SELECT FROM traces.search_job")).length).toBe(0);
  const now = clock.now().getTime();
  await archive(tenant.applicationId, "traces", new Date(now - dayMs), new Date(now + 1));
  clock.advance(2 * dayMs);
  await newTrace("b");
  const count = async (filter: object) => {
    const counted = await deletions.deleteTraces({ filter, dryRun: true }, call());
    return [counted.count, counted.archivedCount];
  };
  const pair = { metadataKey: "says", metadataValue: "b" };
  expect(await count(pair)).toEqual([1n, 1n]);
  expect(await count({ ...pair, store: "archive" })).toEqual([0n, 1n]);
  expect(await count({})).toEqual([1n, 3n]);
  expect(await count({ search: "c" })).toEqual([0n, 1n]);
  // Feedback is not in the archive.
  expect(await count({ hasFeedback: false })).toEqual([1n, 0n]);
});
