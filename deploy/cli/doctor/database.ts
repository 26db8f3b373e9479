// Checks of PostgreSQL, and of what services keep in it by the code of kit and notifications, in this process: an operator needs
// them most while no service runs. The SQL here is about the server and its roles only.

import { withClient } from "@ems/kit/db/client";
import { postgresMajorMin, versionProblem } from "@ems/kit/db/server-version";
import { type OutboxBacklog, readOutboxBacklog } from "@ems/kit/events/outbox-metrics";
import { DeadLetterService } from "@ems/proto/notifications/v1/dead_letter_service";
import { FeedbackAdminService } from "@ems/proto/notifications/v1/feedback_admin_service";
import type pg from "pg";
import { schemaStates } from "../migrations.ts";
import { withOperatorRpc } from "../operator-rpc.ts";
import { type Check, type Finding, failure, ok, warning } from "./check.ts";

const timeoutMs = 20_000;
/** Runs a check with a connection. */
const query = <T>(url: string, check: (client: pg.Client) => Promise<T>) => withClient(url, check, timeoutMs);
/** Age of the oldest unpublished event; normally below a second. */
const [ageWarnS, ageFailS] = [60, 600];

export function ownerChecks(url: string): Check[] {
  return [
    {
      name: "database",
      run: () =>
        query(url, async (client) => {
          const { rows } = await client.query<{ version: string; skew: number; read_only: boolean }>(
            `SELECT current_setting('server_version') AS version,
               abs(extract(epoch FROM clock_timestamp()) - $1)::float8 AS skew, pg_is_in_recovery() AS read_only`,
            [Date.now() / 1_000],
          );
          const [facts] = rows;
          if (facts === undefined) return failure("no answer", "See the log of PostgreSQL.");
          if (facts.read_only) return failure("it is a replica", "Set OWNER_DATABASE_URL to the primary.");
          if (versionProblem(facts.version) !== undefined)
            return failure(`PostgreSQL ${facts.version}`, `Upgrade to PostgreSQL ${postgresMajorMin} or later.`);
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
  ];
}

/** Checks of the outboxes as relay roles; of dead letters and feedback with the relay role of notifications. */
export function relayChecks(relays: readonly { schema: string; url: string }[], stopped: AbortSignal): Check[] {
  const outboxes = relays.map(({ schema, url }) => ({
    name: "relay",
    run: () =>
      query(url, async (client) => {
        const read = async (text: string) => (await client.query<OutboxBacklog>(text)).rows;
        return backlogFinding(schema, await readOutboxBacklog(read, schema));
      }),
  }));
  const url = relays.find(({ schema }) => schema === "notifications")?.url;
  if (url === undefined) return outboxes;
  return [
    ...outboxes,
    {
      name: "dead letters",
      async run() {
        const { total } = await withOperatorRpc(DeadLetterService, { url }, stopped, (operator) =>
          operator.listDeadLetters({ limit: 1 }, { timeoutMs }),
        );
        if (total === 0) return ok("none");
        return warning(`${total}`, "ems dead list shows the reasons; ems dead retry handles them again.");
      },
    },
    {
      name: "feedback",
      async run() {
        const { missedTotal } = await withOperatorRpc(FeedbackAdminService, { url }, stopped, (operator) =>
          operator.listUnsentFeedback({ limit: 1 }, { timeoutMs }),
        );
        if (missedTotal === 0) return ok("none unsent");
        const advice = "ems feedback list shows the reasons; ems feedback resend sends it again.";
        return warning(`${missedTotal} not sent`, advice);
      },
    },
  ];
}

function backlogFinding(schema: string, { pending, age }: OutboxBacklog): Finding {
  const seconds = Math.round(age);
  const detail = `${schema}: ${pending} unpublished events, the oldest ${seconds} s old`;
  const advice = `Check that ${schema} and NATS run; the service's log has the reason.`;
  if (seconds > ageFailS) return failure(detail, advice);
  return seconds > ageWarnS ? warning(detail, advice) : ok(detail);
}
