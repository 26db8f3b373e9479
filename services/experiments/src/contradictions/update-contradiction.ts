import { assignedUsers } from "@ems/kit/assigned-users";
import { columnsOf } from "@ems/kit/db/columns";
import { notFound } from "@ems/kit/errors";
import { textOrNull } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import type { Deps } from "../deps.ts";
import { quickstartById } from "../quickstarts/index.ts";
import { ContradictionEntity, type ContradictionRow } from "./entity.ts";
import { contradictionAssigned } from "./events.ts";
import { contradiction } from "./messages.ts";

type Handler = Handlers<typeof QuickstartService>["updateContradiction"];

const oneContradiction = `SELECT ${columnsOf(ContradictionEntity, "c")} FROM experiments.contradiction c
  WHERE c.application_id = $1 AND c.quickstart_id = $2 AND c.id = $3`;

/** Resolves, reopens, assigns or unassigns a contradiction. Idempotent: without a change there is no event. */
export function updateContradiction({ database, publish, clock, users }: Deps): Handler {
  return async ({ id: quickstartId, contradictionId: id, resolved, assignedTo }, call) => {
    const { applicationId } = call.tenant;
    const person = textOrNull(assignedTo);
    // Before the transaction, so that no row stays locked while identity answers.
    const find = async () => {
      const [quickstarts, contradictions = []] = await database.readAll(call, [
        quickstartById.statement(call, quickstartId),
        { name: "get-contradiction", text: oneContradiction, values: [applicationId, quickstartId, id] },
      ]);
      const quickstart = quickstartById.only(quickstarts);
      const [found] = contradictions as ContradictionRow[];
      if (found === undefined) throw notFound("Contradiction");
      const assignee = person === undefined ? found.assignedTo : person;
      return { quickstart, people: await assignedUsers(users, call, [{ assignedTo: assignee }]) };
    };

    return database.changeAfter(call, find, async (tx, { quickstart, people }) => {
      // The row lock prevents a lost update by a concurrent change of the other field.
      const row = await tx.getOne(ContradictionEntity, { applicationId, id }, { lock: "UPDATE" });
      const next = {
        resolved: resolved ?? row.resolved,
        assignedTo: person === undefined ? row.assignedTo : person,
      };
      if (next.resolved === row.resolved && next.assignedTo === row.assignedTo) {
        return { data: contradiction(row, people) };
      }
      const change = { ...next, modifiedAt: clock.now() };
      await tx.update(ContradictionEntity, { applicationId, id }, change);
      const data = contradiction({ ...row, ...change }, people);
      await publish(tx, call.tenant, { case: "contradictionUpdated", value: data });
      if (next.assignedTo !== null && next.assignedTo !== row.assignedTo) {
        await publish(tx, call.tenant, contradictionAssigned(quickstart, id, next.assignedTo));
      }
      return { data };
    });
  };
}
