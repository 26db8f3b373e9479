import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";

/** An annotation that shows reviewers how a criterion is applied. */
export interface ExampleRow {
  readonly definitionId: string;
  readonly traceId: string;
  readonly verdict: boolean;
  readonly scoreMicro: string | null;
  readonly critique: string;
}

const perVerdict = 2;

const text = `SELECT example.* FROM unnest($2::uuid[]) AS wanted (id),
  unnest('{true,false}'::boolean[]) WITH ORDINALITY AS kind (verdict, position),
  LATERAL (SELECT h.definition_id AS "definitionId", h.trace_id AS "traceId", h.verdict, h.score_micro AS "scoreMicro",
      h.critique
    FROM experiments.human_annotation h
    WHERE h.application_id = $1 AND h.definition_id = wanted.id AND h.critique IS NOT NULL AND h.verdict = kind.verdict
    ORDER BY h.created_at DESC, h.id DESC LIMIT ${perVerdict}) example
  ORDER BY wanted.id, kind.position`;

/** Reads the latest annotations of definitions with a critique, passed ones first. */
export async function readExamples(
  database: Database,
  call: Call,
  definitionIds: readonly string[],
): Promise<readonly ExampleRow[]> {
  if (definitionIds.length === 0) return [];
  const values = [call.tenant.applicationId, definitionIds];
  return database.read<ExampleRow>(call, { name: "review-examples", text, values });
}
