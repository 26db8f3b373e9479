// Assignments as events tell them.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AssignmentsCreatedSchema } from "@ems/proto/events/v1/event";
import { AssignmentStage } from "@ems/proto/experiments/v1/quickstart_service";
import type { AssignmentRow } from "./entities/assignment.ts";

/** An assignment that is new or has a new person. */
export type ChangedAssignment = Pick<AssignmentRow, "id" | "stage" | "topicId" | "assignedTo">;

/** An event has 128 KiB; the rest is for what stands around the assignments. */
const partBytesMax = 120 * 1024;

/** The assignments of one call in as few events as hold them: a thousand do not fit one. None when nothing changed. */
export function toldInParts(
  quickstartId: string,
  changed: readonly ChangedAssignment[],
): MessageInitShape<typeof AssignmentsCreatedSchema>[] {
  const parts: ChangedAssignment[][] = [];
  let left = 0;
  for (const one of changed) {
    // User ids are free text, of which JSON may take six bytes for a character.
    const bytes = Buffer.byteLength(JSON.stringify(one)) + 1;
    const part = bytes <= left ? parts.at(-1) : undefined;
    if (part === undefined) {
      parts.push([one]);
      left = partBytesMax - bytes;
    } else {
      part.push(one);
      left -= bytes;
    }
  }
  return parts.map((part) => ({
    quickstartId,
    assignments: part.map((one) => ({ ...one, stage: AssignmentStage[one.stage] })),
  }));
}
