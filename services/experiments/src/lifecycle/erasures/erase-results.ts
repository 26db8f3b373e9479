// Erases the texts of tests, evaluations and issues. Scores, verdicts and sums are kept, because they are anonymous
// without texts.

import { eraseCopies } from "@ems/kit/db/erase-copies";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Deps } from "../../deps.ts";
import { cancelTests, type Owner } from "../../runs/execution/index.ts";
import { type Counts, type ErasureRow, ErasureWorkEntity } from "./entity.ts";

interface Erased {
  readonly traceIds: readonly string[];
  readonly testIds: readonly string[];
  /** Tasks made from the erased traces: the prompts of their tests contain the user's texts. */
  readonly taskIds: readonly string[];
  /** Resources of other services that contain copies of the erased texts. */
  readonly copies: readonly string[];
  /** True to keep the texts of issues and tasks, and to erase only copies of these texts. */
  readonly keepsDerived: boolean;
}

const reason = "erased: The data of the test was erased";

// Keeps a message's stable code and drops the description after it.
const tests = `UPDATE experiments.test SET message = split_part(message, ':', 1), trace_id = NULL, trace_steps = NULL,
    prompt = CASE WHEN task_id = ANY ($3::uuid[]) THEN '"Erased"'::json ELSE prompt END
  WHERE application_id = $1 AND id = ANY ($2::uuid[]) RETURNING id`;
const evaluations = `UPDATE experiments.evaluation SET results = NULL, expected = NULL, message = split_part(message, ':', 1)
  WHERE application_id = $1 AND test_id = ANY ($2::uuid[]) RETURNING id`;
const aboutErased = `application_id = $1
  AND (trace_id = ANY ($2::uuid[]) OR test_id = ANY ($3::uuid[]) OR task_id = ANY ($4::uuid[]))`;
const eraseIssues = `UPDATE experiments.issue
  SET title = 'Erased', description = NULL, summary = NULL, comment = NULL, impact = NULL WHERE ${aboutErased} RETURNING id`;
const keptIssues = `SELECT id FROM experiments.issue WHERE ${aboutErased}`;

/** Erases the texts in experiments, and queues the erasure of copies in other services. */
export async function eraseResults(
  deps: Pick<Deps, "clock" | "newId" | "publishAll">,
  tx: Transaction,
  { applicationId, orgId, id: erasureId }: Owner & Pick<ErasureRow, "id">,
  { traceIds, testIds, taskIds, copies, keepsDerived }: Erased,
): Promise<Counts> {
  await cancelTests(deps, tx, { applicationId, orgId }, testIds, reason);
  const ofTests = [applicationId, testIds];
  const [testRows, evaluationRows, issueRows] = await Promise.all([
    tx.query<{ id: string }>(tests, [...ofTests, taskIds]),
    tx.query<{ id: string }>(evaluations, ofTests),
    tx.query<{ id: string }>(keepsDerived ? keptIssues : eraseIssues, [applicationId, traceIds, testIds, taskIds]),
  ]);
  const issueIds = issueRows.map(({ id }) => id);
  eraseCopies(tx, "experiments", [...traceIds, ...issueIds, ...taskIds, ...copies]);
  const work = (service: "CATALOG" | "EVALUATION" | "NOTIFICATIONS") => ({
    applicationId,
    id: deps.newId(),
    orgId,
    erasureId,
    service,
    traceIds: service === "CATALOG" ? [...traceIds] : [],
    testIds: service === "CATALOG" ? [] : [...testIds],
    subjectIds: service === "NOTIFICATIONS" ? [...issueIds, ...taskIds] : [],
    dueAt: new Date(0),
  });
  const due = [work("CATALOG"), work("EVALUATION"), work("NOTIFICATIONS")].filter(
    (item) => item.traceIds.length + item.testIds.length + item.subjectIds.length > 0,
  );
  await tx.insert(ErasureWorkEntity, due);
  const issues = keepsDerived ? 0 : issueRows.length;
  return { tests: testRows.length, evaluations: evaluationRows.length, issues };
}

/** Queues the erasure of the events about resources, in notifications. */
export async function queueSubjects(
  { newId }: Pick<Deps, "newId">,
  tx: Transaction,
  { applicationId, orgId, erasureId }: Owner & { readonly erasureId: string },
  subjectIds: readonly string[],
): Promise<void> {
  const ids = { traceIds: [], testIds: [], subjectIds: [...subjectIds] };
  const row = { applicationId, id: newId(), orgId, erasureId, service: "NOTIFICATIONS", dueAt: new Date(0) } as const;
  await tx.insert(ErasureWorkEntity, { ...row, ...ids });
}
