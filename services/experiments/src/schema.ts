import { baseline, sqlFiles } from "@ems/kit/baseline";
import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import { outboxEntity } from "@ems/kit/events/outbox";
import { EvaluationEntity } from "@ems/results";
import { AssignmentEntity } from "./experiments/assignments/entity.ts";
import { ContradictionEntity } from "./experiments/contradictions/entity.ts";
import { ExperimentEntity } from "./experiments/experiments/entity.ts";
import { VariantEntity } from "./experiments/experiments/variant-entity.ts";
import { InferenceStepEntity } from "./experiments/inference-steps/entity.ts";
import { QuickstartEntity } from "./experiments/quickstarts/entity.ts";
import { TaskSetDefinitionEntity, TaskSetTaskEntity } from "./experiments/task-sets/entity.ts";
import { ErasureEntity, ErasureTraceEntity, ErasureWorkEntity } from "./lifecycle/erasures/entity.ts";
import { erasureQueue, erasureWorkQueue } from "./lifecycle/erasures/queue.ts";
import { AddExactScores1765400200000 } from "./migrations/add-exact-scores.ts";
import { AddImports1765401000000 } from "./migrations/add-imports.ts";
import { CopyTokenKinds1765400110000 } from "./migrations/copy-token-kinds.ts";
import { CopyTraceUsage1765200100000 } from "./migrations/copy-trace-usage.ts";
import { NameRuns1765800000000 } from "./migrations/name-runs.ts";
import { PublishDefinitions1765600000000 } from "./migrations/publish-definitions.ts";
import { PublishResults1765300000000 } from "./migrations/publish-results.ts";
import { ReadOnlyArchive1765200000000 } from "./migrations/read-only-archive.ts";
import { RepairScores1765350000000 } from "./migrations/repair-scores.ts";
import { ReviewCriteria1765400310000 } from "./migrations/review-criteria.ts";
import { SumRunTypes1765700000000 } from "./migrations/sum-run-types.ts";
import { TestOutcomes1765400000000 } from "./migrations/test-outcomes.ts";
import { TraceDeletions1765401100000 } from "./migrations/trace-deletions.ts";
import { QueueEntity, QueueItemEntity } from "./review/annotation-queues/entity.ts";
import { AnnotationEntity } from "./review/annotations/entity.ts";
import { JudgeCalibrationEntity } from "./review/calibration/entity.ts";
import { HumanAnnotationEntity } from "./review/human-annotations/entity.ts";
import { IssueEntity } from "./review/issues/entity.ts";
import { DocumentQuestionEntity, DocumentTestEntity } from "./runs/document-tests/entity.ts";
import { documentTestQueue } from "./runs/document-tests/offers.ts";
import { ExecutionEntity } from "./runs/execution/entity.ts";
import { deadlineQueue, workQueue } from "./runs/execution/work.ts";
import { RunEntity } from "./runs/runs/entity.ts";
import { TestEntity } from "./runs/tests/entity.ts";

/** Database schema of experiments. */
export const experimentsSchema: Schema = {
  name: "experiments",
  entities: [
    ExperimentEntity,
    VariantEntity,
    TaskSetTaskEntity,
    TaskSetDefinitionEntity,
    InferenceStepEntity,
    QuickstartEntity,
    AssignmentEntity,
    ContradictionEntity,
    RunEntity,
    TestEntity,
    EvaluationEntity,
    ExecutionEntity,
    AnnotationEntity,
    IssueEntity,
    QueueEntity,
    QueueItemEntity,
    HumanAnnotationEntity,
    JudgeCalibrationEntity,
    DocumentTestEntity,
    DocumentQuestionEntity,
    ErasureEntity,
    ErasureTraceEntity,
    ErasureWorkEntity,
    outboxEntity("experiments"),
    idempotencyEntity("experiments"),
  ],
  queues: [workQueue, deadlineQueue, documentTestQueue, erasureQueue, erasureWorkQueue],
  migrations: [
    baseline({
      schema: "experiments",
      files: sqlFiles(import.meta.url, [
        "experiments/experiments/schema.sql",
        "experiments/task-sets/schema.sql",
        "experiments/inference-steps/schema.sql",
        "experiments/quickstarts/schema.sql",
        "experiments/assignments/schema.sql",
        "experiments/contradictions/schema.sql",
        "migrations/baseline/traces.sql",
        "migrations/baseline/trace-completion.sql",
        "migrations/baseline/search.sql",
        "migrations/baseline/otlp.sql",
        "runs/runs/schema.sql",
        "runs/tests/schema.sql",
        "runs/evaluations/schema.sql",
        "runs/execution/schema.sql",
        "runs/monitoring/schema.sql",
        "runs/live-traffic/schema.sql",
        "review/annotations/schema.sql",
        "review/issues/schema.sql",
        "review/annotation-queues/schema.sql",
        "review/human-annotations/schema.sql",
        "review/calibration/schema.sql",
        "runs/document-tests/schema.sql",
        "lifecycle/erasures/schema.sql",
        "migrations/baseline/ingest-settings.sql",
        "runs/rollups/schema.sql",
        "lifecycle/archive/schema.sql",
        "lifecycle/retention/schema.sql",
      ]),
      searched: [{ table: "experiment", tenant: "application_id", idType: "uuid", columns: ["title", "description"] }],
      counted: [
        {
          table: "trace",
          tenant: "application_id",
          times: ["created_at", "timestamp"],
          groups: [],
          moves: "timestamp",
        },
        { table: "run", tenant: "application_id", times: ["created_at"], groups: ["type", "status"] },
        { table: "test", tenant: "application_id", times: ["created_at"], groups: ["run_type", "status"] },
      ],
      audited: [
        ...["annotation", "assignment", "contradiction", "experiment", "inference_step", "issue", "quickstart"].map(
          (table) => ({ table }),
        ),
        ...["human_annotation", "human_annotation_queue", "human_annotation_queue_item"].map((table) => ({ table })),
        { table: "experiment_variant", resource: "variant" },
        { table: "execution_setting", id: "application_id" },
        { table: "erasure" },
        { table: "ingest_setting", resource: "ingest-settings", id: "application_id" },
        // The audit log has only those updates of runs that change labels (name-runs.sql), and no ingested rows (traces, tests,
        // evaluations).
        { table: "run", events: ["INSERT", "DELETE"] },
      ],
      erasesCopies: true,
    }),
    ReadOnlyArchive1765200000000,
    CopyTraceUsage1765200100000,
    PublishResults1765300000000,
    RepairScores1765350000000,
    TestOutcomes1765400000000,
    CopyTokenKinds1765400110000,
    AddExactScores1765400200000,
    ReviewCriteria1765400310000,
    AddImports1765401000000,
    TraceDeletions1765401100000,
    PublishDefinitions1765600000000,
    SumRunTypes1765700000000,
    NameRuns1765800000000,
  ],
  replaced: { newest: "ReportEstimatedTokens1765090200000", dump: new URL("../baseline.txt", import.meta.url) },
};
