import { idAt } from "@ems/kit/id";

/** The id of a task's run at a time of its schedule, whichever process starts it: so that the time has one run. */
export function runIdOf(applicationId: string, taskId: string, time: Date): string {
  return idAt(time, `${applicationId} ${taskId}`);
}
