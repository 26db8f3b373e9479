import { timestampDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Clock } from "@ems/kit/clock";
import type { Transaction } from "@ems/kit/db/transaction";
import type { ReceivedEvent } from "@ems/kit/events/bus";
import type { MemberInvited, PeopleAssigned, PersonAssigned } from "@ems/proto/events/v1/event";
import { enqueue, type NewJob } from "./jobs.ts";
import { budgetNotice, pausedNotice } from "./notices.ts";

type MailEvent = Pick<ReceivedEvent, "id" | "applicationId" | "orgId" | "type" | "content">;

const mailed: ReadonlySet<string> = new Set([
  "people.assigned",
  "member.invited",
  "budget.reached",
  "model_connection.paused",
]);

/** Returns true if the event creates mail jobs. */
export function isMailed({ type }: Pick<MailEvent, "type">): boolean {
  return mailed.has(type);
}

/**
 * Creates mail jobs: one per event and person for assignments, one for an invitation, and one to the operator for each
 * of evaluation's notices. Idempotent. People sign in at `publicUrl`.
 */
export function mailHandler(clock: Clock, publicUrl?: string) {
  return async (tx: Transaction, events: readonly MailEvent[]): Promise<void> => {
    const jobs = events.filter(isMailed).flatMap((event) => buildJobs(event, publicUrl));
    // Removes duplicates, because a changed budget can be reached twice in one batch.
    const distinct = new Map(jobs.map((job) => [`${job.applicationId} ${job.id} ${job.userId}`, job]));
    await enqueue(tx, clock.now(), [...distinct.values()]);
  };
}

function buildJobs(event: MailEvent, publicUrl: string | undefined): NewJob[] {
  const { id, applicationId, orgId, type, content } = event;
  const { data } = content;
  switch (data.case) {
    case "peopleAssigned":
      return data.value.people.map((person) => {
        return { id, applicationId, orgId, userId: person.userId, content: buildContent(id, data.value, person) };
      });
    case "memberInvited":
      return [{ id, applicationId, orgId, userId: "", content: buildInvitation(data.value, publicUrl) }];
    case "budgetReached":
      return [budgetNotice(event, data.value)];
    case "modelConnectionPaused":
      return [pausedNotice(event, data.value)];
    default:
      throw new Error(`event ${id} has no data of type ${type}`);
  }
}

function buildContent(id: string, event: PeopleAssigned, person: PersonAssigned): NewJob["content"] {
  const { quickstart, contradictionId, experiment } = event;
  if (experiment !== undefined) return { kind: "EXPERIMENT_ASSIGNED", experiment: named(experiment) };
  if (quickstart === undefined) throw new Error(`event ${id} lacks the assigned resource`);
  if (contradictionId !== undefined) {
    return { kind: "CONTRADICTION_ASSIGNED", quickstart: named(quickstart), contradictionId };
  }
  const { kbReviewCount, tasksTopicsReviewCount, topicIds } = person;
  return { kind: "REVIEWS_ASSIGNED", quickstart: named(quickstart), kbReviewCount, tasksTopicsReviewCount, topicIds };
}

function buildInvitation(event: MemberInvited, publicUrl: string | undefined): NewJob["content"] {
  const { email: address, application, invitedBy, expiresAt } = event;
  return {
    kind: "INVITED",
    address,
    invitedBy,
    url: publicUrl ?? null,
    application: named(application ?? { id: "", title: "" }),
    expiresAt: timestampDate(expiresAt ?? timestampFromMs(0)).toISOString(),
  };
}

function named({ id, title }: { id: string; title: string }) {
  return { id, title };
}
