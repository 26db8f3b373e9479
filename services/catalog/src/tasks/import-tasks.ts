import { ConnectError, invalidFields } from "@ems/kit/errors";
import { Pace } from "@ems/kit/readers";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ImportTasksRequest, TaskService } from "@ems/proto/catalog/v1/task_service";
import { type Expectation, linkNewTasks } from "../definitions/index.ts";
import type { Deps } from "../deps.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { tagNewTasks } from "../tags/index.ts";
import { newTask } from "./create-task.ts";
import { TaskEntity, type TaskRow } from "./entity.ts";
import { type ImportDraft, readDraft } from "./import-drafts.ts";
import { FaultList, type ImportFault, reportFaults } from "./import-faults.ts";
import { type NamedIds, namedIds, sliceMs } from "./import-names.ts";
import { assertTaskFits } from "./messages.ts";
import { readImport } from "./read-import.ts";

interface ImportedTask extends NamedIds {
  readonly row: TaskRow;
  readonly expected: Expectation;
}

/** Imports all of the tasks, or none if there is an error. */
export function importTasks(deps: Deps): Handlers<typeof TaskService>["importTasks"] {
  const { database } = deps;
  return async (request, call) => {
    if (request.dryRun) {
      const { faults, omitted, ...read } = await readTasks(deps, call, request);
      const errors = faults.map(({ row, ...fault }) => ({ ...fault, row: BigInt(row) }));
      return { ...counts(read), dryRun: true, created: 0n, errors, issuesOmitted: BigInt(omitted) };
    }
    const read = async () => {
      const { faults, omitted, ...found } = await readTasks(deps, call, request);
      if (faults.length > 0) throw invalidFields(faults.map(toViolation), omitted);
      return found;
    };
    const change = database.changeAfter(call, read, async (tx, { tasks, ...read }) => {
      await tx.insert(
        TaskEntity,
        tasks.map(({ row }) => row),
      );
      // Needs one statement and one event for all tasks that have the same tags, or the same links.
      for (const same of groups(tasks, ({ tagIds }) => tagIds)) {
        await tagNewTasks(deps, tx, call, { taskIds: listIds(same), tagIds: same[0]?.tagIds ?? [] });
      }
      for (const same of groups(tasks, ({ definitionIds, expected }) => [...definitionIds, expected])) {
        const { definitionIds = [], expected = noExpectation } = same[0] ?? {};
        const definitions = definitionIds.map((id) => ({ id }));
        await linkNewTasks(deps, tx, call, { definitions, taskIds: listIds(same), ...expected });
      }
      return { ...counts(read), dryRun: false, created: BigInt(tasks.length), taskIds: listIds(tasks), errors: [] };
    });
    return change.catch(rethrowMissingReference);
  };
}

async function readTasks(deps: Deps, call: Call, request: ImportTasksRequest) {
  const { rows, faults: ofRows, ...read } = await readImport(call, request);
  const pace = new Pace(sliceMs);
  const ofDrafts = new FaultList();
  const drafts: ImportDraft[] = [];
  for (const row of rows) {
    drafts.push(readDraft(row, ofDrafts));
    if (pace.isDue) await pace.turn();
  }
  const { idsByDraft, faults: ofNames } = await namedIds(deps.database, call, drafts);
  const ofSizes = new FaultList();
  const tasks: ImportedTask[] = [];
  if (ofRows.count + ofDrafts.count + ofNames.count === 0) {
    for (const draft of drafts) {
      tasks.push(importedTask(deps, call, draft, idsByDraft.get(draft), ofSizes));
      if (pace.isDue) await pace.turn();
    }
  }
  return { ...read, ...reportFaults(ofRows, ofDrafts, ofNames, ofSizes), tasks };
}

const noExpectation: Expectation = { expected: null, expectedList: null };

function counts({ count, replacedCharacters }: { readonly count: number; readonly replacedCharacters: number }) {
  return { rows: BigInt(count), replacedCharacters: BigInt(replacedCharacters) };
}

function importedTask(
  deps: Pick<Deps, "clock" | "newId">,
  call: Call,
  { row: number, request, expected }: ImportDraft,
  ids: NamedIds = { topicId: null, tagIds: [], definitionIds: [] },
  faults: FaultList,
): ImportedTask {
  const row = { ...newTask(deps, call, request), topicId: ids.topicId };
  try {
    assertTaskFits({ ...row, lastTest: null, schedule: null });
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    faults.add({ row: number, field: "", message: error.rawMessage });
  }
  return { row, expected, ...ids };
}

const listIds = (tasks: readonly ImportedTask[]) => tasks.map(({ row }) => row.id);

function groups(tasks: readonly ImportedTask[], getKey: (task: ImportedTask) => unknown): ImportedTask[][] {
  return [...Map.groupBy(tasks, (task) => JSON.stringify(getKey(task))).values()];
}

const toViolation = ({ row, field, message }: ImportFault) => ({
  path: ["content", row, ...(field === "" ? [] : [field])],
  message,
});
