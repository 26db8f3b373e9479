import type { Statement } from "@ems/kit/db/database";
import { judgedFactsBytesMax } from "@ems/proto/limits";

/**
 * Selects facts of the task's topic, then facts of the application; the latter count only if the topic has facts. If
 * there are none, the definition's ground truth applies.
 */
const text = `
  WITH topical AS (
    SELECT fact.id, fact.statement, fact.created_at FROM catalog.task
      JOIN catalog.fact_topic link ON link.application_id = $1 AND link.topic_id = task.topic_id
      JOIN catalog.fact ON fact.application_id = $1 AND fact.id = link.fact_id AND fact.status = 'ACTIVE'
    WHERE task.application_id = $1 AND task.id = $2
      AND EXISTS (SELECT FROM catalog.eval_definition WHERE application_id = $1 AND id = ANY ($3::uuid[]) AND type = 'FACT')
  ), judged AS (
    SELECT 1 AS place, * FROM topical
    UNION ALL
    SELECT 2, id, statement, created_at FROM catalog.fact
      WHERE application_id = $1 AND scope = 'APPLICATION' AND status = 'ACTIVE' AND EXISTS (SELECT FROM topical)
  ), measured AS (
    SELECT *, sum(octet_length(statement)) OVER (ORDER BY place, created_at, id) AS bytes, count(*) OVER ()::integer AS total
      FROM judged
  )
  SELECT statement, total FROM measured WHERE bytes <= ${judgedFactsBytesMax} ORDER BY place, created_at, id`;

export interface JudgedFactRow {
  readonly statement: string;
  /** Number of all facts that apply, including omitted ones. */
  readonly total: number;
}

/** Builds the statement for the task's facts, by which the FACT definitions in `definitionIds` are judged. */
export const judgedFacts = (applicationId: string, taskId: string, definitionIds: readonly string[]): Statement => ({
  name: "judged-facts",
  text,
  values: [applicationId, taskId, definitionIds],
});

/** Returns the texts of the facts, and a note if some are omitted. */
export function factTexts(rows: readonly JudgedFactRow[]): string[] {
  const omitted = (rows[0]?.total ?? 0) - rows.length;
  return [...rows.map(({ statement }) => statement), ...(omitted > 0 ? [`[... ${omitted} facts left out ...]`] : [])];
}
