import { ConnectError, invalidFields } from "@ems/kit/errors";
import { Pace } from "@ems/kit/readers";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ImportTasksRequest, TaskService } from "@ems/proto/catalog/v1/task_service";
import {
  EvalDefinitionEntity,
  type FoundDefinition,
  resolveDefinitions,
  similarDefinitions,
  specFault,
} from "../definitions/index.ts";
import type { Deps } from "../deps.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { newTask } from "./create-task.ts";
import { type ImportDraft, readDraft } from "./import-drafts.ts";
import { FaultList, type ImportFault, reportFaults } from "./import-faults.ts";
import { type NamedIds, namedIds, sliceMs } from "./import-names.ts";
import { importResponse, type ReadTasks } from "./import-response.ts";
import { decide, externalIds, type ImportedTask, type StoredTask, storedTasks } from "./import-states.ts";
import { assertTaskFits } from "./messages.ts";
import { readImport } from "./read-import.ts";
import type { Evaluator, Waiting } from "./shapes/index.ts";
import { writeImported } from "./write-imported.ts";

/** A draft whose names are resolved, with the evaluators that it needs. */
interface NamedTask extends Omit<ImportedTask, "links"> {
  readonly ids: NamedIds;
  readonly evaluators: readonly Evaluator[];
}

/** Imports all of the tasks, or none if there is an error. */
export function importTasks(deps: Deps): Handlers<typeof TaskService>["importTasks"] {
  const { database, clock } = deps;
  return async (request, call) => {
    const { source = "", overwrite = false } = request;
    const getStatements = ({ tasks, specs }: Read) => [
      storedTasks(
        call,
        source,
        tasks.map(({ externalId }) => externalId),
      ),
      similarDefinitions(call, [...specs.values()]),
    ];
    const decideAll = ({ tasks, specs }: Read, stored: StoredTask[], found: FoundDefinition[]) => {
      const { idBySpec, created } = resolveDefinitions(deps, call, [...specs.values()], found);
      const isAllowed = call.tenant.lackingScopes?.includes(definitionScope) !== true;
      const refused = isAllowed ? [] : [...created.keys()];
      const linkable = [...specs].filter(([, spec]) => !refused.includes(spec));
      const idByKey = new Map(linkable.map(([key, spec]) => [key, idBySpec.get(spec) ?? ""]));
      const linked = tasks.map((task) => ({ ...task, links: buildLinks(task, idByKey) }));
      return {
        decided: decide(linked, stored, { overwrite, now: clock.now() }),
        definitions: isAllowed ? [...created.values()] : [],
        waiting: refused.map(({ row, name }) => ({
          row,
          field: "assert",
          message: `Evaluator ${name}: ${scopeMissing}`,
        })),
      };
    };
    if (request.dryRun) {
      const read = await readTasks(deps, call, request);
      const [stored = [], found = []] = await database.readAll(call, getStatements(read));
      const { decided, definitions, waiting } = decideAll(read, stored as StoredTask[], found as FoundDefinition[]);
      return importResponse(read, decided, { dryRun: true, definitionsCreated: definitions.length, waiting });
    }
    const read = async () => {
      const found = await readTasks(deps, call, request);
      if (found.faults.length > 0) throw invalidFields(found.faults.map(toViolation), found.omitted);
      return found;
    };
    const change = database.changeAfter(call, read, async (tx, found) => {
      // Imports of an application wait for each other, so that equal rows become one task and equal evaluators one.
      tx.defer(lockImports, [`import ${call.tenant.applicationId}`]);
      const [stored, similar] = await Promise.all(getStatements(found).map((statement) => tx.query<object>(statement)));
      const { decided, definitions, waiting } = decideAll(found, stored as StoredTask[], similar as FoundDefinition[]);
      await tx.insert(EvalDefinitionEntity, definitions);
      await writeImported(deps, tx, call, { tasks: decided, source });
      return importResponse(found, decided, { dryRun: false, definitionsCreated: definitions.length, waiting });
    });
    return change.catch(rethrowMissingReference);
  };
}

/** Scope that the creation of definitions needs elsewhere, too; existing definitions are linked without it. */
const definitionScope = "definition:write";
const scopeMissing = `creating it needs the scope ${definitionScope}`;

const lockImports = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";

interface Read extends ReadTasks {
  readonly tasks: readonly NamedTask[];
  /** Evaluators by name and settings. */
  readonly specs: ReadonlyMap<string, Spec>;
}

/** An evaluator with the first row that needs it. */
interface Spec extends Evaluator {
  readonly row: number;
}

async function readTasks(deps: Deps, call: Call, request: ImportTasksRequest): Promise<Read> {
  const { rows, faults: ofRows, waiting, ...read } = await readImport(call, request);
  const pace = new Pace(sliceMs);
  const ofDrafts = new FaultList();
  const drafts: ImportDraft[] = [];
  for (const row of rows) {
    drafts.push(readDraft(row, ofDrafts));
    if (pace.isDue) await pace.turn();
  }
  const { idsByDraft, faults: ofNames } = await namedIds(deps.database, call, drafts);
  const { specs, waiting: ofSpecs } = await collectSpecs(drafts, pace);
  const idByDraft = externalIds(drafts, ofDrafts);
  const ofSizes = new FaultList();
  const tasks: NamedTask[] = [];
  if (ofRows.count + ofDrafts.count + ofNames.count === 0) {
    for (const draft of drafts) {
      const ids = idsByDraft.get(draft) ?? { topicId: null, tagIds: [], definitionIds: [] };
      const row = { ...newTask(deps, call, draft.request), topicId: ids.topicId };
      checkSize(draft, row, ofSizes);
      const evaluators = draft.evaluators.filter((evaluator) => specs.has(specKey(evaluator)));
      tasks.push({ draft, row, externalId: idByDraft.get(draft) ?? "", tagIds: ids.tagIds, ids, evaluators });
      if (pace.isDue) await pace.turn();
    }
  }
  const reported = reportFaults(ofRows, ofDrafts, ofNames, ofSizes);
  return { ...read, ...reported, waiting: [...waiting, ...ofSpecs], drafts, tasks, specs };
}

const specKey = ({ name, config }: Evaluator) => JSON.stringify([name, config]);

/** Collects the distinct evaluators. Patterns that RE2 does not know wait. */
async function collectSpecs(drafts: readonly ImportDraft[], pace: Pace) {
  const specs = new Map<string, Spec>();
  const refused = new Set<string>();
  const waiting: Waiting[] = [];
  for (const { row, evaluators } of drafts) {
    for (const evaluator of evaluators) {
      const key = specKey(evaluator);
      if (specs.has(key) || refused.has(key)) continue;
      const fault = specFault(evaluator);
      if (fault === undefined) specs.set(key, { ...evaluator, row });
      else {
        refused.add(key);
        waiting.push({ row, field: "assert", message: `Assertion ${evaluator.name}: ${fault}` });
      }
      if (pace.isDue) await pace.turn();
    }
  }
  return { specs, waiting };
}

function buildLinks({ ids, draft, evaluators }: NamedTask, idByKey: ReadonlyMap<string, string>) {
  const named = ids.definitionIds.map((definitionId) => ({ definitionId, ...draft.expected }));
  const own = evaluators.flatMap((evaluator) => {
    const { expected } = evaluator;
    const isText = typeof expected === "string";
    const definitionId = idByKey.get(specKey(evaluator));
    if (definitionId === undefined) return [];
    return { definitionId, expected: isText ? expected : null, expectedList: isText ? null : [...expected] };
  });
  return [...named, ...own];
}

function checkSize({ row: number }: ImportDraft, row: ReturnType<typeof newTask>, faults: FaultList): void {
  try {
    assertTaskFits({ ...row, lastTest: null, schedule: null });
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    faults.add({ row: number, field: "", message: error.rawMessage });
  }
}

const toViolation = ({ row, field, message }: ImportFault) => ({
  path: ["content", row, ...(field === "" ? [] : [field])],
  message,
});
