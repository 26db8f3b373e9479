// The door to ClickHouse: a statement reads the rows of its call's application that its extents name, and no others, whatever
// its text says.

import { type ClickHouseClient, SettingsMap } from "@clickhouse/client";
import { monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import { deadlineExceeded, unavailable } from "@ems/kit/errors";
import { archiveClient, ofApplication, requestMs, withoutStatement } from "./client.ts";
import type { ArchiveConfig } from "./config.ts";
import { nothing } from "./extent.ts";
import { type Archive, type ArchiveStatement, archivedTables, type Extent } from "./types.ts";

class ArchiveFailure extends Error {
  override name = "ArchiveFailure";
}

const retryAfterMs = 5_000;

/** ClickHouse cannot be reached, or fails: who can do without it goes on, for others a retry may succeed. */
export function archiveUnavailable(cause?: unknown) {
  const failure = new ArchiveFailure("The archive did not answer", { cause: withoutStatement(cause) });
  return unavailable("The archive is unavailable", failure, retryAfterMs);
}

export function isArchiveUnavailable(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof ArchiveFailure;
}

/** The archive, for reading; undefined when none is configured. */
export function archiveOf(config: ArchiveConfig): Archive | undefined {
  const client = archiveClient(config, config.CLICKHOUSE_DATABASE);
  return client && new FilteredArchive(client, config);
}

const timeoutMs = 30_000;
/** Also for a role that may not read the table: its file is empty where nothing was ever archived. */
const wasUsed = `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($1) AND c.relname = 'archive_batch' AND pg_relation_size(c.oid) > 0`;

/**
 * As `archiveOf`. Where none is configured, but `archive_batch` of one of the schemas has or had rows, archived rows are not gone: it
 * is an archive that does not answer. `schemas`: of all kinds that are read.
 */
export async function openArchive(
  config: ArchiveConfig,
  database: Database,
  schemas: readonly string[],
): Promise<Archive | undefined> {
  const archive = archiveOf(config);
  if (archive !== undefined) return archive;
  const used = await database.readScoped({}, monotonicMs() + timeoutMs, { text: wasUsed, values: [schemas] });
  return used.length === 0 ? undefined : missingArchive;
}

const missingArchive: Archive = {
  query: () => Promise.reject(archiveUnavailable(new Error("CLICKHOUSE_URL is not set"))),
  close: () => Promise.resolve(),
};

/** Rows and files are read past the filters by these: other settings, functions in place of tables, quoted names, comments. */
const evasion =
  /\bsettings\b|\b(from|join)\s+[\w.]+\s*\(|\b(merge\w*|remote\w*|cluster\w*|loop|view|dictionary|executable)\s*\(|`|--|\/\*/i;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

class FilteredArchive implements Archive {
  readonly #client: ClickHouseClient;
  readonly #config: ArchiveConfig;
  #honoursFilters: Promise<void> | undefined;

  constructor(client: ClickHouseClient, config: ArchiveConfig) {
    this.#client = client;
    this.#config = config;
  }

  async query<Row>(call: Parameters<Archive["query"]>[0], statement: ArchiveStatement): Promise<Row[]> {
    if (evasion.test(statement.text)) throw new Error("a statement of the archive may not go past its filters");
    const { applicationId } = call.tenant;
    const filters = this.#filters(applicationId, statement.extents);
    const remainingMs = Math.min(requestMs, call.deadlineMs - monotonicMs());
    if (remainingMs <= 0) throw deadlineExceeded();
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(remainingMs)]);
    try {
      this.#honoursFilters ??= this.#assertFilters();
      await this.#honoursFilters;
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
      // Fields of a form are bounded by the server, a body by `max_query_size`.
      use_multipart_params_auto: text.length < 100_000,
      ...(signal && { abort_signal: signal }),
      clickhouse_settings: {
        // No writes, and no other settings in the text.
        readonly: "1",
        ...(applicationId !== undefined && ofApplication(applicationId)),
        additional_table_filters: SettingsMap.from(Object.fromEntries(escaped)),
        // An answer to the same text is another application's.
        use_query_cache: 0,
        max_execution_time: Math.ceil(remainingMs / 1_000),
        cancel_http_readonly_queries_on_client_close: 1,
        // An error has the status of one, however late it comes.
        wait_end_of_query: 1,
        max_query_size: "16777216",
        output_format_json_quote_64bit_integers: 1,
        output_format_json_quote_decimals: 1,
        output_format_json_quote_denormals: 1,
      },
    });
    return result.json<Row>();
  }

  /** Also of tables that the statement does not name, and of those behind `Distributed`. */
  #filters(applicationId: string, extents: ArchiveStatement["extents"]): Record<string, string> {
    if (!uuid.test(applicationId)) throw new Error("an application's id is a UUID");
    const { CLICKHOUSE_DATABASE: database, CLICKHOUSE_CLUSTER: cluster } = this.#config;
    // They are part of the request's address, whose length is limited.
    const suffixes = cluster === undefined ? [""] : ["", "_local"];
    const filters = Object.values(archivedTables).flatMap((names) =>
      names.flatMap((name) => {
        const filter = filterOf(applicationId, extents[name]);
        return suffixes.map((suffix) => [`${database}.${name}${suffix}`, filter] as const);
      }),
    );
    return Object.fromEntries(filters);
  }

  /** A server that does not know the setting, or a proxy that leaves it out, would answer with everybody's rows. */
  async #assertFilters(): Promise<void> {
    try {
      const statement = { text: "SELECT count() AS rows FROM system.one", parameters: {} };
      const [row] = await this.#send<{ rows: string }>(statement, { "system.one": "false" }, 10_000);
      if (row?.rows !== "0") throw new Error("ClickHouse does not apply additional_table_filters");
    } catch (error) {
      this.#honoursFilters = undefined;
      throw error;
    }
  }
}

function filterOf(applicationId: string, extent: Extent = nothing): string {
  const { intervals, hidden, upTo } = extent;
  if (intervals.length === 0) return "false";
  const at = (ms: number) => `fromUnixTimestamp64Milli(${Math.trunc(ms)}, 'UTC')`;
  const within = intervals.map(({ from, to }) => `created_at >= ${at(from)} AND created_at < ${at(to)}`);
  const read = [
    hidden.length === 0 ? "" : ` AND batch NOT IN (${hidden.map(Math.trunc).join(", ")})`,
    upTo === undefined ? "" : ` AND batch <= ${Math.trunc(upTo)}`,
  ].join("");
  return `application_id = toUUID('${applicationId}') AND (${within.join(" OR ")})${read}`;
}
