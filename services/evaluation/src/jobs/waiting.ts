/** What work waits for, as the API shows it. */
export type WaitingFor = "budget" | "model_connection" | "rate_limit" | "retry";

/** Work that cannot go on now. No attempt is charged for it. */
export class Waiting extends Error {
  override readonly name = "Waiting";
  readonly waitingFor: WaitingFor;
  /** When it can be tried again. */
  readonly until: Date;

  constructor(waitingFor: WaitingFor, until: Date) {
    super(`waits for ${waitingFor}`);
    this.waitingFor = waitingFor;
    this.until = until;
  }
}
