export { type ClaimQuery, defineQueue, firstApplication, type Leased, type QueueJobs } from "./define-queue.ts";
export { observeQueues } from "./metrics.ts";
export { startPool } from "./pool.ts";
export { type PausedIn, readQueues, type WatchedQueue, watchQueue } from "./state.ts";
