import { eventLoop } from "@ems/kit/limits/event-loop-yield";

/** So many rows take milliseconds to make: requests that do so at once would hold up all others together. */
const heavyRows = 100;

/** Waits for a turn of the event loop in which nobody else makes many rows; for few rows not at all. */
export async function waitForTurn(applicationId: string, rows: number): Promise<void> {
  if (rows >= heavyRows) await eventLoop.wait(applicationId);
}
