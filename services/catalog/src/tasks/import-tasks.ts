import { ConnectError, invalidFields } from "@ems/kit/errors";
import { echoed } from "@ems/kit/json/issue-messages";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ImportTasksRequest, TaskService } from "@ems/proto/catalog/v1/task_service";
import { linkNewTasks } from "../definitions/index.ts";
import type { Deps } from "../deps.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { tagNewTasks } from "../tags/index.ts";
import { newTask } from "./create-task.ts";
import { TaskEntity, type TaskRow } from "./entity.ts";
import { draftsOf, type ImportDraft } from "./import-drafts.ts";
import { type NamedIds, namedIds } from "./import-names.ts";
import { type ImportFault, importRows } from "./import-rows.ts";
import { assertTaskFits } from "./messages.ts";

const faultsMax = 1_000;

interface ImportedTask extends NamedIds {
  readonly row: TaskRow;
  readonly expected: string | null;
}

/** All of the tasks, or none. */
export function importTasks(deps: Deps): Handlers<typeof TaskService>["importTasks"] {
  const { database } = deps;
  return async (request, call) => {
    if (request.dryRun) {
      const { count, faults } = await readTasks(deps, call, request);
      return { dryRun: true, rows: BigInt(count), created: 0n, errors: faults.slice(0, faultsMax).map(faultOf) };
    }
    const read = async () => {
      const { faults, ...found } = await readTasks(deps, call, request);
      if (faults.length > 0) throw invalidFields(faults.map(violationOf));
      return found;
    };
    const change = database.changeAfter(call, read, async (tx, { count, tasks }) => {
      await tx.insert(
        TaskEntity,
        tasks.map(({ row }) => row),
      );
      // One statement and one event for all tasks with the same tags, or the same links.
      for (const same of groups(tasks, ({ tagIds }) => tagIds)) {
        await tagNewTasks(deps, tx, call, { taskIds: idsOf(same), tagIds: same[0]?.tagIds ?? [] });
      }
      for (const same of groups(tasks, ({ definitionIds, expected }) => [...definitionIds, expected])) {
        const { definitionIds = [], expected = null } = same[0] ?? {};
        const definitions = definitionIds.map((id) => ({ id }));
        await linkNewTasks(deps, tx, call, { definitions, taskIds: idsOf(same), expected, expectedList: null });
      }
      const size = BigInt(count);
      return { dryRun: false, rows: size, created: size, taskIds: idsOf(tasks), errors: [] };
    });
    return change.catch(rethrowMissingReference);
  };
}

async function readTasks(deps: Deps, call: Call, { format, content }: ImportTasksRequest) {
  const { count, rows, faults: ofRows } = importRows(format, content);
  const { drafts, faults: ofDrafts } = draftsOf(rows);
  const { idsOf: idsOfDraft, faults: ofNames } = await namedIds(deps.database, call, drafts);
  const faults = [...ofRows, ...ofDrafts, ...ofNames];
  const tasks =
    faults.length > 0 ? [] : drafts.map((draft) => importedTask(deps, call, draft, idsOfDraft.get(draft), faults));
  // Names of columns come from the caller, and may be long.
  const reported = faults.map((fault) => ({ ...fault, field: echoed(fault.field) }));
  return { count, tasks, faults: reported.sort((a, b) => a.row - b.row) };
}

function importedTask(
  deps: Pick<Deps, "clock" | "newId">,
  call: Call,
  { row: number, request, expected }: ImportDraft,
  ids: NamedIds = { topicId: null, tagIds: [], definitionIds: [] },
  faults: ImportFault[],
): ImportedTask {
  const row = { ...newTask(deps, call, request), topicId: ids.topicId };
  try {
    assertTaskFits({ ...row, lastTest: null, schedule: null });
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    faults.push({ row: number, field: "", message: error.rawMessage });
  }
  return { row, expected, ...ids };
}

const idsOf = (tasks: readonly ImportedTask[]) => tasks.map(({ row }) => row.id);

function groups(tasks: readonly ImportedTask[], keyOf: (task: ImportedTask) => unknown): ImportedTask[][] {
  return [...Map.groupBy(tasks, (task) => JSON.stringify(keyOf(task))).values()];
}

const faultOf = ({ row, field, message }: ImportFault) => ({ row: BigInt(row), field, message });

const violationOf = ({ row, field, message }: ImportFault) => ({
  path: ["content", row, ...(field === "" ? [] : [field])],
  message,
});
