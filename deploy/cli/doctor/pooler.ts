// Check of the PgBouncer version, if services connect to PostgreSQL through PgBouncer.

import { withClient } from "@ems/kit/db/client";
import { type Check, type Finding, failure, ok, warning } from "./check.ts";

/** From 1.18.0 until 1.21.0, cancellations sometimes crash PgBouncer ("bad client state", "server in bad state"). */
const minorMin = 21;
/** First minor version without any known case of these crashes. */
const minorAdvised = 25;
const timeoutMs = 20_000;

/** Checks the pooler. `url` is its admin console: database `pgbouncer`, a user in admin_users or stats_users. */
export function poolerChecks(url: string): Check[] {
  const run = () =>
    withClient(
      url,
      async (client) => {
        const { rows } = await client.query<{ version: string }>("SHOW VERSION");
        return poolerFinding(rows[0]?.version ?? "");
      },
      timeoutMs,
    );
  return [{ name: "PgBouncer", run }];
}

/** Returns the finding for a response to SHOW VERSION, such as `PgBouncer 1.24.1`. */
export function poolerFinding(version: string): Finding {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined)
    return warning(`unknown version "${version}"`, "Set PGBOUNCER_URL to the admin console, database pgbouncer.");
  const isAtLeast = (least: number) => Number(major) > 1 || Number(minor) >= least;
  const advice = "may end when statements are cancelled, which the product does at deadlines: upgrade to PgBouncer";
  if (!isAtLeast(minorMin)) return failure(version, `It ${advice} 1.${minorAdvised}, at least 1.${minorMin}.`);
  if (!isAtLeast(minorAdvised)) return warning(version, `In rare cases it ${advice} 1.${minorAdvised}.`);
  return ok(version);
}
