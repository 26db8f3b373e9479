import { createHash } from "node:crypto";
import { v7 } from "uuid";

/** The id of a task's run at a time of its schedule, whichever process starts it: so that the time has one run. */
export function runIdOf(applicationId: string, taskId: string, time: Date): string {
  const digest = createHash("sha256").update(`${applicationId} ${taskId} ${time.getTime()}`).digest();
  return v7({ msecs: time.getTime(), seq: digest.readUInt32LE(16), random: digest.subarray(0, 16) });
}
