// Who was assigned what, as notifications is told of it to send mails. A person is in one event of a call, which makes one
// mail of it.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Fact } from "@ems/kit/events/publish";
import type { PersonAssignedSchema } from "@ems/proto/events/v1/event";
import type { ChangedAssignment } from "./events.ts";
import { inParts } from "./in-parts.ts";

type Person = MessageInitShape<typeof PersonAssignedSchema>;

interface Named {
  readonly id: string;
  readonly title: string;
}

/** A mail is no list: it names this many topics. */
const topicsMax = 5;

/** The reviews that each person was given by one call, in as few events as hold them. None when nothing changed. */
export function reviewsAssigned({ id, title }: Named, changed: readonly ChangedAssignment[]): Fact[] {
  const byPerson = Map.groupBy(changed, ({ assignedTo }) => assignedTo);
  const people = [...byPerson].map(([userId, theirs]): Person => {
    const countOf = (stage: ChangedAssignment["stage"]) => theirs.filter((one) => one.stage === stage).length;
    return {
      userId,
      kbReviewCount: countOf("KB_REVIEW"),
      tasksTopicsReviewCount: countOf("TASKS_TOPICS_REVIEW"),
      topicIds: [...new Set(theirs.map(({ topicId }) => topicId))].slice(0, topicsMax),
    };
  });
  return inParts(people).map((part) => {
    return { case: "peopleAssigned", value: { people: part, quickstart: { id, title } } };
  });
}
