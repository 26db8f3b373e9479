import type { Handlers } from "@ems/kit/rpc/service";
import type { QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import type { Deps } from "../deps.ts";
import { findQuickstart } from "../quickstarts/index.ts";
import type { ContradictionRow } from "./entity.ts";
import { contradiction } from "./messages.ts";

type Handler = Handlers<typeof QuickstartService>["createContradictions"];

const insert = `
  INSERT INTO experiments.contradiction (application_id, org_id, quickstart_id, created_at, modified_at,
    id, document_test_id, document_a_id, document_b_id, reason, passage_a, passage_b)
  SELECT $1, $2, $3, $4, $4, given.*
  FROM unnest($5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::text[], $10::text[], $11::text[]) AS given`;

/** New contradictions of a quickstart: unresolved, nobody assigned. */
export function createContradictions({ database, clock, newId }: Pick<Deps, "database" | "clock" | "newId">): Handler {
  return async ({ id, contradictions }, call) => {
    const { applicationId, orgId } = call.tenant;
    const { id: quickstartId } = await findQuickstart(database, call, id);
    const now = clock.now();
    const rows = contradictions.map(
      ({ documentTestId, documentAId, documentBId, reason, passageA, passageB }): ContradictionRow => ({
        applicationId,
        id: newId(),
        orgId,
        quickstartId,
        // As the database would spell them, so that the answer to this call is that of every later one.
        documentTestId: documentTestId.toLowerCase(),
        documentAId: documentAId.toLowerCase(),
        documentBId: documentBId.toLowerCase(),
        reason,
        passageA,
        passageB,
        resolved: false,
        assignedTo: null,
        createdAt: now,
        modifiedAt: now,
      }),
    );
    return database.change(call, async (tx) => {
      await tx.query(insert, [
        applicationId,
        orgId,
        quickstartId,
        now,
        rows.map((row) => row.id),
        rows.map((row) => row.documentTestId),
        rows.map((row) => row.documentAId),
        rows.map((row) => row.documentBId),
        rows.map((row) => row.reason),
        rows.map((row) => row.passageA),
        rows.map((row) => row.passageB),
      ]);
      return { data: rows.map((row) => contradiction(row, new Map())) };
    });
  };
}
