/** Reasons why a job waits, as the API returns them. */
export type WaitingFor = "budget" | "model_connection" | "rate_limit" | "retry";

/** Thrown if work must wait. No attempt is charged for it. */
export class Waiting extends Error {
  override readonly name = "Waiting";
  readonly waitingFor: WaitingFor;
  /** Time of the next attempt. */
  readonly until: Date;

  constructor(waitingFor: WaitingFor, until: Date) {
    super(`waits for ${waitingFor}`);
    this.waitingFor = waitingFor;
    this.until = until;
  }
}
