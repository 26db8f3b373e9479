import { type Mount, mount } from "@ems/kit/rpc/service";
import { DeadLetterService } from "@ems/proto/notifications/v1/dead_letter_service";
import { listDeadLetters } from "./list-dead-letters.ts";
import type { RetryDeps } from "./retry.ts";
import { retryDeadLetters } from "./retry-dead-letters.ts";

export { handleNewer } from "./handle-newer.ts";
export { pruneDeadLetters, storeDeadLetter } from "./store.ts";

/** Mounts the operator's RPCs, using the role that may read the rows of every application. */
export const deadLetters = (deps: RetryDeps): Mount =>
  mount(DeadLetterService, {
    listDeadLetters: listDeadLetters(deps),
    retryDeadLetters: retryDeadLetters(deps),
  });
