import { create } from "@bufbuild/protobuf";
import { decodeMessage, encodeMessage } from "@ems/kit/codec";
import { TaskSchema } from "@ems/proto/catalog/v1/task_service";
import { EventSchema } from "@ems/proto/events/v1/event";
import { IssueSchema } from "@ems/proto/experiments/v1/issue_service";

/** Types of events whose data contains all texts of their subject. */
export const erasedTypes = ["issue.created", "task.archived"];

/** Returns the event with only the ID of its subject; undefined if the subject is not among `subjectIds`. */
export function erasedEvent(message: Uint8Array, subjectIds: ReadonlySet<string>): Uint8Array | undefined {
  const event = decodeMessage(EventSchema, message);
  const { data } = event;
  if (data.case === "issueCreated" && subjectIds.has(data.value.id))
    data.value = create(IssueSchema, { id: data.value.id });
  else if (data.case === "taskArchived" && subjectIds.has(data.value.id))
    data.value = create(TaskSchema, { id: data.value.id });
  else return undefined;
  return encodeMessage(EventSchema, event);
}
