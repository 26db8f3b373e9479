/**
 * Applications whose model connection has no room for calls, each with the earliest time when one of its jobs may have
 * room. Times are from a monotonic clock.
 */
export class BlockedApplications {
  readonly #untilMs = new Map<string, number>();

  /**
   * Blocks the application for `waitMs`, but never extends an existing block, because the next job may need less room.
   */
  block(applicationId: string, waitMs: number, nowMs = performance.now()): void {
    const before = this.now(nowMs).includes(applicationId) ? this.#untilMs.get(applicationId) : undefined;
    this.#untilMs.set(applicationId, Math.min(nowMs + waitMs, before ?? Number.POSITIVE_INFINITY));
  }

  /** Returns the applications that are currently blocked. */
  now(nowMs = performance.now()): string[] {
    for (const [applicationId, untilMs] of this.#untilMs) if (untilMs <= nowMs) this.#untilMs.delete(applicationId);
    return [...this.#untilMs.keys()];
  }
}
