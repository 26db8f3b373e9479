import { boolean, created, date, identified, micro, modified, reference, text } from "./columns.ts";
import type { Source } from "./source.ts";

/** Tasks with statistics of their tests. */
export const task: Source = {
  id: "task",
  from: `reporting.task_v1 s
    LEFT JOIN reporting.task_stat_v1 x ON x.application_id = s.application_id AND x.task_id = s.id`,
  columns: [
    ...identified("Task"),
    text("title", "Title"),
    text("description", "Description"),
    text("type", "Type", { values: ["NORMAL", "STATIC"] }),
    text("status", "Status", { values: ["DEDUCED", "DRAFT", "ACTIVE", "ARCHIVED"] }),
    reference("topic", "Topic ID", { isNullable: true }),
    boolean("isVerified", "Verified"),
    // The share of passed tests, rounded to millionths.
    micro("passRate", "Pass Rate", {
      sql: "CASE WHEN x.passed_rows > 0 THEN (2000000 * x.passed_true + x.passed_rows) / (2 * x.passed_rows) END",
      isNullable: true,
    }),
    created,
    modified,
    date("lastTest", "Last Test Date", { sql: "x.last_test_at", isNullable: true }),
  ],
  notArchived: "s.status <> 'ARCHIVED'",
  timeline: ["createdAt"],
};
