// Tables whose rows are transferred, and those that stay.

import type { TransferredTable } from "@ems/kit/db/transfer";

/** In an order in which rows can be inserted. */
export const transferredTables: readonly TransferredTable[] = [
  ...["inference_step", "experiment", "task_set_task", "task_set_definition"].map((table) => ({ table })),
  { table: "experiment_variant", parent: "parent_id" },
  ...["quickstart", "assignment", "contradiction", "document_test", "document_question", "run"].map((table) => ({
    table,
  })),
  { table: "test", time: "created_at" },
  { table: "evaluation", time: "created_at" },
  ...["run_stat", "run_definition", "test_day", "evaluation_day"].map((table) => ({ table })),
  ...["task_stat", "task_run_type", "task_day", "task_definition_day"].map((table) => ({ table })),
  { table: "annotation" },
  { table: "issue", parent: "parent_id" },
  ...["human_annotation_queue", "human_annotation_queue_item", "human_annotation", "judge_calibration"].map(
    (table) => ({ table }),
  ),
];

/** Tables that are not transferred: triggers fill them, or they are settings, work in progress or no content. */
export const otherTables: readonly string[] = [
  ...["experiment_search", "run_count", "test_count"],
  ...["execution_setting", "monitoring_run", "test_execution"],
  ...["archive_batch", "erasure", "erasure_trace", "erasure_work"],
  ...["audit", "idempotency", "import", "migration", "outbox", "retention"],
];
