// Runs the `ems archive` commands. They connect to ClickHouse, and to PostgreSQL with the roles of experiments and
// traces. They do not need a running product.

import { type ArchiveOperator, archiveOperator, type Batch, joinOperators, type Scope } from "@ems/archive";
import { archiveOptions as archivedResults } from "@ems/experiments/archive";
import { experimentsSchema } from "@ems/experiments/schema";
import { isNetworkFault } from "@ems/kit/db/errors";
import { createLog } from "@ems/kit/log";
import { archiveOptions as archivedTraces } from "@ems/traces/archive";
import { tracesSchema } from "@ems/traces/schema";
import type { Command } from "commander";
import { type Cli, printResult } from "./cli.ts";
import { exits, Failure } from "./failure.ts";
import { findDatabases } from "./operator.ts";
import { table } from "./table.ts";

const number = (value: number) => value.toLocaleString("en");
const toDay = (at: number | Date) => new Date(at).toISOString().slice(0, 10);
/** Lag that is normal, because only whole days are archived. */
const dayMs = 86_400_000;

export async function status(cli: Cli, command: Command): Promise<void> {
  const months = await withArchive(cli, (archive) => archive.status());
  const right = (title: string) => ({ title, alignRight: true });
  const heads = [
    "Kind",
    "Application",
    "Month",
    "State",
    right("Batches"),
    right("Rows"),
    "Until",
    right("Lag (days)"),
  ];
  const rows = months.map(({ kind, applicationId, month, state, batches, rows, until }) => {
    const lag = Math.floor((Date.now() - until.getTime()) / dayMs);
    return [kind, applicationId, month, state, batches, number(rows), toDay(until), lag];
  });
  printResult(cli, command, { months }, () => (rows.length === 0 ? "The archive is empty." : table(heads, rows)));
}

export async function run(cli: Cli, command: Command): Promise<void> {
  const moved = await reportMoved(cli, (archive, onMoved) => archive.run(cli.stopped, onMoved));
  const result = { batches: moved.length, rows: moved.reduce((sum, { rows }) => sum + rows, 0) };
  const text = () => `Archived ${number(result.rows)} rows of ${number(result.batches)} batches.`;
  printResult(cli, command, result, text);
}

export async function verify(cli: Cli, command: Command): Promise<void> {
  const result = await withArchive(cli, (archive) => archive.verify(cli.stopped));
  const { batches, rows, differences } = result;
  const lines = differences.map(
    (difference) => `failed  ${formatBatch(difference)}: other ${difference.sums.join(", ")} of ${difference.table}`,
  );
  const total = `Compared ${number(rows)} rows of ${number(batches)} batches: ${differences.length} differences.`;
  printResult(cli, command, result, () => [...lines, total].join("\n"));
  if (differences.length > 0) throw new Failure("The archive differs from the sums of PostgreSQL.");
}

export async function restore(cli: Cli, command: Command, scope: Scope): Promise<void> {
  const restored = await reportMoved(cli, (archive, onMoved) => archive.restore(scope, cli.stopped, onMoved));
  const result = { batches: restored.length, rows: restored.reduce((sum, { rows }) => sum + rows, 0) };
  const text = () => `Restored ${number(result.rows)} rows of ${number(result.batches)} batches.`;
  printResult(cli, command, result, text);
}

async function reportMoved(
  cli: Cli,
  work: (archive: ArchiveOperator, onMoved: (batch: Batch) => void) => Promise<void>,
): Promise<Batch[]> {
  const moved: Batch[] = [];
  const onMoved = (batch: Batch) => {
    moved.push(batch);
    cli.info(
      `${batch.state === "dropped" ? "archived" : batch.state}  ${formatBatch(batch)}: ${number(batch.rows)} rows`,
    );
  };
  await withArchive(cli, (archive) => work(archive, onMoved));
  return moved;
}

function formatBatch(batch: Pick<Batch, "kind" | "applicationId" | "number" | "to">): string {
  return `${batch.kind} of ${batch.applicationId}, ${toDay(batch.to - 1)}, batch ${batch.number}`;
}

export async function withArchive<T>(cli: Cli, work: (archive: ArchiveOperator) => Promise<T>): Promise<T> {
  if (!cli.env.CLICKHOUSE_URL)
    throw new Failure("No archive: set CLICKHOUSE_URL to the URL that the product uses.", exits.usage);
  const archive = joinOperators(await openArchives(cli));
  try {
    return await work(archive);
  } catch (error) {
    if (!(error instanceof Error && isNetworkFault(error))) throw error;
    throw new Failure(`ClickHouse cannot be reached: ${error.message}. Check CLICKHOUSE_URL and that ClickHouse runs.`);
  } finally {
    await archive.close();
  }
}

const parts = [
  { schema: experimentsSchema, options: archivedResults, what: "results" },
  { schema: tracesSchema, options: archivedTraces, what: "traces" },
];

/** Opens the archive of each service whose database URL is known. A service's environment has only its own URL. */
async function openArchives(cli: Cli): Promise<ArchiveOperator[]> {
  const opened: ArchiveOperator[] = [];
  for (const { schema, options, what } of parts) {
    const databases = await findDatabases(cli, schema);
    if (databases === undefined) {
      cli.info(`Leaves out ${what}: run the same command in the environment of ${schema.name} for them.`);
      continue;
    }
    opened.push(await archiveOperator({ ...cli.env, ...databases }, schema, options, createLog("ems", "error")));
  }
  if (opened.length === 0)
    throw new Failure("No archive: run it in the environment of experiments or traces, or with DATA_DIR.", exits.usage);
  return opened;
}
