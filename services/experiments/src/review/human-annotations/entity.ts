import { rowById } from "@ems/kit/db/row-by-id";
import {
  bigint,
  boolean,
  foreignKey,
  nullable,
  oneOf,
  type Row,
  table,
  text,
  timestamp,
  uuid,
} from "@ems/kit/db/table";
import { rowVersions } from "@ems/kit/db/version";

export type HumanAnnotationRow = Row<typeof HumanAnnotationEntity>;

/** One person's annotation of one trace, by one definition or of the whole answer. */
export const HumanAnnotationEntity = table(
  "experiments.human_annotation",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    traceId: uuid,
    /** The trace's test at the time of the last annotation, with the test's task and topic. */
    testId: nullable(uuid),
    taskId: nullable(uuid),
    topicId: nullable(uuid),
    verdict: boolean,
    source: oneOf("REVIEW_QUEUE", "TRACE_PAGE", "TEST_PAGE"),
    critique: nullable(text),
    annotatorId: text,
    /** Not a foreign key, because a queue is deleted together with its items. */
    queueItemId: nullable(uuid),
    issueId: nullable(uuid),
    createdAt: timestamp,
    modifiedAt: timestamp,
    /** Null: the verdict is about the whole answer. */
    definitionId: nullable(uuid),
    /** In millionths, on the scale of the definition. */
    scoreMicro: nullable(bigint),
    /** Annotations of a trace with the same pass share the critique and the issue. */
    passId: nullable(uuid),
  },
  {
    uniques: [
      { name: "human_annotation_person_key", columns: ["applicationId", "traceId", "annotatorId", "definitionId"] },
    ],
    indices: [
      { name: "human_annotation_created", columns: ["applicationId", "createdAt", "id"] },
      { name: "human_annotation_test", columns: ["applicationId", "testId"] },
      { name: "human_annotation_definition", columns: ["applicationId", "definitionId", "createdAt", "id"] },
      { name: "human_annotation_item", columns: ["applicationId", "queueItemId"] },
    ],
    foreignKeys: [foreignKey("human_annotation_issue_fkey", ["applicationId", "issueId"], "issue")],
  },
);

export const humanAnnotationById = rowById(HumanAnnotationEntity, "Human annotation");

export const humanAnnotationVersions = rowVersions(HumanAnnotationEntity);
