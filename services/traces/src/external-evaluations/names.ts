// Limits the number of different names of an application's external evaluations, because lists and reports group by name.

import type { Transaction } from "@ems/kit/db/transaction";
import { makeStorable, type StorableText } from "@ems/kit/readers";
import { externalEvaluationNamesMax } from "@ems/proto/limits";
import { EvaluationNameEntity } from "./entity.ts";

export const tooManyNames = `An application has at most ${externalEvaluationNamesMax} names of external evaluations`;

const storedNames = "SELECT name FROM traces.evaluation_name WHERE application_id = $1";
const lock = "SELECT pg_advisory_xact_lock(hashtextextended('traces.evaluation_name/' || $1, 0))";
const unused = `DELETE FROM traces.evaluation_name n WHERE n.application_id = $1
  AND NOT EXISTS (SELECT FROM traces.external_evaluation e WHERE e.application_id = $1 AND e.name = n.name)`;

interface Named {
  readonly name: string;
}

/**
 * Stores new names up to the limit, and returns the evaluations whose names the application may use. Names without
 * evaluations become free. Call it before traces are locked, since it takes a lock for new names.
 */
export async function admitNames<Each extends Named>(
  tx: Transaction,
  applicationId: string,
  evaluations: readonly Each[],
): Promise<readonly Each[]> {
  if (evaluations.length === 0) return [];
  const names = await storeNames(tx, applicationId, new Set(evaluations.map(({ name }) => makeStorable(name))));
  return evaluations.filter(({ name }) => names.has(makeStorable(name)));
}

async function storeNames(
  tx: Transaction,
  applicationId: string,
  requested: ReadonlySet<StorableText>,
): Promise<ReadonlySet<string>> {
  const admitted = await readNames(tx, applicationId);
  if ([...requested].every((name) => admitted.has(name))) return admitted;
  await tx.query(lock, [applicationId]);
  let current = await readNames(tx, applicationId);
  if (new Set([...current, ...requested]).size > externalEvaluationNamesMax) {
    await tx.query(unused, [applicationId]);
    current = await readNames(tx, applicationId);
  }
  const free = externalEvaluationNamesMax - current.size;
  const added = [...requested].filter((name) => !current.has(name)).slice(0, Math.max(0, free));
  await tx.insert(
    EvaluationNameEntity,
    added.map((name) => ({ applicationId, name })),
    "ignore",
  );
  return new Set([...current, ...added]);
}

async function readNames(tx: Transaction, applicationId: string): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ name: string }>({
    name: "evaluation-names",
    text: storedNames,
    values: [applicationId],
  });
  return new Set(rows.map(({ name }) => name));
}
