import type { Fact } from "@ems/kit/events/content";
import { textOrNull } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import { assignedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import type { QuickstartRow } from "../quickstarts/index.ts";
import { ContradictionEntity, contradictionVersions } from "./entity.ts";
import { contradiction } from "./messages.ts";
import { readContradiction } from "./queries.ts";

type Handler = Handlers<typeof QuickstartService>["updateContradiction"];

/** Resolves, reopens, assigns or unassigns a contradiction. Idempotent: without a change, no event is published. */
export function updateContradiction({ database, publish, clock, users }: Deps): Handler {
  return async ({ id: quickstartId, contradictionId: id, resolved, assignedTo }, call) => {
    const { applicationId } = call.tenant;
    const person = textOrNull(assignedTo);
    // Called before the transaction, so that no row stays locked during the call to identity.
    const find = async () => {
      const { quickstart, contradiction: found } = await readContradiction(database, call, { quickstartId, id });
      const assignee = person === undefined ? found.assignedTo : person;
      return { quickstart, people: await assignedUsers(users, call, [{ assignedTo: assignee }]) };
    };

    return database.changeAfter(call, find, async (tx, { quickstart, people }) => {
      // The row lock prevents a lost update when a concurrent call changes another field.
      const row = await tx.getOne(ContradictionEntity, { applicationId, id }, { lock: "UPDATE" });
      contradictionVersions.check(call, row);
      const next = {
        resolved: resolved ?? row.resolved,
        assignedTo: person === undefined ? row.assignedTo : person,
      };
      if (next.resolved === row.resolved && next.assignedTo === row.assignedTo) {
        contradictionVersions.answer(call, row);
        return { data: contradiction(row, people) };
      }
      const change = { ...next, modifiedAt: clock.now() };
      await tx.update(ContradictionEntity, { applicationId, id }, change);
      contradictionVersions.answer(call, { ...row, ...change });
      const data = contradiction({ ...row, ...change }, people);
      await publish(tx, call.tenant, { case: "contradictionUpdated", value: data });
      if (next.assignedTo !== null && next.assignedTo !== row.assignedTo) {
        await publish(tx, call.tenant, contradictionAssigned(quickstart, id, next.assignedTo));
      }
      return { data };
    });
  };
}

/** Builds the event for which notifications mails the contradiction's new assignee. */
function contradictionAssigned(
  { id, title }: Pick<QuickstartRow, "id" | "title">,
  contradictionId: string,
  userId: string,
): Fact {
  return { case: "peopleAssigned", value: { people: [{ userId }], quickstart: { id, title }, contradictionId } };
}
