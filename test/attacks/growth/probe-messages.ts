// Messages between a test and the attacked process.

/** A message to the process that asks for a reading, and resets the longest hold. */
export const probeRequest = "growth-probe";

/** The same after a garbage collection, so that what is measured next does not pay for what was before. */
export const collectRequest = "growth-collect";

export interface ProbeReading {
  /** CPU time of all threads since the process began. */
  readonly cpuMs: number;
  /** The most CPU time that the main thread took within one turn of its event loop, since the last reading. */
  readonly holdMs: number;
}
