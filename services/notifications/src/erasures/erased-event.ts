import { create } from "@bufbuild/protobuf";
import { decodeMessage, encodeMessage } from "@ems/kit/codec";
import { TaskSchema } from "@ems/proto/catalog/v1/task_service";
import { EventSchema } from "@ems/proto/events/v1/event";
import { AnnotationSchema } from "@ems/proto/experiments/v1/annotation_service";
import { IssueSchema } from "@ems/proto/experiments/v1/issue_service";

/** Types of events whose data contains all texts of their subject. */
export const erasedTypes = [
  "annotation.created",
  "annotation.deleted",
  "annotation.updated",
  "issue.created",
  "task.archived",
];

/** Returns the event with only the ID of its subject; undefined if the subject is not among `subjectIds`. */
export function erasedEvent(message: Uint8Array, subjectIds: ReadonlySet<string>): Uint8Array | undefined {
  const event = decodeMessage(EventSchema, message);
  const { data } = event;
  switch (data.case) {
    case "annotationCreated":
    case "annotationDeleted":
    case "annotationUpdated":
      if (!subjectIds.has(data.value.id)) return undefined;
      data.value = create(AnnotationSchema, { id: data.value.id });
      break;
    case "issueCreated":
      if (!subjectIds.has(data.value.id)) return undefined;
      data.value = create(IssueSchema, { id: data.value.id });
      break;
    case "taskArchived":
      if (!subjectIds.has(data.value.id)) return undefined;
      data.value = create(TaskSchema, { id: data.value.id });
      break;
    default:
      return undefined;
  }
  return encodeMessage(EventSchema, event);
}
