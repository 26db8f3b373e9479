import { violatedForeignKey } from "@ems/kit/db/errors";
import type { Transaction } from "@ems/kit/db/transaction";
import { notFound } from "@ems/kit/errors";

/** Resources that requests refer to, with table and name for errors. The first missing resource is reported. */
const resources = {
  definition: ["eval_definition", "Evaluation definition"],
  topic: ["topic", "Topic"],
  task: ["task", "Task"],
  tag: ["tag", "Tag"],
  styleGuide: ["style_guide", "Style guide"],
  quickstart: ["quickstart", "Quickstart"],
} as const;

/** Foreign keys of the columns that requests set, with the resource names for errors. */
const foreignKeys: Readonly<Record<string, string>> = {
  document_topic_fkey: "Topic",
  document_quickstart_fkey: "Quickstart",
  eval_definition_quickstart_fkey: "Quickstart",
  eval_definition_style_guide_fkey: "Style guide",
  fact_document_fkey: "Document",
  fact_quickstart_fkey: "Quickstart",
  fact_topic_topic_fkey: "Topic",
  style_guide_quickstart_fkey: "Quickstart",
  task_quickstart_fkey: "Quickstart",
  task_topic_fkey: "Topic",
  topic_quickstart_fkey: "Quickstart",
};

/** Throws "… not found" for a violated foreign key, so that a write needs no look-up of its references. */
export function rethrowMissingReference(error: unknown): never {
  const name = foreignKeys[violatedForeignKey(error) ?? ""];
  throw name === undefined ? error : notFound(name);
}

type Resource = keyof typeof resources;
type Ids = readonly string[] | string | null | undefined;

/** Throws "… not found" unless the application has all of the resources. */
export async function assertReferences(
  tx: Transaction,
  applicationId: string,
  references: { readonly [resource in Resource]?: Ids },
): Promise<void> {
  const requested = Object.entries(resources).flatMap(([resource, [table, name]]) => {
    const ids = [references[resource as Resource] ?? []].flat();
    return ids.length === 0 ? [] : [{ table, name, ids }];
  });
  if (requested.length === 0) return;
  const columns = requested.map(({ table }, index) => `${isAnyMissing(table, `$${index + 2}`)} AS ${table}`);
  const values = [applicationId, ...requested.map(({ ids }) => ids)];
  const [row] = await tx.query<Record<string, boolean>>(`SELECT ${columns.join(", ")}`, values);
  const missing = requested.find(({ table }) => row?.[table]);
  if (missing !== undefined) throw notFound(missing.name);
}

const isAnyMissing = (table: string, ids: string) =>
  `EXISTS (SELECT FROM unnest(${ids}::uuid[]) AS requested (id) WHERE NOT EXISTS
    (SELECT FROM catalog.${table} found WHERE found.application_id = $1 AND found.id = requested.id))`;
