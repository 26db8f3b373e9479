// Converts filters by members of a view, such as tags of a task, to filters on a column of the rows, which PostgreSQL and
// the archive both have.

import type { Read } from "@ems/kit/db/snapshot";
import { invalidFields } from "@ems/kit/errors";
import { compileMembers, type Filter, type Plan } from "../query/index.ts";
import { findColumn } from "../sources/index.ts";

/** Maximum number of values that a filter may have after its conversion. */
const membersMax = 100_000;

export async function resolveMembers(read: Read, applicationId: string, plan: Plan): Promise<Plan> {
  const filters = await Promise.all(plan.filters.map((filter) => resolve(read, applicationId, plan, filter)));
  return { ...plan, filters };
}

async function resolve(read: Read, applicationId: string, { source }: Plan, filter: Filter): Promise<Filter> {
  if (filter.kind !== "member" || filter.column.membership.kind !== "view") return filter;
  const { membership, name } = filter.column;
  const column = findColumn(source, membership.column);
  if (column === undefined) throw new Error(`${source.id} has no column ${membership.column}`);
  const statement = compileMembers(applicationId, membership, filter.values, membersMax + 1);
  const values = (await read<{ id: string }>(statement)).map(({ id }) => id);
  if (values.length > membersMax) {
    const message = `${name}: more than ${membersMax} match, so filter by fewer values`;
    throw invalidFields([{ path: ["filters", filter.at, "value"], message }]);
  }
  return { kind: "string", column, isNegated: filter.isNegated, values, at: filter.at };
}
