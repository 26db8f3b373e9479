import type { Clock } from "@ems/kit/clock";
import type { Transaction } from "@ems/kit/db/transaction";
import type { ReceivedEvent } from "@ems/kit/events/bus";
import type { PeopleAssigned, PersonAssigned } from "@ems/proto/events/v1/event";
import { enqueue, type NewJob } from "./jobs.ts";

type MailEvent = Pick<ReceivedEvent, "id" | "applicationId" | "orgId" | "type" | "content">;

/** Whether the event makes mail jobs. */
export function isMailed({ type }: Pick<MailEvent, "type">): boolean {
  return type === "people.assigned";
}

/** Makes mail jobs of assignments: one an event and person, idempotent. */
export function mailHandler(clock: Clock) {
  return async (tx: Transaction, events: readonly MailEvent[]): Promise<void> => {
    const jobs = events.filter(isMailed).flatMap(jobsOf);
    await enqueue(tx, clock.now(), jobs);
  };
}

function jobsOf({ id, applicationId, orgId, content: { data } }: MailEvent): NewJob[] {
  if (data.case !== "peopleAssigned") throw new Error(`event ${id} is no people.assigned`);
  const { value: assigned } = data;
  return assigned.people.map((person) => {
    return { id, applicationId, orgId, userId: person.userId, content: contentOf(id, assigned, person) };
  });
}

function contentOf(id: string, event: PeopleAssigned, person: PersonAssigned): NewJob["content"] {
  const { quickstart, contradictionId, experiment } = event;
  if (experiment !== undefined) return { kind: "EXPERIMENT_ASSIGNED", experiment: named(experiment) };
  if (quickstart === undefined) throw new Error(`event ${id} does not say what people were assigned to`);
  if (contradictionId !== undefined) {
    return { kind: "CONTRADICTION_ASSIGNED", quickstart: named(quickstart), contradictionId };
  }
  const { kbReviewCount, tasksTopicsReviewCount, topicIds } = person;
  return { kind: "REVIEWS_ASSIGNED", quickstart: named(quickstart), kbReviewCount, tasksTopicsReviewCount, topicIds };
}

function named({ id, title }: { id: string; title: string }) {
  return { id, title };
}
