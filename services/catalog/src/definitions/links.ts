import { distinctIds } from "@ems/kit/id";

/** Returns each pair of a definition and an id once. The fixed order prevents deadlocks. */
export function buildPairs(definitionIds: readonly string[], ids: readonly string[]) {
  const sortedIds = distinctIds(ids).sort();
  return distinctIds(definitionIds)
    .sort()
    .flatMap((definitionId) => sortedIds.map((id) => ({ definitionId, id })));
}
