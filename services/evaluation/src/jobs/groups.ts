// Jobs in flight by their keys, and those that are worked on together.

import type { Job } from "./store.ts";

export function keyOf({ applicationId, id }: Pick<Job, "applicationId" | "id">): string {
  return `${applicationId}/${id}`;
}

/** Jobs of one kind and test. */
export function groupsOf(jobs: readonly Job[]): Job[][] {
  return [...Map.groupBy(jobs, ({ applicationId, kind, testId }) => `${applicationId}/${kind}/${testId}`).values()];
}
