import { boolean, created, id, identified, integer, micro, modifiedWhenCreated, reference, text } from "./columns.ts";
import { resultStatuses, resultsNotArchived } from "./results.ts";
import type { Source } from "./source.ts";

/** Tests: executions of tasks. */
export const test: Source = {
  id: "test",
  from: "reporting.test_v1 s",
  columns: [
    ...identified("Test"),
    reference("task", "Task ID"),
    reference("topic", "Topic ID", { isNullable: true }),
    id("runId", "Run ID"),
    text("runType", "Run Type", { values: ["MANUAL", "SCHEDULED", "EXPERIMENT", "MONITORING"] }),
    text("status", "Status", { values: resultStatuses }),
    micro("score", "Score", { sql: "s.score_micro", isNullable: true }),
    boolean("passed", "Passed", { isNullable: true }),
    integer("durationMs", "Duration (ms)", { isNullable: true }),
    created,
    modifiedWhenCreated,
  ],
  notArchived: resultsNotArchived,
  timeline: ["createdAt", "modifiedAt"],
  rollup: {
    view: "reporting.test_day_v1 r",
    dimensions: {
      orgId: "r.org_id",
      applicationId: "r.application_id",
      topicId: "r.topic_id",
      runType: "r.run_type",
      status: "r.status",
    },
    sums: { passed: "passed", score: "score", durationMs: "duration" },
  },
};
