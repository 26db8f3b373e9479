// Queues of end users' erasures, and of the erasure work for other services.

import { defineQueue } from "@ems/kit/db/queue";
import type { ErasureRow, ErasureWorkRow } from "./entity.ts";

export type ClaimedErasure = Pick<ErasureRow, "applicationId" | "orgId" | "id" | "endUserKey">;
export type ClaimedErasureWork = Omit<ErasureWorkRow, "service" | "dueAt">;

export const erasureQueue = defineQueue<Omit<ClaimedErasure, "applicationId" | "id">>({
  name: "experiments.erasures",
  table: "experiments.erasure",
  due: "due_at",
  columns: ["orgId", "endUserKey"],
  fairness: "oldest",
});

/** Queue of erasure work for other services, with one lane per service. */
export const erasureWorkQueue = defineQueue<Omit<ClaimedErasureWork, "applicationId" | "id">>({
  name: "experiments.erasure_work",
  table: "experiments.erasure_work",
  lane: "service",
  due: "due_at",
  columns: ["orgId", "erasureId", "traceIds", "testIds", "subjectIds"],
  fairness: "oldest",
});
