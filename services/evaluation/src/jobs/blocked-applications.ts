/**
 * Applications whose connection has no room, each with the earliest time at which a job may have room. Times are of a
 * monotonic clock.
 */
export class BlockedApplications {
  readonly #untilMs = new Map<string, number>();

  /**
   * Blocks the application for `waitMs`, or until its present end if that is earlier: the next job may need less room.
   */
  block(applicationId: string, waitMs: number, nowMs = performance.now()): void {
    const before = this.now(nowMs).includes(applicationId) ? this.#untilMs.get(applicationId) : undefined;
    this.#untilMs.set(applicationId, Math.min(nowMs + waitMs, before ?? Number.POSITIVE_INFINITY));
  }

  /** Returns the applications that are blocked now. */
  now(nowMs = performance.now()): string[] {
    for (const [applicationId, untilMs] of this.#untilMs) if (untilMs <= nowMs) this.#untilMs.delete(applicationId);
    return [...this.#untilMs.keys()];
  }
}
