// Checks of PostgreSQL and of the services' data in it. Code of kit and notifications reads that data in this process,
// because operators need the checks most while no service runs. This file's SQL is about the server and roles only.

import { withClient } from "@ems/kit/db/client";
import { postgresMajorMin, versionProblem } from "@ems/kit/db/server-version";
import { DeadLetterService } from "@ems/proto/notifications/v1/dead_letter_service";
import { FeedbackAdminService } from "@ems/proto/notifications/v1/feedback_admin_service";
import type pg from "pg";
import { schemaStates } from "../migrations.ts";
import { withOperatorRpc } from "../operator-rpc.ts";
import { queueStates } from "../queues.ts";
import { type Check, type Finding, failure, ok, warning } from "./check.ts";

const timeoutMs = 20_000;
/** Runs a check with a database connection. */
const query = <T>(url: string, check: (client: pg.Client) => Promise<T>) => withClient(url, check, timeoutMs);
/** A queue's lag is a failure from this multiple of the lag that causes a warning. */
const failFactor = 10;

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
            return warning(`its clock is ${Math.round(facts.skew)} s off`, "Synchronize its clock (NTP).");
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

/** Checks queues with each schema's relay role, and dead letters and feedback with the relay role of notifications. */
export function relayChecks(relays: readonly { schema: string; url: string }[], stopped: AbortSignal): Check[] {
  const queues = relays.map((relay) => ({
    name: "queues",
    run: async () => queuesFinding(relay.schema, await queueStates(relay)),
  }));
  const url = relays.find(({ schema }) => schema === "notifications")?.url;
  if (url === undefined) return queues;
  return [
    ...queues,
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

function queuesFinding(schema: string, states: Awaited<ReturnType<typeof queueStates>>): Finding {
  const lateness = (state: (typeof states)[number]) => (1_000 * state.lagSeconds) / state.lateMs;
  const latest = states.reduce((state, other) => (lateness(other) > lateness(state) ? other : state));
  const due = states.reduce((sum, state) => sum + state.due, 0);
  const detail = `${schema}: ${due} due in ${states.length} queues; ${latest.name} is ${Math.round(latest.lagSeconds)} s late`;
  const advice = `Check that ${schema} and NATS run; the service's log has the reason. ems queues shows each queue.`;
  if (lateness(latest) > failFactor) return failure(detail, advice);
  return lateness(latest) > 1 ? warning(detail, advice) : ok(detail);
}
