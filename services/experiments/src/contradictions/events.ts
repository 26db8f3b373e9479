import type { Fact } from "@ems/kit/events/content";
import type { QuickstartRow } from "../quickstarts/index.ts";

/** Notifications mails the contradiction's new assignee. */
export function contradictionAssigned(
  { id, title }: Pick<QuickstartRow, "id" | "title">,
  contradictionId: string,
  userId: string,
): Fact {
  return { case: "peopleAssigned", value: { people: [{ userId }], quickstart: { id, title }, contradictionId } };
}
