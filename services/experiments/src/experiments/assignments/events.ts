import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Fact } from "@ems/kit/events/content";
import type { PersonAssignedSchema } from "@ems/proto/events/v1/event";
import { AssignmentStage } from "@ems/proto/experiments/v1/quickstart_service";
import type { QuickstartRow } from "../quickstarts/index.ts";
import { chunks } from "./chunks.ts";
import type { AssignmentRow } from "./entity.ts";

/** An assignment that is new or was reassigned to another person. */
export type ChangedAssignment = Pick<AssignmentRow, "id" | "stage" | "topicId" | "assignedTo">;

/** Publishes the changed assignments of one call in as few events as possible. */
export function assignmentsCreated(quickstartId: string, changed: readonly ChangedAssignment[]): Fact[] {
  return chunks(changed).map((chunk) => {
    const assignments = chunk.map((assignment) => ({ ...assignment, stage: AssignmentStage[assignment.stage] }));
    return { case: "assignmentCreated", value: { quickstartId, assignments } };
  });
}

/** Maximum number of topics listed in a mail. */
const topicsMax = 5;

/** Notifications mails each person once: one event lists all reviews that a call assigned to the person. */
export function reviewsAssigned(
  { id, title }: Pick<QuickstartRow, "id" | "title">,
  changed: readonly ChangedAssignment[],
): Fact[] {
  const byPerson = Map.groupBy(changed, ({ assignedTo }) => assignedTo);
  const people = [...byPerson].map(([userId, reviews]): MessageInitShape<typeof PersonAssignedSchema> => {
    const countReviews = (stage: ChangedAssignment["stage"]) =>
      reviews.filter((review) => review.stage === stage).length;
    return {
      userId,
      kbReviewCount: countReviews("KB_REVIEW"),
      tasksTopicsReviewCount: countReviews("TASKS_TOPICS_REVIEW"),
      topicIds: [...new Set(reviews.map(({ topicId }) => topicId))].slice(0, topicsMax),
    };
  });
  return chunks(people).map((chunk) => {
    return { case: "peopleAssigned", value: { people: chunk, quickstart: { id, title } } };
  });
}
