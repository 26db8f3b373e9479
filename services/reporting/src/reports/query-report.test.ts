import { createClient } from "@connectrpc/connect";
import { systemClock } from "@ems/kit/clock";
import { Code } from "@ems/kit/errors";
import { newId, secureRandom } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { inProcessPeers } from "@ems/kit/rpc/in-process";
import { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { testCall, testTenant } from "@ems/test-support";
import { testKeys } from "@ems/test-support/rpc-keys";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reportingHarness } from "../../test/harness.ts";
import { reportingConfig } from "../config.ts";
import { reportingSchema } from "../schema.ts";
import { createReporting } from "../service.ts";

const { database, tenant, client } = await reportingHarness({ DATABASE_POOL_MAX: "6" });
const reporting = client(ReportingService);
const other = testTenant();

const topics = `INSERT INTO catalog.topic (application_id, id, org_id, title, status, created_at, modified_at)
  SELECT $1, uuidv7(), $2, 'Topic ' || n, 'ACTIVE', now(), now() FROM generate_series(1, $3::int) n`;

beforeAll(async () => {
  await database.sql(topics, [tenant.applicationId, tenant.orgId, 30]);
  await database.sql(topics, [other.applicationId, other.orgId, 3]);
});

const count = { timezone: "UTC", measurements: [{ type: "count" }] };

test("a report reads only the caller's rows", async () => {
  for (const [caller, expected] of [
    [tenant, 30],
    [other, 3],
    [testTenant(), 0],
  ] as const) {
    const { data } = await reporting.queryReport({ datasource: "topic", ...count }, testCall(caller));
    expect(data?.results).toEqual([{ count: expected }]);
  }
});

test("pages are adjacent, and past the end only the total is returned", async () => {
  const seen = new Set<unknown>();
  const queryPage = (skip: bigint) =>
    reporting.queryReport({ datasource: "topic", timezone: "UTC", skip, limit: 12 }, testCall(tenant));
  for (const skip of [0n, 12n, 24n]) for (const row of (await queryPage(skip)).data?.results ?? []) seen.add(row.id);
  expect(seen.size).toBe(30);
  const { data, pagination } = await queryPage(9_007_199_254_740_991n);
  expect(data?.results).toEqual([]);
  expect(pagination).toMatchObject({ skip: 9_007_199_254_740_991n, limit: 12, total: 30n, totalPages: 3n });
});

test("groups past the end have their total, too", async () => {
  const groupBy = [{ column: "title", type: "string" }];
  const query = { datasource: "topic", timezone: "UTC", groupBy, skip: 100n };
  expect((await reporting.queryReport(query, testCall(tenant))).pagination?.total).toBe(30n);
});

test("archived tasks and topics count unless they are excluded", async () => {
  const caller = testTenant();
  await database.sql(topics, [caller.applicationId, caller.orgId, 5]);
  await database.sql(
    "UPDATE catalog.topic SET status = 'ARCHIVED' WHERE application_id = $1 AND title IN ('Topic 1', 'Topic 2')",
    [caller.applicationId],
  );
  const results = async (query: object) =>
    (await reporting.queryReport({ datasource: "topic", ...count, ...query }, testCall(caller))).data?.results;
  expect(await results({ includeArchived: true })).toEqual([{ count: 5 }]);
  expect(await results({ includeArchived: false })).toEqual([{ count: 3 }]);
  const groupBy = [{ column: "status", type: "string" }];
  expect(await results({ groupBy, includeArchived: false })).toEqual([{ status: "ACTIVE", count: 3 }]);
});

test("too many buckets of hours are an error of the query", async () => {
  await database.sql("UPDATE catalog.topic SET modified_at = '1990-01-01' WHERE title = 'Topic 1'");
  const groupBy = [{ column: "modifiedAt", type: "date", dateTrunc: "hour" }];
  const query = { datasource: "topic", timezone: "UTC", groupBy };
  await expect(reporting.queryReport(query, testCall(tenant))).rejects.toMatchObject({ code: Code.InvalidArgument });
  const value = { kind: { case: "stringValue" as const, value: "2020-01-01" } };
  const filters = [{ type: "date", column: "modifiedAt", operator: "gte", value: [value] }];
  expect((await reporting.queryReport({ ...query, filters }, testCall(tenant))).pagination?.total).toBe(1n);
});

test("reads only from the replica if one is configured", async () => {
  const nowhere = "postgres://nobody@127.0.0.1:1/none";
  const replica = new URL(database.getUrl(reportingSchema));
  // Refuses all writes, like a standby.
  replica.searchParams.set("options", "-c default_transaction_read_only=on");
  const config = reportingConfig({
    DATABASE_URL: nowhere,
    REPORTING_DATABASE_URL: replica.href,
    RPC_PORT: "0",
    RPC_CALLERS: "gateway",
    ...testKeys,
  });
  const deps = { log: createLog("test", "silent"), clock: systemClock, newId, random: secureRandom };
  const peerless = () => {
    throw new Error("reporting asks nobody");
  };
  const service = await createReporting(config, { ...deps, peer: peerless });
  const peer = inProcessPeers("gateway", () => service.endpoints);
  await service.ready();
  const otherClient = createClient(ReportingService, peer("reporting"));
  const { data } = await otherClient.queryReport({ datasource: "topic", ...count }, testCall(tenant));
  expect(data?.results).toEqual([{ count: 30 }]);
  await service.close();
});

describe("a report that takes too long", () => {
  const locker = new pg.Client({ connectionString: database.superuserUrl });
  beforeAll(async () => {
    await locker.connect();
    // From here on, only reads of tags have to wait.
    await locker.query("BEGIN; LOCK TABLE catalog.tag IN ACCESS EXCLUSIVE MODE");
  });
  afterAll(() => locker.end());

  const slow = { datasource: "tag", ...count };
  const atWork = async () => {
    const [row] = await database.sql<{ at_work: number }>(
      "SELECT count(*)::int AS at_work FROM pg_stat_activity WHERE datname = current_database() AND usename = 'ems_reporting' AND state = 'active'",
    );
    return row?.at_work;
  };

  test("ends in PostgreSQL when its deadline passes", async () => {
    const running = reporting.queryReport(slow, testCall(tenant, 3_000)).catch((error: unknown) => error);
    await expect.poll(atWork).toBe(1);
    const rawMessage = expect.stringContaining("time limit, because it reads rows: filter createdAt");
    expect(await running).toMatchObject({ code: Code.DeadlineExceeded, rawMessage });
    await expect.poll(atWork).toBe(0);
  });

  test("ends in PostgreSQL when its caller cancels", async () => {
    const caller = new AbortController();
    const options = { ...testCall(tenant, 60_000), signal: caller.signal };
    const running = reporting.queryReport(slow, options).catch((error: unknown) => error);
    await expect.poll(atWork).toBe(1);
    caller.abort();
    expect(await running).toMatchObject({ code: Code.Canceled });
    await expect.poll(atWork).toBe(0);
  });

  test("does not block other applications, however many reports queue", async () => {
    const caller = new AbortController();
    const options = { ...testCall(tenant, 60_000), signal: caller.signal };
    const many = Array.from({ length: 20 }, () =>
      reporting.queryReport(slow, options).catch((error: unknown) => error),
    );
    // One application gets a third of the connections at most.
    await expect.poll(atWork).toBe(2);
    for (let attempt = 0; attempt < 5; attempt++) {
      await reporting.queryReport({ datasource: "topic", ...count }, testCall(other, 20_000));
    }
    expect(await atWork()).toBe(2);
    caller.abort();
    for (const result of await Promise.all(many)) expect(result).toMatchObject({ code: Code.Canceled });
    await expect.poll(atWork).toBe(0);
    await reporting.queryReport({ datasource: "topic", ...count }, testCall(tenant, 20_000));
  });
});
