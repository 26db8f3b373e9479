// From the rows of quickstarts and what hangs on them to their messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type AssignmentSchema,
  AssignmentStage,
  type ContradictionSchema,
  type QuickstartSchema,
} from "@ems/proto/experiments/v1/quickstart_service";
import type { UserReference } from "@ems/proto/type/v1/user_reference";
import type { AssignmentRow } from "../assignments/entity.ts";
import type { ContradictionRow } from "../contradictions/entity.ts";
import type { QuickstartRow } from "./entity.ts";

type People = ReadonlyMap<string, UserReference>;

export function quickstart({
  createdAt,
  modifiedAt,
  ...same
}: QuickstartRow): MessageInitShape<typeof QuickstartSchema> {
  return { ...same, ...times({ createdAt, modifiedAt }) };
}

export function assignment(
  { id, quickstartId, stage, topicId, assignedTo, createdAt, modifiedAt }: AssignmentRow,
  people: People,
): MessageInitShape<typeof AssignmentSchema> {
  const assignedUser = people.get(assignedTo);
  return {
    id,
    quickstartId,
    stage: AssignmentStage[stage],
    topicId,
    assignedTo,
    ...(assignedUser !== undefined && { assignedUser }),
    ...times({ createdAt, modifiedAt }),
  };
}

export function contradiction(
  { assignedTo, createdAt, modifiedAt, quickstartId: _, ...same }: ContradictionRow,
  people: People,
): MessageInitShape<typeof ContradictionSchema> {
  const assignedUser = assignedTo === null ? undefined : people.get(assignedTo);
  return {
    ...same,
    ...(assignedTo !== null && { assignedTo }),
    ...(assignedUser !== undefined && { assignedUser }),
    ...times({ createdAt, modifiedAt }),
  };
}

function times({ createdAt, modifiedAt }: { createdAt: Date; modifiedAt: Date }) {
  return { createdAt: timestampFromDate(createdAt), modifiedAt: timestampFromDate(modifiedAt) };
}
