import type { Fact } from "@ems/kit/events/content";
import type { ExperimentRow } from "./entity.ts";

/** Builds the event for which notifications mails the experiment's new assignee. */
export function experimentAssigned({ id, title }: Pick<ExperimentRow, "id" | "title">, userId: string): Fact {
  return { case: "peopleAssigned", value: { people: [{ userId }], experiment: { id, title } } };
}
