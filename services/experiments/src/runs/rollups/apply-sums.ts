// The only code that writes rollups.

import type { Transaction } from "@ems/kit/db/transaction";
import { keepOnScale } from "@ems/proto/scales";
import { addUp, type Change, type Delta } from "./add-up.ts";
import { evaluationRollups, type Rollup, type SummedEvaluation, type SummedTest, testRollups } from "./rollups.ts";

export interface ResultChanges {
  readonly tests?: readonly Change<SummedTest>[];
  readonly evaluations?: readonly Change<SummedEvaluation>[];
}

/**
 * Adds the changes to all rollups with `tx.defer`. Call it once per transaction, after the statements that write the
 * rows. The fixed order of tables and keys prevents deadlocks. Scores outside their scale are in no sum.
 */
export function applySums(tx: Transaction, { tests = [], evaluations = [] }: ResultChanges): void {
  const summedEvaluations = evaluations.map(dropUnscaledScores);
  const summedTests = tests.map(dropUnscaledScores);
  for (const rollup of evaluationRollups) apply(tx, rollup, addUp(rollup, summedEvaluations));
  for (const rollup of testRollups) apply(tx, rollup, addUp(rollup, summedTests));
}

interface Scored {
  readonly scoreMicro: string | null;
  readonly definitionType?: string;
}

function dropUnscaledScores<Result extends Scored>({ before, after }: Change<Result>): Change<Result> {
  const drop = (result: Result): Result => ({
    ...result,
    scoreMicro: keepOnScale(result.scoreMicro, result.definitionType),
  });
  return { ...(before && { before: drop(before) }), ...(after && { after: drop(after) }) };
}

function apply<Result>(tx: Transaction, rollup: Rollup<Result>, deltas: readonly Delta[]): void {
  if (deltas.length === 0) return;
  tx.defer({ name: `add-${rollup.table}`, text: formatAddition(rollup), values: listValues(rollup, deltas) });
  for (const [index, { name }] of rollup.bounds.entries()) {
    const left = deltas.filter((delta) => delta.left[index]?.[0] !== null);
    if (left.length === 0) continue;
    const values = [...keyValues(rollup, left), ...boundValues(left, (delta) => delta.left, index)];
    tx.defer({ name: `read-${rollup.table}-${name}`, text: boundsReadAgain(rollup, index), values });
  }
}

const boundTypes = { score: "bigint", duration: "integer" } as const;
const boundType = (name: string) => boundTypes[name as keyof typeof boundTypes];

/** Columns of the key with their types; all statements pass them as their first parameters. */
const keyParameters = <Result>({ key }: Rollup<Result>) => [
  ["application_id", "uuid"] as const,
  ...key.map(([column, type]) => [column, type] as const),
];

function keyValues<Result>({ key }: Rollup<Result>, deltas: readonly Delta[]): unknown[] {
  return [
    deltas.map(({ applicationId }) => applicationId),
    ...key.map((_, index) => deltas.map((delta) => delta.key[index])),
  ];
}

function boundValues(deltas: readonly Delta[], of: (delta: Delta) => Delta["came"], index: number): unknown[] {
  const text = (value: bigint | null | undefined) => value?.toString() ?? null;
  return [0, 1].map((side) => deltas.map((delta) => text(of(delta)[index]?.[side])));
}

function listValues<Result>(rollup: Rollup<Result>, deltas: readonly Delta[]): unknown[] {
  return [
    ...keyValues(rollup, deltas),
    ...(rollup.hasOrganisation ? [deltas.map(({ orgId }) => orgId)] : []),
    ...rollup.sums.map((_, index) => deltas.map(({ sums }) => sums[index]?.toString())),
    ...rollup.bounds.flatMap((_, index) => boundValues(deltas, ({ came }) => came, index)),
    ...(rollup.latest === undefined ? [] : [deltas.map(({ latest }) => latest?.toISOString() ?? null)]),
  ];
}

/** Builds the upsert. It can pass null bounds, because `least` and `greatest` ignore null. */
function formatAddition<Result>(rollup: Rollup<Result>): string {
  const { table, hasOrganisation, sums, bounds, latest } = rollup;
  const columns: (readonly [name: string, type: string])[] = [...keyParameters(rollup)];
  const changes: string[] = [];
  if (hasOrganisation) columns.push(["org_id", "text"]);
  for (const [column] of sums) {
    columns.push([column, "numeric"]);
    changes.push(`${column} = stored.${column} + excluded.${column}`);
  }
  for (const { name } of bounds) {
    for (const [column, function_] of [
      [`${name}_min`, "least"],
      [`${name}_max`, "greatest"],
    ] as const) {
      columns.push([column, boundType(name)]);
      changes.push(`${column} = ${function_}(stored.${column}, excluded.${column})`);
    }
  }
  if (latest !== undefined) {
    columns.push([latest[0], "timestamptz"]);
    changes.push(`${latest[0]} = greatest(stored.${latest[0]}, excluded.${latest[0]})`);
  }
  const names = columns.map(([name]) => name).join(", ");
  return `INSERT INTO experiments.${table} AS stored (${names}) SELECT * FROM unnest(${arrays(columns)})
    ON CONFLICT (${keyParameters(rollup).map(([name]) => name)}) DO UPDATE SET ${changes.join(", ")}`;
}

/** Recomputes a day's bound from its rows if the removed value was the bound. Skips days with archived rows. */
function boundsReadAgain<Result>(rollup: Rollup<Result>, index: number): string {
  const { table, bounds, rows } = rollup;
  const bound = bounds[index];
  if (bound === undefined || rows === undefined) throw new Error(`bounds of ${table} have no rows`);
  const { name, sql } = bound;
  const key = keyParameters(rollup);
  const columns = [...key, ["least", boundType(name)], ["greatest", boundType(name)]] as const;
  return `UPDATE experiments.${table} s SET (${name}_min, ${name}_max) = (
      SELECT min(${sql}), max(${sql}) FROM experiments.${rows.table} r WHERE ${rows.where})
    FROM unnest(${arrays(columns)}) k (${columns.map(([name]) => `"${name}"`).join(", ")})
    WHERE ${key.map(([column]) => `s.${column} = k.${column}`).join(" AND ")}
      AND (s.${name}_min = k."least" OR s.${name}_max = k."greatest")
      AND NOT EXISTS (SELECT FROM experiments.archive_batch b WHERE b.application_id = s.application_id AND b.kind = 'results'
        AND b.state = 'dropped' AND b.ends > s.day::timestamp AT TIME ZONE 'UTC' AND b.ends <= (s.day + 1)::timestamp AT TIME ZONE 'UTC')`;
}

function arrays(columns: readonly (readonly [name: string, type: string])[]): string {
  return columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ");
}
