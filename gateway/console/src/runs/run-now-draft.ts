import type { Schemas } from "../api/request.ts";

export interface RunDraft {
  readonly repeat: number | "";
  readonly simulate: boolean;
}

export const newDraft: RunDraft = { repeat: 1, simulate: false };

/** An empty number of tests means one. */
export const toRequest = (
  taskIds: readonly string[],
  { repeat, simulate }: RunDraft,
): Schemas["TriggerTasksRequest"] => ({
  taskIds: [...taskIds],
  repeat: typeof repeat === "number" ? repeat : 1,
  simulate,
});

/** The id at the end of the path that the API answers with. */
export const toRunId = (location: string) => location.split("/").at(-1) ?? "";
