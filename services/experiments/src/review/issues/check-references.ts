import { notFound } from "@ems/kit/errors";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { Deps } from "../../deps.ts";
import { findTraces } from "../../traces/index.ts";
import type { IssueRow } from "./entity.ts";

type References = Pick<
  IssueRow,
  "annotationId" | "evalDefinitionId" | "experimentId" | "parentId" | "taskId" | "testId" | "topicId" | "traceId"
>;

/** Task and topic of a test that the issue refers to. */
interface Found {
  readonly test?: { readonly taskId: string; readonly topicId: string | null };
}

/** Throws "not found" for the first id that the application does not have. */
export async function checkReferences(
  { stores, references }: Pick<Deps, "stores" | "references">,
  call: Call,
  ids: References,
): Promise<Found> {
  const found = await checkOwn(stores, call, ids);
  await checkCatalogs(references, call, ids);
  return found;
}

async function checkCatalogs(references: Deps["references"], call: Call, ids: References): Promise<void> {
  const { topicId, taskId, evalDefinitionId } = ids;
  const toList = (id: string | null) => (id === null ? [] : [id]);
  if (topicId === null && taskId === null && evalDefinitionId === null) return;
  const found = await references.checkReferences(
    { topicIds: toList(topicId), taskIds: toList(taskId), definitionIds: toList(evalDefinitionId) },
    forward(call),
  );
  if (found.missingTopicIds.length > 0) throw notFound("Topic");
  if (found.missingTaskIds.length > 0) throw notFound("Task");
  if (found.missingDefinitionIds.length > 0) throw notFound("Evaluation definition");
}

/** References to resources of experiments except tests: the name in the error, and the table. */
const own = [
  { property: "experimentId", name: "Experiment", table: "experiment" },
  { property: "annotationId", name: "Annotation", table: "annotation" },
  { property: "parentId", name: "Issue", table: "issue" },
] as const;

const tested = `SELECT t.task_id AS "taskId", t.topic_id AS "topicId" FROM experiments.test t
  WHERE t.application_id = $1 AND t.id = $2 LIMIT 1`;
const archivedTested = `SELECT t.task_id AS "taskId", t.topic_id AS "topicId" FROM test t WHERE t.id = {id:UUID}`;

async function checkOwn(stores: Deps["stores"], call: Call, ids: References): Promise<Found> {
  const test = ids.testId === null ? undefined : await findTest(stores, call, ids.testId);
  const named = own.filter(({ property }) => ids[property] !== null);
  const statements = named.map(({ property, table }) => ({
    name: `has-${table}`,
    text: `SELECT FROM experiments.${table} WHERE application_id = $1 AND id = $2`,
    values: [call.tenant.applicationId, ids[property]],
  }));
  const [isTrace, found] = await Promise.all([
    ids.traceId === null || hasTrace(stores, call, ids.traceId),
    statements.length === 0 ? [] : stores.database.readAll(call, statements),
  ]);
  if (!isTrace) throw notFound("Trace");
  const missing = named.find((_, index) => found[index]?.length === 0);
  if (missing !== undefined) throw notFound(missing.name);
  return test === undefined ? {} : { test };
}

/** Returns true if PostgreSQL or the archive has a trace with this id in its current form. */
async function hasTrace(stores: Deps["stores"], call: Call, id: string): Promise<boolean> {
  const trace = (await findTraces(stores, call, [id])).get(id);
  return trace?.id === id;
}

async function findTest(stores: Deps["stores"], call: Call, id: string): Promise<Found["test"]> {
  const test = await stores.find<NonNullable<Found["test"]>>(call, {
    own: { name: "has-test", text: tested, values: [call.tenant.applicationId, id] },
    archived: { kind: "results", table: "test", text: archivedTested, parameters: { id } },
  });
  if (test === undefined) throw notFound("Test");
  return test;
}
