import { distinctIds } from "@ems/kit/id";

/** Returns each pair of definition and id once. The fixed order of the pairs prevents deadlocks. */
export function buildPairs(definitionIds: readonly string[], ids: readonly string[]) {
  const sortedIds = distinctIds(ids).sort();
  return distinctIds(definitionIds)
    .sort()
    .flatMap((definitionId) => sortedIds.map((id) => ({ definitionId, id })));
}
