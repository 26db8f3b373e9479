// Assignments as events tell them.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AssignmentsCreatedSchema } from "@ems/proto/events/v1/event";
import { AssignmentStage } from "@ems/proto/experiments/v1/quickstart_service";
import type { AssignmentRow } from "./entity.ts";
import { inParts } from "./in-parts.ts";

/** An assignment that is new or has a new person. */
export type ChangedAssignment = Pick<AssignmentRow, "id" | "stage" | "topicId" | "assignedTo">;

/** The assignments of one call in as few events as hold them: a thousand do not fit one. None when nothing changed. */
export function toldInParts(
  quickstartId: string,
  changed: readonly ChangedAssignment[],
): MessageInitShape<typeof AssignmentsCreatedSchema>[] {
  return inParts(changed).map((part) => ({
    quickstartId,
    assignments: part.map((one) => ({ ...one, stage: AssignmentStage[one.stage] })),
  }));
}
