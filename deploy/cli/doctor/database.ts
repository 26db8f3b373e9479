// Checks in the database.

import { schemas } from "@ems/deploy/schemas";
import { sharedRelayRole } from "@ems/kit/db/schema";
import { missed } from "@ems/notifications/feedback/unsent";
import pg from "pg";
import { schemaStates } from "../migrations.ts";
import { type Check, type Finding, failure, ok, warning } from "./check.ts";

const versionMin = 150_000;
/** Age of the oldest unpublished event; normally below a second. */
const [ageWarnS, ageFailS] = [60, 600];

export function ownerChecks(url: string): Check[] {
  return [
    {
      name: "database",
      run: () =>
        withClient(url, async (client) => {
          const { rows } = await client.query<{ number: number; version: string; skew: number; read_only: boolean }>(
            `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
               abs(extract(epoch FROM clock_timestamp()) - $1)::float8 AS skew, pg_is_in_recovery() AS read_only`,
            [Date.now() / 1_000],
          );
          const [facts] = rows;
          if (facts === undefined) return failure("no answer", "See the log of PostgreSQL.");
          if (facts.read_only) return failure("it is a replica", "Set OWNER_DATABASE_URL to the primary.");
          if (facts.number < versionMin)
            return failure(`PostgreSQL ${facts.version}`, "Upgrade to PostgreSQL 15 or later.");
          if (facts.skew > 5)
            return warning(`its clock is ${Math.round(facts.skew)} s off`, "Synchronise its clock (NTP).");
          return ok(`PostgreSQL ${facts.version}`);
        }),
    },
    {
      name: "schemas",
      async run() {
        const states = await schemaStates(url);
        const behind = states.filter(({ pending }) => pending.length > 0).map(({ schema }) => schema);
        const ahead = states.filter(({ unknown }) => unknown.length > 0).map(({ schema }) => schema);
        if (behind.length > 0) return failure(`pending migrations: ${behind.join(", ")}`, "Run ems migrate.");
        if (ahead.length > 0)
          return warning(`migrations of a newer version: ${ahead.join(", ")}`, "Upgrade this version.");
        return ok("up to date");
      },
    },
    {
      name: "roles",
      run: () =>
        withClient(url, async (client) => {
          const text = "SELECT FROM pg_roles WHERE rolname = $1 AND rolcanlogin";
          const { rowCount } = await client.query(text, [sharedRelayRole]);
          if (rowCount === 0) return ok("one relay role per service");
          return warning(
            `${sharedRelayRole}, the former relay role of all services, can still log in`,
            `When no process of an older version runs: ALTER ROLE ${sharedRelayRole} NOLOGIN, then ems migrate.`,
          );
        }),
    },
  ];
}

/** Checks as each relay role, which sees only its service's tables. */
export function relayChecks(urls: readonly string[]): Check[] {
  const forEachRole = async (check: (client: pg.Client) => Promise<Finding[]>): Promise<Finding[]> => {
    const found: Finding[] = [];
    for (const url of urls) found.push(...(await withClient(url, check)));
    return found;
  };
  return [
    {
      name: "relay",
      run: () =>
        forEachRole(async (client) => {
          const found: Finding[] = [];
          for (const { name } of schemas)
            if (await canRead(client, `${name}.outbox`)) found.push(await backlogOf(client, name));
          return found;
        }),
    },
    {
      name: "dead events",
      run: () =>
        forEachRole(async (client) => {
          if (!(await canRead(client, "notifications.dead_event"))) return [];
          const { rows } = await client.query("SELECT count(*)::int AS count FROM notifications.dead_event");
          const { count } = rows[0];
          if (count === 0) return [ok("none")];
          return [warning(`${count}`, "ems dead list shows why; ems dead retry handles them again.")];
        }),
    },
    {
      name: "feedback",
      run: () =>
        forEachRole(async (client) => {
          if (!(await canRead(client, "notifications.feedback"))) return [];
          const { rows } = await client.query(
            `SELECT count(*)::int AS count FROM notifications.feedback WHERE ${missed}`,
          );
          const { count } = rows[0];
          if (count === 0) return [ok("none unsent")];
          const advice = "ems feedback list shows why; ems feedback resend sends it again.";
          return [warning(`${count} not sent`, advice)];
        }),
    },
  ];
}

/** Whether the table exists and this role may read all of it. */
async function canRead(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT has_table_privilege(c.oid, 'SELECT') AS may FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname || '.' || c.relname = $1`,
    [table],
  );
  return rows[0]?.may === true;
}

async function backlogOf(client: pg.Client, schema: string): Promise<Finding> {
  const { rows } = await client.query<{ count: number; age: number | null }>(
    `SELECT count(*)::int AS count, extract(epoch FROM now() - min(occurred_at))::float8 AS age
     FROM ${schema}.outbox WHERE published_at IS NULL`,
  );
  const { count, age } = rows[0] ?? { count: 0, age: null };
  const seconds = Math.round(age ?? 0);
  const detail = `${schema}: ${count} unpublished events, the oldest ${seconds} s old`;
  const advice = `Check that ${schema} and NATS run; the service's log has the reason.`;
  if (seconds > ageFailS) return failure(detail, advice);
  return seconds > ageWarnS ? warning(detail, advice) : ok(detail);
}

async function withClient<Result>(url: string, action: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 20_000 });
  // A lost connection fails the current query; without a listener it would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await action(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
