// Retention of the audit log: older entries are not returned, and are deleted in batches.

import { schemas } from "@ems/deploy/schemas";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { hasOutbox } from "@ems/kit/db/schema";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { keptSince, Retention } from "@ems/kit/retention";
import { retainedAudit } from "@ems/kit/retention/audit";
import { reportingSchema } from "@ems/reporting/schema";
import { testDatabase } from "@ems/test-support";
import pg from "pg";
import { afterAll, describe, expect, inject, test } from "vitest";

const database = await testDatabase(inject("postgres"));
const reporting = new pg.Pool({ connectionString: database.getUrl(reportingSchema), max: 1 });
reporting.on("error", () => undefined);
afterAll(async () => {
  await reporting.end();
  await database.drop();
});
const log = createLog("retention", "silent");
const clock = { now: () => new Date() };
const [days, ours, theirs] = [60, newId(), newId()];

const add = (schema: string, application: string, at: Date, number = 1) =>
  database.sql(
    `INSERT INTO ${schema}.audit (application_id, org_id, created_at, resource, entity_id, action, operation, user_id, request_id, changes)
     SELECT $1, 'o', $2, 'topic', 'entity', 'CREATED', 'CreateTopic', 'ada', 'request', '{}' FROM generate_series(1, $3::int)`,
    [application, at, number],
  );

describe.each(schemas.filter(hasOutbox).map(({ name }) => name))("%s", (schema) => {
  const relayDatabase = new RelayDatabase({
    schema: { name: schema },
    url: database.getRelayUrl({ name: schema }),
    poolMax: 2,
    log,
  });
  afterAll(() => relayDatabase.close());
  const border = keptSince(clock.now(), days);
  const entries = () =>
    database.sql<{ application: string; number: number }>(
      `SELECT application_id AS application, count(*)::int AS number FROM ${schema}.audit GROUP BY 1 ORDER BY 1`,
    );
  const listEntries = async (application: string) => {
    await reporting.query("SELECT set_config('ems.application_id', $1, false)", [application]);
    return (await reporting.query(`SELECT FROM reporting.${schema}_audit_v1`)).rowCount;
  };

  test("what is a moment older than the first day that is kept is hidden at once, and then deleted; of every application", async () => {
    await add(schema, ours, new Date(border.getTime() - 1), 1_001);
    await add(schema, ours, border);
    await add(schema, theirs, new Date(border.getTime() - 1));
    await database.sql(`INSERT INTO ${schema}.retention (kind, days) VALUES ('audit', ${days})`);
    expect([await listEntries(ours), await listEntries(theirs)]).toEqual([1, 0]);
    const retention = new Retention(
      { schema, kinds: [retainedAudit(schema, days, relayDatabase)] },
      { relayDatabase, clock, log },
    );
    await retention.run();
    expect(await entries()).toEqual([{ application: ours, number: 1 }]);
    await retention.run();
    expect(await database.sql(`SELECT deleted::int, cleared_before FROM ${schema}.retention`)).toEqual([
      { deleted: 1_002, cleared_before: border },
    ]);
  });

  test("entries of the last 30 days cannot be deleted, nor any by others than the function", async () => {
    const client = new pg.Client({ connectionString: database.getRelayUrl({ name: schema }) });
    await client.connect();
    const code = (text: string) => client.query(text).then(String, ({ code }: pg.DatabaseError) => code);
    expect(await code(`SELECT ${schema}.forget_audit('${ours}', now() - interval '29 days', 10)`)).toBe("22023");
    expect(await code(`DELETE FROM ${schema}.audit`)).toBe("42501");
    expect(await code(`SELECT changes FROM ${schema}.audit`)).toBe("42501");
    await client.end();
    expect(await entries()).toEqual([{ application: ours, number: 1 }]);
  });
});
