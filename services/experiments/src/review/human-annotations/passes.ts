// Annotations of one pass: one person's verdicts on several criteria of a trace.

import type { Transaction } from "@ems/kit/db/transaction";
import { invalidField } from "@ems/kit/errors";
import { HumanAnnotationEntity, type HumanAnnotationRow } from "./entity.ts";

/** Minimum number of characters in the critique of a failed trace, counted as the API counts them. */
export const critiqueMin = 20;

type PassKey = Pick<HumanAnnotationRow, "applicationId" | "traceId" | "annotatorId" | "passId" | "definitionId">;

// Serializes the requests of a pass, so that each finds the annotations of the siblings.
const lock = "SELECT pg_advisory_xact_lock(hashtextextended('experiments.pass/' || $1 || $2 || $3, 0))";

/** Locks the pass; returns its other annotations of the trace, locked. */
export async function lockPass(
  tx: Transaction,
  { applicationId, traceId, annotatorId, passId, definitionId }: PassKey,
): Promise<readonly HumanAnnotationRow[]> {
  if (passId === null) return [];
  tx.defer(lock, [applicationId, passId, traceId]);
  const rows = await tx.find(
    HumanAnnotationEntity,
    { applicationId, traceId, annotatorId, passId },
    { orderBy: { id: "ASC" }, lock: "UPDATE" },
  );
  return rows.filter((row) => row.definitionId !== definitionId);
}

/** Throws if a verdict is false and the critique is missing or too short; a pass needs it when it is complete. */
export function checkCritique(
  annotations: readonly Pick<HumanAnnotationRow, "verdict">[],
  critique: string | null,
  isComplete: boolean,
): void {
  if (annotations.every(({ verdict }) => verdict) || (critique === null && !isComplete)) return;
  if ([...(critique ?? "")].length >= critiqueMin) return;
  throw invalidField(
    ["critique"],
    `A critique of at least ${critiqueMin} characters is required when verdict is false`,
  );
}

/** Copies the critique and the issue of a pass to its other annotations. */
export function shareWithPass(
  tx: Transaction,
  siblings: readonly HumanAnnotationRow[],
  shared: Pick<HumanAnnotationRow, "critique" | "issueId" | "modifiedAt">,
): void {
  for (const { applicationId, id, critique, verdict, issueId } of siblings) {
    const change = {
      ...(critique !== shared.critique && { critique: shared.critique }),
      ...(!verdict && shared.issueId !== null && issueId !== shared.issueId && { issueId: shared.issueId }),
    };
    if (Object.keys(change).length === 0) continue;
    tx.deferUpdate(HumanAnnotationEntity, { applicationId, id }, { ...change, modifiedAt: shared.modifiedAt });
  }
}
