// Keys of running jobs, and groups of jobs that run together.

import type { Job } from "./store.ts";

export function getKey({ applicationId, id }: Pick<Job, "applicationId" | "id">): string {
  return `${applicationId}/${id}`;
}

/** Groups jobs that have the same kind and test. */
export function groupJobs(jobs: readonly Job[]): Job[][] {
  return [...Map.groupBy(jobs, ({ applicationId, kind, testId }) => `${applicationId}/${kind}/${testId}`).values()];
}
