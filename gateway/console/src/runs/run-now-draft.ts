import type { Schemas } from "../api/request.ts";

export interface RunDraft {
  readonly repeat: number | "";
  readonly simulate: boolean;
}

export const newDraft: RunDraft = { repeat: 1, simulate: false };

/** Builds the request. An empty number of tests per prompt means 1. */
export const toRequest = (
  taskIds: readonly string[],
  { repeat, simulate }: RunDraft,
): Schemas["TriggerTasksRequest"] => ({
  taskIds: [...taskIds],
  repeat: typeof repeat === "number" ? repeat : 1,
  simulate,
});

/** Returns the id at the end of the response's Location header. */
export const toRunId = (location: string) => location.split("/").at(-1) ?? "";
