import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Transaction } from "@ems/kit/db/transaction";
import type { PublishAll } from "@ems/kit/events/publish";
import { variantPromptsMax } from "@ems/proto/limits";
import { testedVariant } from "../../experiments/experiments/index.ts";
import type { RunRow } from "../runs/index.ts";
import type { Owner } from "./entity.ts";
import { promptRequested } from "./events.ts";

interface Requested {
  readonly testId: string;
  /** Null if a simulated user writes the prompt. */
  readonly prompt: JsonValue;
  readonly metadata: JsonObject | null;
}

// Takes queued tests until the run's prompt slots are full, unless its variant is stopped.
const takeNext = `
  WITH next AS MATERIALIZED (
    SELECT x.test_id, x.created_at, x.metadata FROM experiments.test_execution x
    WHERE x.application_id = $1 AND x.run_id = $2 AND x.state = 'queued' AND EXISTS (
      SELECT FROM experiments.experiment_variant v
      WHERE v.application_id = $1 AND v.id = $3 AND v.run_id = $2 AND v.status = 'RUNNING' AND NOT v.stopped)
    ORDER BY x.test_id LIMIT greatest(0, $4 - (
      SELECT count(*) FROM experiments.test_execution o WHERE o.application_id = $1 AND o.run_id = $2
        AND o.state IN ('prompt', 'writing', 'delivery')))
  ), requested AS (
    UPDATE experiments.test t SET waiting_for = CASE WHEN t.prompt IS NULL THEN 'prompt' ELSE 'delivery' END, modified_at = $5
    FROM next n WHERE t.application_id = $1 AND t.id = n.test_id AND t.created_at = n.created_at
    RETURNING t.id, t.prompt
  )
  UPDATE experiments.test_execution x SET metadata = NULL,
    state = CASE WHEN r.prompt IS NULL THEN 'prompt' ELSE 'delivery' END,
    due_at = CASE WHEN r.prompt IS NULL THEN now() ELSE now() + interval '1 day' END
  FROM next n JOIN requested r ON r.id = n.test_id
  WHERE x.application_id = $1 AND x.test_id = n.test_id
  RETURNING x.test_id AS "testId", r.prompt, n.metadata`;

/**
 * Requests the next prompts of locked runs of variants, which may have only a limited number in progress. Call this
 * after every change that may end a prompt.
 */
export async function requestPrompts(
  { publishAll }: { readonly publishAll: PublishAll },
  tx: Transaction,
  tenant: Owner,
  now: Date,
  runs: Iterable<Pick<RunRow, "id" | "type" | "experimentVariantId">>,
): Promise<void> {
  const { applicationId } = tenant;
  for (const { id, type, experimentVariantId } of runs) {
    if (type !== "EXPERIMENT" || experimentVariantId === null) continue;
    const values = [applicationId, id, experimentVariantId, variantPromptsMax, now];
    const next = await tx.query<Requested>({ name: "request-prompts", text: takeNext, values });
    const prompts = next.filter(({ prompt }) => prompt !== null);
    if (prompts.length === 0) continue;
    const experiment = await testedVariant(tx, applicationId, { id, experimentVariantId });
    const facts = prompts.map((requested) =>
      promptRequested(requested.testId, requested.prompt, requested.metadata ?? undefined, experiment),
    );
    await publishAll(tx, tenant, facts);
  }
}
