import { readBeside } from "@ems/kit/archive";
import { notFound } from "@ems/kit/errors";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import type { IssueRow } from "./entity.ts";

type References = Pick<
  IssueRow,
  "annotationId" | "evalDefinitionId" | "experimentId" | "parentId" | "taskId" | "testId" | "topicId" | "traceId"
>;

/** What a named test is a test of. */
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
  const listOf = (id: string | null) => (id === null ? [] : [id]);
  if (topicId === null && taskId === null && evalDefinitionId === null) return;
  const found = await references.checkReferences(
    { topicIds: listOf(topicId), taskIds: listOf(taskId), definitionIds: listOf(evalDefinitionId) },
    forward(call),
  );
  if (found.missingTopicIds.length > 0) throw notFound("Topic");
  if (found.missingTaskIds.length > 0) throw notFound("Task");
  if (found.missingDefinitionIds.length > 0) throw notFound("Evaluation definition");
}

/** What experiments has itself: the name of what is not found, and its table. */
const own = [
  { property: "testId", name: "Test", table: "test" },
  { property: "traceId", name: "Trace", table: "trace" },
  { property: "experimentId", name: "Experiment", table: "experiment" },
  { property: "annotationId", name: "Annotation", table: "annotation" },
  { property: "parentId", name: "Issue", table: "issue" },
] as const;

async function checkOwn(stores: Deps["stores"], call: Call, ids: References): Promise<Found> {
  const named = own.filter(({ property }) => ids[property] !== null);
  if (named.length === 0) return {};
  const statements = named.map(({ property, table }) => ({
    name: `has-${table}`,
    text: `SELECT ${table === "test" ? 'task_id AS "taskId", topic_id AS "topicId"' : ""} FROM experiments.${table} named WHERE application_id = $1 AND id = $2 LIMIT 1`,
    values: [call.tenant.applicationId, ids[property]],
  }));
  const found = await readBeside(stores, call, statements, async (find, rows) => {
    for (const [index, { property, table }] of named.entries()) {
      const isArchived = table === "test" || table === "trace";
      if (isArchived && rows[index]?.length === 0) await find(table, "id", [ids[property] ?? ""]);
    }
  });
  const missing = named.find((_, index) => found[index]?.length === 0);
  if (missing !== undefined) throw notFound(missing.name);
  const [test] = found[named.findIndex(({ table }) => table === "test")] ?? [];
  // The columns are what the text says.
  return test === undefined ? {} : { test: test as NonNullable<Found["test"]> };
}
