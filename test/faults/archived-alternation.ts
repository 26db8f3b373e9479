// Rows of one day whose values alternate, and the sums over them.

import type { TestDatabase } from "@ems/test-support";
import { computeRollups } from "../oracle/insert.ts";
import type { Request } from "./archived-reads.ts";
import { isAway, patiently } from "./patiently.ts";

const sums = ["test_day", "evaluation_day", "task_stat", "task_run_type"];
const clearSums = sums.map((name) => `DELETE FROM experiments.${name};`).join("\n");

/** Recomputes the sums of all rows, as if they had arrived one by one. */
export const computeSums = ({ sql }: TestDatabase) => sql(`${clearSums} ${computeRollups}`);

export interface Alternation {
  /** Current expected answers. */
  answers(): readonly unknown[];
  /** One transaction; no effect if the archive alone has the rows. Returns true if they changed. */
  change(): Promise<boolean>;
}

/** Alternates the application's rows between the times, all of which PostgreSQL has now. */
export async function alternation(
  database: TestDatabase,
  requests: readonly Request[],
  [applicationId, from, to]: readonly [applicationId: string, from: Date, to: Date],
): Promise<Alternation> {
  const { sql } = database;
  const values = [applicationId, from, to];
  const where = "application_id = $1 AND created_at >= $2 AND created_at < $3";
  const changes = [
    `UPDATE experiments.test SET score_micro = 1000000 - score_micro WHERE ${where}`,
    `UPDATE experiments.evaluation SET score_micro = 1000000 - score_micro WHERE ${where}`,
  ];
  const text = `SELECT ${sums.map((name) => `(SELECT jsonb_agg(s) FROM experiments.${name} s) AS ${name}`).join(", ")}`;
  const readState = async () => {
    await computeSums(database);
    const [stored = {}] = await sql<Record<string, unknown>>(text);
    const answers = [];
    for (const { read } of requests) answers.push(await read());
    return { stored, answers };
  };
  const states = [await readState()];
  for (const change of changes) await sql(change, values);
  states.push(await readState());
  const rowsText = `SELECT count(*)::int AS rows FROM experiments.test WHERE ${where}`;
  const [{ rows: all } = { rows: 0 }] = await sql<{ rows: number }>(rowsText, values);
  let current = 1;
  // Returns the current state after a lost acknowledgment.
  await sql(`CREATE TABLE public.alternation AS SELECT ${current} AS state`);
  const read = () => sql<{ state: number }>("SELECT state FROM public.alternation");
  return {
    answers: () => states[current]?.answers ?? [],
    async change() {
      const next = 1 - current;
      const literal = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'::jsonb`;
      const scope = `application_id = '${applicationId}' AND created_at >= '${from.toISOString()}' AND created_at < '${to.toISOString()}'`;
      const fill = sums.map(
        (name) =>
          `INSERT INTO experiments.${name}
             SELECT * FROM jsonb_populate_recordset(NULL::experiments.${name}, ${literal(states[next]?.stored[name])});`,
      );
      try {
        await sql(`DO $change$ BEGIN
          PERFORM FROM experiments.test WHERE ${scope} FOR UPDATE;
          IF (SELECT count(*) FROM experiments.test WHERE ${scope}) <> ${all} THEN RAISE EXCEPTION 'elsewhere'; END IF;
          ${changes.map((change) => change.replace(where, scope)).join(";\n")};
          ${clearSums} ${fill.join("\n")}
          UPDATE public.alternation SET state = ${next};
        END $change$`);
      } catch (error) {
        if (error instanceof Error && error.message === "elsewhere") return false;
        if (!isAway(error)) throw error;
      }
      const [{ state } = { state: current }] = await patiently(read);
      const isChanged = state !== current;
      current = state;
      return isChanged;
    },
  };
}
