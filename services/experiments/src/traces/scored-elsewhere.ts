// Which traces have a score: their tests may have been dropped before them, or after them.

import type { Dropped, Stores } from "@ems/kit/archive";
import { invalidFields } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";

/** How many traces may have their test in the other store. */
const apartMax = 100_000;

const ownTests = `SELECT DISTINCT t.test_id AS "testId" FROM experiments.trace t
  WHERE t.application_id = $1 AND t.test_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM experiments.test x WHERE x.application_id = $1 AND x.id = t.test_id) LIMIT ${apartMax + 1}`;
const archivedTests = `SELECT DISTINCT t.test_id AS "testId" FROM trace t WHERE t.test_id NOT IN (
    SELECT x.id FROM test x WHERE x.id IN (SELECT n.test_id FROM trace n WHERE n.test_id IS NOT NULL)) LIMIT ${apartMax + 1}`;
const ownScored = `SELECT DISTINCT e.test_id AS "testId" FROM experiments.evaluation e
  WHERE e.application_id = $1 AND e.test_id = ANY ($2::uuid[]) AND e.score_micro BETWEEN $3::float8 AND $4::float8`;
const archivedScored = `SELECT DISTINCT e.test_id AS "testId" FROM evaluation e
  WHERE e.test_id IN {ids:Array(UUID)} AND e.score_micro BETWEEN {min:Float64} AND {max:Float64}`;

type Tests = readonly { readonly testId: string }[];

export interface ScoredElsewhere {
  /** Tests of PostgreSQL's traces whose evaluations were dropped, and the other way round: those with such a score. */
  readonly ofOwn: readonly string[];
  readonly ofArchived: readonly string[];
  readonly dropped: Dropped<"results" | "traces">;
}

/** Undefined where nothing was dropped. `min` and `max` are millionths. */
export async function scoredElsewhere(
  stores: Stores,
  call: Call,
  [min = 0, max = 0]: readonly number[],
): Promise<ScoredElsewhere | undefined> {
  if (!stores.hasArchive) return undefined;
  const { dropped } = await stores.read(call, ["results", "traces"], []);
  if (dropped.results.intervals.length + dropped.traces.intervals.length === 0) return undefined;
  const { applicationId } = call.tenant;
  const read = (text: string, ...values: unknown[]) =>
    stores.database.read<Tests[number]>(call, { text, values: [applicationId, ...values] });
  const extents = { trace: dropped.traces, test: dropped.results };
  const [own, archived] = (
    await Promise.all([
      stores.database.runExpensive(call, () => read(ownTests)),
      stores.readDropped<Tests[number]>(call, extents, archivedTests, {}),
    ])
  ).map(idsOf);
  const [ofOwn = [], ofArchived = []] = (
    await Promise.all([
      stores.readDropped<Tests[number]>(call, { evaluation: dropped.results }, archivedScored, { ids: own, min, max }),
      read(ownScored, archived, min, max),
    ])
  ).map(idsOf);
  return { ofOwn, ofArchived, dropped };
}

function idsOf(tests: Tests): string[] {
  if (tests.length <= apartMax) return tests.map(({ testId }) => testId);
  const message = `More than ${apartMax.toLocaleString("en")} traces are in another store than their tests`;
  throw invalidFields([{ path: ["min_score"], message }]);
}
