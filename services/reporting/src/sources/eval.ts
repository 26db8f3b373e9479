import { boolean, created, id, identified, micro, modifiedWhenCreated, reference, text } from "./columns.ts";
import { resultStatuses, resultsNotArchived } from "./results.ts";
import type { Source } from "./source.ts";

/** Evaluations: a test's results by definition. */
export const evaluation: Source = {
  id: "eval",
  from: "reporting.evaluation_v1 s",
  columns: [
    ...identified("Evaluation"),
    id("testId", "Test ID"),
    reference("task", "Task ID"),
    reference("topic", "Topic ID", { isNullable: true }),
    reference("definition", "Evaluation Definition ID"),
    text("definitionType", "Evaluation Type", {
      values: ["NATURALNESS", "STYLE", "RECALL", "FACT", "CUSTOM", "OUTPUT_MATCH"],
    }),
    text("status", "Status", { values: resultStatuses }),
    micro("score", "Score", { sql: "s.score_micro", isNullable: true }),
    boolean("passed", "Passed", { isNullable: true }),
    created,
    modifiedWhenCreated,
  ],
  notArchived: resultsNotArchived,
  timeline: ["createdAt", "modifiedAt"],
  rollup: {
    view: "reporting.evaluation_day_v1 r",
    dimensions: {
      orgId: "r.org_id",
      applicationId: "r.application_id",
      topicId: "r.topic_id",
      definitionId: "r.definition_id",
      definitionType: "r.definition_type",
      status: "r.status",
    },
    sums: { passed: "passed", score: "score" },
  },
};
