// Checks in the database.

import { schemas } from "@ems/deploy/schemas";
import { sharedRelayRole } from "@ems/kit/db/schema";
import { DeadLetterService } from "@ems/proto/notifications/v1/dead_letter_service";
import { FeedbackAdminService } from "@ems/proto/notifications/v1/feedback_admin_service";
import pg from "pg";
import { schemaStates } from "../migrations.ts";
import { withOperatorRpc } from "../operator-rpc.ts";
import { type Check, type Finding, failure, ok, warning } from "./check.ts";

const versionMin = 150_000;
const timeoutMs = 20_000;
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
export function relayChecks(urls: readonly string[], stopped: AbortSignal): Check[] {
  const forEachRole = async (check: (client: pg.Client, url: string) => Promise<Finding[]>): Promise<Finding[]> => {
    const found: Finding[] = [];
    for (const url of urls) found.push(...(await withClient(url, (client) => check(client, url))));
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
      name: "dead letters",
      run: () =>
        forEachRole(async (client, url) => {
          if (!(await canRead(client, "notifications.dead_event"))) return [];
          const { total } = await withOperatorRpc(DeadLetterService, { url }, stopped, (operator) =>
            operator.listDeadLetters({ limit: 1 }, { timeoutMs }),
          );
          if (total === 0) return [ok("none")];
          return [warning(`${total}`, "ems dead list shows the reasons; ems dead retry handles them again.")];
        }),
    },
    {
      name: "feedback",
      run: () =>
        forEachRole(async (client, url) => {
          if (!(await canRead(client, "notifications.feedback"))) return [];
          const { missedTotal } = await withOperatorRpc(FeedbackAdminService, { url }, stopped, (operator) =>
            operator.listUnsentFeedback({ limit: 1 }, { timeoutMs }),
          );
          if (missedTotal === 0) return [ok("none unsent")];
          const advice = "ems feedback list shows the reasons; ems feedback resend sends it again.";
          return [warning(`${missedTotal} not sent`, advice)];
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
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: timeoutMs });
  // A lost connection fails the current query; without a listener it would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await action(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
