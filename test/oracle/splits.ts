// Splits a model's results at random between PostgreSQL and ClickHouse, as the archive does.

import { type ArchiveConfig, archiveClient, archiveDdl } from "@ems/archive";
import { experimentsSchema } from "@ems/experiments/schema";
import type { Tenant } from "@ems/kit/tenant";
import type { TestDatabase } from "@ems/test-support";
import { insertModel, storedRow } from "./insert.ts";
import type { Random } from "./random.ts";
import type { ReferenceModel } from "./reference-model.ts";

/** Copies that versions before 0.2 left while PostgreSQL still had the rows are `published`; they are not read. */
const states = ["", "open", "withdrawn", "published", "published", "dropped", "dropped", "dropped"] as const;
type State = (typeof states)[number];

interface Batch {
  readonly from: number;
  readonly to: number;
  readonly state: State;
  readonly number: number;
}

const tables = ["test", "evaluation"] as const;

/** Creates the archive's tables with one partition each: the model has few rows over many years. */
export async function createArchive(config: ArchiveConfig): Promise<void> {
  const entities = experimentsSchema.entities.filter(({ options }) =>
    tables.some((name) => name === options.tableName),
  );
  const archived = entities.map((entity) => ({ entity, order: ["id"], lookups: [] }));
  const client = archiveClient(config);
  for (const query of archiveDdl(archived, config))
    await client?.command({ query: query.replace(/PARTITION BY \S+/, "") });
  await client?.close();
}

export async function emptyArchive(config: ArchiveConfig): Promise<void> {
  const client = archiveClient(config, config.CLICKHOUSE_DATABASE);
  for (const table of tables) await client?.command({ query: `TRUNCATE TABLE ${table}` });
  await client?.close();
}

interface Stores {
  readonly database: TestDatabase;
  readonly config: ArchiveConfig;
}

/** Splits rows; `lateShare` of evicted results arrived after eviction. Returns the number of rows only archived. */
export async function split(
  { database, config }: Stores,
  { tenant: { applicationId }, model }: { readonly tenant: Tenant; readonly model: ReferenceModel },
  batches: readonly Batch[],
  random: Random,
  lateShare = 0,
): Promise<number> {
  const findBatch = ({ createdAt }: Result) => batches.find(({ from, to }) => from <= createdAt && createdAt < to);

  const client = archiveClient(config, config.CLICKHOUSE_DATABASE);
  let count = 0;
  for (const name of tables) {
    const rows = getResults(model, name);
    const places = rows.map((row) => {
      const batch = findBatch(row);
      const isLate = batch?.state === "dropped" && random.is(lateShare);
      return { row, batch: isLate ? undefined : batch };
    });
    const stored = places.filter(({ batch }) => batch?.state !== "dropped").map(({ row }) => row);
    count += rows.length - stored.length;
    await database.sql(`DELETE FROM experiments.${name} WHERE application_id = $1`, [applicationId]);
    await insertModel(database, { [`experiments.${name}`]: stored });

    const placed = places.flatMap(({ row, batch }) => {
      const wrong = (number: number) =>
        random.is(0.3) ? [archived({ ...row, scoreMicro: 13, passed: true }, number)] : [];
      const later = wrong(1_000_000);
      if (batch === undefined || batch.state === "") return later;
      const isCopied = batch.state === "published" || batch.state === "dropped";
      const own = isCopied ? [archived(row, batch.number)] : wrong(batch.number);
      return [...own, ...wrong(batch.number + 1), ...later];
    });
    await client?.insert({ table: name, values: placed, format: "JSONEachRow" });
  }
  await client?.close();
  await database.sql("DELETE FROM experiments.archive_batch WHERE application_id = $1", [applicationId]);
  // Each batch's next number belongs to an earlier, withdrawn attempt.
  const recorded = batches
    .filter(({ state }) => state !== "")
    .flatMap((batch) => [batch, { ...batch, state: "withdrawn", number: batch.number + 1 }]);
  await database.sql(
    `INSERT INTO experiments.archive_batch (application_id, kind, number, starts, ends, state)
     OVERRIDING SYSTEM VALUE SELECT $1, 'results', * FROM unnest($2::int[], $3::timestamptz[], $4::timestamptz[], $5::text[])`,
    [
      applicationId,
      recorded.map(({ number }) => number),
      recorded.map(({ from }) => new Date(from)),
      recorded.map(({ to }) => new Date(to)),
      recorded.map(({ state }) => state),
    ],
  );
  return count;
}

interface Result {
  readonly createdAt: number;
}

function archived(row: object, batch: number): object {
  const moments = Object.entries(storedRow(row)).map(([name, value]) => [
    name,
    name.endsWith("_at") && typeof value === "string" ? value.replace("Z", "") : value,
  ]);
  return { ...Object.fromEntries(moments), batch };
}

function getResults({ tables: all }: ReferenceModel, name: (typeof tables)[number]): Result[] {
  return (all[`experiments.${name}`] ?? []) as Result[];
}

function getMoments(model: ReferenceModel): number[] {
  return tables.flatMap((name) => getResults(model, name).map(({ createdAt }) => createdAt));
}

/** Returns batches of these states and of equal length that cover all results. */
export function equalBatches(model: ReferenceModel, states: readonly State[]): Batch[] {
  const moments = getMoments(model);
  const [first, end] = [Math.min(...moments), Math.max(...moments) + 1];
  const at = (share: number) => Math.round(first + (end - first) * (share / states.length));
  return states.map((state, index) => ({ from: at(index), to: at(index + 1), state, number: 2 * index + 1 }));
}

/** Returns batches with random bounds: at, before and after rows' times, and at midnights. */
export function randomBatches(model: ReferenceModel, random: Random): Batch[] {
  const bounds = random.sample(getMoments(model), random.pick([2, 5, 20, 60])).map((at) => {
    const near = at + random.pick([0, 0, 1, -3_600_000]);
    return random.is(0.5) ? near : Math.floor(near / 86_400_000) * 86_400_000;
  });
  const ordered = [...new Set(bounds)].toSorted((a, b) => a - b);
  return ordered.slice(1).map((to, at) => {
    return { from: ordered[at] ?? to, to, state: random.pick(states), number: 2 * at + 1 };
  });
}
