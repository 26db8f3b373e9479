import { sources } from "./datasources.ts";
import type { Column, MembershipFilter, ReferenceName, ResultFilter, Source } from "./source.ts";

export { sources } from "./datasources.ts";
export type { Column, ColumnType, MembershipFilter, ReferenceName, Source, ViewMembership } from "./source.ts";

export function findSource(id: string): Source | undefined {
  return sources.find((source) => source.id === id);
}

export function findColumn({ columns }: Source, id: string): Column | undefined {
  return columns.find((column) => column.id === id);
}

/** Lists the columns by which a query can filter. */
export function listFilterColumns({
  columns,
  memberships = [],
  results,
}: Source): (Column | MembershipFilter | ResultFilter)[] {
  return [...columns, ...memberships, ...(results === undefined ? [] : [results])];
}

/** Returns the view of the rollup's histogram of the column. */
export function getHistogramView({ id, rollup }: Source, column: Column): string {
  const view = rollup?.histograms?.[column.id];
  if (view === undefined) throw new Error(`${id} has no histogram of ${column.id}`);
  return view;
}

/** Returns true if sorting by the column is the same as sorting by `created_at`. */
export function isOnTimeline({ timeline }: Source, { id }: Pick<Column, "id">): boolean {
  return timeline.includes(id);
}

/** Views that contain the names of referenced resources. */
export const references: Readonly<Record<ReferenceName, { readonly view: string; readonly name: string }>> = {
  topic: { view: "reporting.topic_v1", name: "title" },
  task: { view: "reporting.task_v1", name: "title" },
  definition: { view: "reporting.eval_definition_v1", name: "name" },
};
