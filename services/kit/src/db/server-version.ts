// Oldest PostgreSQL version that the product supports; test/start/postgres-versions.nightly.test.ts tests it.

import { withClient } from "./client.ts";

/** PostgreSQL 16 introduced `IS JSON`, which migrations and the archive of traces need. */
export const postgresMajorMin = 16;
const timeoutMs = 10_000;

/** Thrown for a server that is too old; retrying does not help. */
export class UnsupportedServerError extends Error {}

/** Throws if the server of `url` is too old. Call it before the first write: a migration would fail halfway. */
export async function assertServerSupported(url: string): Promise<void> {
  const version = await withClient(
    url,
    async (client) => (await client.query<{ server_version: string }>("SHOW server_version")).rows[0]?.server_version,
    timeoutMs,
  );
  const problem = versionProblem(version ?? "");
  if (problem !== undefined) throw new UnsupportedServerError(`PostgreSQL at ${new URL(url).host} is ${problem}`);
}

/** Problem of a server with that `server_version`, as the end of a sentence; undefined for a supported one. */
export function versionProblem(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= postgresMajorMin) return undefined;
  return `version ${version}: upgrade it to PostgreSQL ${postgresMajorMin} or later (deploy/guides/upgrade.md)`;
}
