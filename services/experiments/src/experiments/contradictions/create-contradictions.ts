import type { Handlers } from "@ems/kit/rpc/service";
import type { QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import type { Deps } from "../../deps.ts";
import { quickstartById } from "../quickstarts/index.ts";
import { ContradictionEntity, type ContradictionRow } from "./entity.ts";
import { contradiction } from "./messages.ts";

type Handler = Handlers<typeof QuickstartService>["createContradictions"];

/** Creates contradictions of a quickstart, unresolved and unassigned. */
export function createContradictions({ database, clock, newId }: Pick<Deps, "database" | "clock" | "newId">): Handler {
  return async ({ id, contradictions }, call) => {
    const { applicationId, orgId } = call.tenant;
    const now = clock.now();
    const buildRows = (quickstartId: string) =>
      contradictions.map(
        ({ documentTestId, documentAId, documentBId, reason, passageA, passageB }): ContradictionRow => ({
          applicationId,
          id: newId(),
          orgId,
          quickstartId,
          // In lower case, because PostgreSQL returns UUIDs in lower case.
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
    const check = () => quickstartById.read(database, call, id);
    return database.changeAfter(call, check, async (tx, quickstart) => {
      const rows = buildRows(quickstart.id);
      await tx.insert(ContradictionEntity, rows);
      return { data: rows.map((row) => contradiction(row, new Map())) };
    });
  };
}
