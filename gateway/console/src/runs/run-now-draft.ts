import type { Schemas } from "../api/request.ts";

export interface RunDraft {
  readonly name: string;
  readonly version: string;
  readonly repeat: number | "";
  readonly simulate: boolean;
}

export const newDraft: RunDraft = { name: "", version: "", repeat: 1, simulate: false };

/** Builds the request. An empty number of tests per prompt means 1. Without a name, the service makes one. */
export const toRequest = (
  taskIds: readonly string[],
  { name, version, repeat, simulate }: RunDraft,
): Schemas["TriggerTasksRequest"] => ({
  taskIds: [...taskIds],
  repeat: typeof repeat === "number" ? repeat : 1,
  simulate,
  ...(name.trim() !== "" && { name: name.trim() }),
  ...(version.trim() !== "" && { version: version.trim() }),
});

/** Returns the id at the end of the response's Location header. */
export const toRunId = (location: string) => location.split("/").at(-1) ?? "";
