import type { FindDropped } from "@ems/kit/archive";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import type { TraceRow } from "./entity.ts";

const own = `SELECT t.id, t.earlier_id AS "earlierId", t.test_id AS "testId", t.test_id IS NOT NULL AND e.id IS NULL AS "isApart"
  FROM experiments.trace t LEFT JOIN experiments.test e ON e.application_id = $1 AND e.id = t.test_id
  WHERE t.application_id = $1 AND (t.id = ANY ($2::uuid[]) OR t.earlier_id = ANY ($2::uuid[]))`;

/** For `readBeside`: those of the traces that were dropped, and their tests. Asks for nothing where PostgreSQL has all of them. */
export async function findDroppedTraces(
  { stores }: Pick<Deps, "stores">,
  call: Call,
  find: FindDropped,
  ids: readonly string[],
) {
  type Named = Pick<TraceRow, "id" | "earlierId" | "testId">;
  type Own = Named & { readonly isApart: boolean };
  const values = [call.tenant.applicationId, ids];
  const found = await stores.database.read<Own>(call, { text: own, values });
  const there = new Set(found.flatMap(({ id, earlierId }) => [id, earlierId]));
  const isComplete = ids.every((id) => there.has(id));
  const traces = isComplete
    ? []
    : [...(await find<Named>("trace", "id", ids)), ...(await find<Named>("trace", "earlier_id", ids))];
  if (traces.length === 0 && !found.some(({ isApart }) => isApart)) return;
  await find(
    "test",
    "id",
    [...found, ...traces].flatMap(({ testId }) => testId ?? []),
  );
}
