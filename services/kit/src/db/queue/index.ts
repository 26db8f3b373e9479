export { type ClaimQuery, defineQueue, type Leased, type QueueJobs } from "./define-queue.ts";
export { observeQueues } from "./metrics.ts";
export { startPool } from "./pool.ts";
export { type PausedIn, readQueues, type WatchedQueue, watchQueue } from "./state.ts";
export { firstApplication } from "./statements.ts";
