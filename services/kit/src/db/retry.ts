import { ExponentialBackoff, halfJitterGenerator, handleWhen, retry } from "cockatiel";
import { isTransient } from "./errors.ts";

export interface RetryOptions {
  /** Its abort ends the retries, and the error of the last attempt is thrown. */
  readonly signal: AbortSignal;
  /** Called after each failed attempt, before the backoff. */
  readonly onRetry?: (error: unknown) => void;
}

const firstDelayMs = 100;
const delayMsMax = 2_000;

/**
 * Runs `work` with retries and backoff until the database accepts it. `work` must be idempotent: a lost connection may
 * hide a commit. Errors that are not transient are thrown at once.
 */
export function retryTransient<T>(work: () => Promise<T>, { signal, onRetry }: RetryOptions): Promise<T> {
  const policy = retry(handleWhen(isTransient), {
    maxAttempts: Number.POSITIVE_INFINITY,
    backoff: new ExponentialBackoff({
      initialDelay: firstDelayMs,
      maxDelay: delayMsMax,
      generator: halfJitterGenerator,
    }),
  });
  policy.onRetry((reason) => onRetry?.("error" in reason ? reason.error : undefined));
  return policy.execute(work, signal);
}
