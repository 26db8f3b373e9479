// Read access to ClickHouse: a statement reads only rows of its call's application, and only within the archived ranges
// that are passed with it.

import { type ClickHouseClient, SettingsMap } from "@clickhouse/client";
import { monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import { deadlineExceeded, unavailable } from "@ems/kit/errors";
import { archiveClient, ofApplication, requestMs, withoutStatement } from "./client.ts";
import type { ArchiveConfig } from "./config.ts";
import { nothing } from "./ranges.ts";
import { type Archive, type ArchivedRanges, type ArchiveStatement, archivedTables } from "./types.ts";

class ArchiveFailure extends Error {
  override name = "ArchiveFailure";
}

const retryAfterMs = 5_000;

/**
 * Error for a ClickHouse server that fails or is unreachable. Callers that can do without the archive continue; for all
 * others, a retry may succeed.
 */
export function archiveUnavailable(cause?: unknown) {
  const failure = new ArchiveFailure("The archive did not answer", { cause: withoutStatement(cause) });
  return unavailable("The archive is unavailable", failure, retryAfterMs);
}

export function isArchiveUnavailable(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof ArchiveFailure;
}

/** Returns the archive for reading; undefined if none is configured. */
export function createArchive(config: ArchiveConfig): Archive | undefined {
  const client = archiveClient(config, config.CLICKHOUSE_DATABASE);
  return client && new FilteredArchive(client, config);
}

const timeoutMs = 30_000;
/** Reads the table's file size, which needs no right on the table. The file is empty if nothing was ever archived. */
const wasUsed = `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($1) AND c.relname = 'archive_batch' AND pg_relation_size(c.oid) > 0`;

/**
 * Like `createArchive`, but if none is configured although `archive_batch` of one of `schemas` has or had rows, the
 * archive counts as unavailable, not as empty. `schemas` must include the schemas of all kinds that the caller reads.
 */
export async function openArchive(
  config: ArchiveConfig,
  database: Database,
  schemas: readonly string[],
): Promise<Archive | undefined> {
  const archive = createArchive(config);
  if (archive !== undefined) return archive;
  const used = await database.readScoped({}, monotonicMs() + timeoutMs, { text: wasUsed, values: [schemas] });
  return used.length === 0 ? undefined : missingArchive;
}

const missingArchive: Archive = {
  query: () => Promise.reject(archiveUnavailable(new Error("CLICKHOUSE_URL is not set"))),
  close: () => Promise.resolve(),
};

/** Syntax that would bypass the filters: settings, table functions, quoted names, comments. */
const evasion =
  /\bsettings\b|\b(from|join)\s+[\w.]+\s*\(|\b(merge\w*|remote\w*|cluster\w*|loop|view|dictionary|executable)\s*\(|`|--|\/\*/i;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

class FilteredArchive implements Archive {
  readonly #client: ClickHouseClient;
  readonly #config: ArchiveConfig;
  #appliesFilters: Promise<void> | undefined;

  constructor(client: ClickHouseClient, config: ArchiveConfig) {
    this.#client = client;
    this.#config = config;
  }

  async query<Row>(call: Parameters<Archive["query"]>[0], statement: ArchiveStatement): Promise<Row[]> {
    if (evasion.test(statement.text)) throw new Error("a statement of the archive may not go past its filters");
    const { applicationId } = call.tenant;
    const filters = this.#filters(applicationId, statement.ranges);
    const remainingMs = Math.min(requestMs, call.deadlineMs - monotonicMs());
    if (remainingMs <= 0) throw deadlineExceeded();
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(remainingMs)]);
    try {
      this.#appliesFilters ??= this.#assertFilters();
      await this.#appliesFilters;
      return await this.#send<Row>(statement, filters, remainingMs, { signal, applicationId });
    } catch (error) {
      call.signal.throwIfAborted();
      if (signal.aborted) throw deadlineExceeded(error);
      throw archiveUnavailable(error);
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #send<Row>(
    { text, parameters }: Pick<ArchiveStatement, "text" | "parameters">,
    filters: Readonly<Record<string, string>>,
    remainingMs: number,
    { signal, applicationId }: { signal?: AbortSignal; applicationId?: string } = {},
  ): Promise<Row[]> {
    const escaped = Object.entries(filters).map(([table, filter]) => [table, filter.replaceAll("'", "\\'")]);
    const result = await this.#client.query({
      query: text,
      format: "JSONEachRow",
      query_params: { ...parameters },
      // Send only short texts as form fields, whose size the server limits; `max_query_size` limits a body.
      use_multipart_params_auto: text.length < 100_000,
      ...(signal && { abort_signal: signal }),
      clickhouse_settings: {
        // Forbids writes, and statements that change settings.
        readonly: "1",
        ...(applicationId !== undefined && ofApplication(applicationId)),
        additional_table_filters: SettingsMap.from(Object.fromEntries(escaped)),
        // The query cache would return another application's result for the same text.
        use_query_cache: 0,
        max_execution_time: Math.ceil(remainingMs / 1_000),
        cancel_http_readonly_queries_on_client_close: 1,
        // Errors get an error status even if they occur after the first rows.
        wait_end_of_query: 1,
        max_query_size: "16777216",
        output_format_json_quote_64bit_integers: 1,
        output_format_json_quote_decimals: 1,
        output_format_json_quote_denormals: 1,
      },
    });
    return result.json<Row>();
  }

  /** Builds the filters for all archived tables, including the local tables behind `Distributed` ones. */
  #filters(applicationId: string, ranges: ArchiveStatement["ranges"]): Record<string, string> {
    if (!uuid.test(applicationId)) throw new Error("an application's id is a UUID");
    const { CLICKHOUSE_DATABASE: database, CLICKHOUSE_CLUSTER: cluster } = this.#config;
    // Adds `_local` tables only for a cluster: filters are part of the request's URL, whose length is limited.
    const suffixes = cluster === undefined ? [""] : ["", "_local"];
    const filters = Object.values(archivedTables).flatMap((names) =>
      names.flatMap((name) => {
        const filter = buildFilter(applicationId, ranges[name]);
        return suffixes.map((suffix) => [`${database}.${name}${suffix}`, filter] as const);
      }),
    );
    return Object.fromEntries(filters);
  }

  /** Throws unless filters apply: an old server, or a proxy that removes the setting, would return every row. */
  async #assertFilters(): Promise<void> {
    try {
      const statement = { text: "SELECT count() AS rows FROM system.one", parameters: {} };
      const [row] = await this.#send<{ rows: string }>(statement, { "system.one": "false" }, 10_000);
      if (row?.rows !== "0") throw new Error("ClickHouse does not apply additional_table_filters");
    } catch (error) {
      this.#appliesFilters = undefined;
      throw error;
    }
  }
}

function buildFilter(applicationId: string, ranges: ArchivedRanges = nothing): string {
  const { intervals, hidden, upTo } = ranges;
  if (intervals.length === 0) return "false";
  const at = (ms: number) => `fromUnixTimestamp64Milli(${Math.trunc(ms)}, 'UTC')`;
  const within = intervals.map(({ from, to }) => `created_at >= ${at(from)} AND created_at < ${at(to)}`);
  const read = [
    hidden.length === 0 ? "" : ` AND batch NOT IN (${hidden.map(Math.trunc).join(", ")})`,
    upTo === undefined ? "" : ` AND batch <= ${Math.trunc(upTo)}`,
  ].join("");
  return `application_id = toUUID('${applicationId}') AND (${within.join(" OR ")})${read}`;
}
