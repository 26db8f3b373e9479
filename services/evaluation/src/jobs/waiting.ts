/** Reasons why a job waits, as the API returns them. */
export type WaitingFor = "budget" | "model_connection" | "rate_limit" | "retry";

/** Thrown if work must wait. No attempt is charged for it. */
export class Waiting extends Error {
  override readonly name = "Waiting";
  readonly waitingFor: WaitingFor;
  /** Time of the next attempt. */
  readonly until: Date;
  /** Reason for users; undefined if `waitingFor` is the whole reason. */
  readonly reason: string | undefined;

  constructor(waitingFor: WaitingFor, until: Date, reason?: string) {
    super(`waits for ${waitingFor}`);
    this.waitingFor = waitingFor;
    this.until = until;
    this.reason = reason;
  }
}
