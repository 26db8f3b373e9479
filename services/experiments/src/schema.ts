import { baseline, sqlFiles } from "@ems/kit/baseline";
import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import { outboxEntity } from "@ems/kit/events/outbox";
import { QueueEntity, QueueItemEntity } from "./annotation-queues/entity.ts";
import { AnnotationEntity } from "./annotations/entity.ts";
import { AssignmentEntity } from "./assignments/entity.ts";
import { JudgeCalibrationEntity } from "./calibration/entity.ts";
import { ContradictionEntity } from "./contradictions/entity.ts";
import { DocumentQuestionEntity, DocumentTestEntity } from "./document-tests/entity.ts";
import { ErasureEntity, ErasureTraceEntity, ErasureWorkEntity } from "./erasures/entity.ts";
import { EvaluationEntity } from "./evaluations/entity.ts";
import { ExecutionEntity } from "./execution/entity.ts";
import { ExperimentEntity } from "./experiments/entity.ts";
import { VariantEntity } from "./experiments/variant-entity.ts";
import { HumanAnnotationEntity } from "./human-annotations/entity.ts";
import { InferenceStepEntity } from "./inference-steps/entity.ts";
import { IngestSettingEntity } from "./ingest-settings/entity.ts";
import { IssueEntity } from "./issues/entity.ts";
import { ReadOnlyArchive1765200000000 } from "./migrations/read-only-archive.ts";
import { LogMessageEntity } from "./otlp/log-message.ts";
import { QuickstartEntity } from "./quickstarts/entity.ts";
import { RunEntity } from "./runs/entity.ts";
import { TaskSetDefinitionEntity, TaskSetTaskEntity } from "./task-sets/entity.ts";
import { TestEntity } from "./tests/entity.ts";
import { TraceEntity, TraceStepEntity } from "./traces/entity.ts";

/** Experiments' part of the database. */
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
    TraceEntity,
    TraceStepEntity,
    LogMessageEntity,
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
    IngestSettingEntity,
    outboxEntity("experiments"),
    idempotencyEntity("experiments"),
  ],
  migrations: [
    baseline({
      schema: "experiments",
      files: sqlFiles(import.meta.url, [
        "experiments/schema.sql",
        "task-sets/schema.sql",
        "inference-steps/schema.sql",
        "quickstarts/schema.sql",
        "assignments/schema.sql",
        "contradictions/schema.sql",
        "traces/schema.sql",
        "settling/schema.sql",
        "search/schema.sql",
        "otlp/schema.sql",
        "runs/schema.sql",
        "tests/schema.sql",
        "evaluations/schema.sql",
        "execution/schema.sql",
        "monitoring/schema.sql",
        "live-traffic/schema.sql",
        "annotations/schema.sql",
        "issues/schema.sql",
        "annotation-queues/schema.sql",
        "human-annotations/schema.sql",
        "calibration/schema.sql",
        "document-tests/schema.sql",
        "erasures/schema.sql",
        "ingest-settings/schema.sql",
        "rollups/schema.sql",
        "archive/schema.sql",
        "retention/schema.sql",
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
        // Results change a run all the time; what is ingested (traces, tests, evaluations) is not logged row by row at all.
        { table: "run", events: ["INSERT", "DELETE"] },
      ],
      erasesCopies: true,
    }),
    ReadOnlyArchive1765200000000,
  ],
  replaced: { newest: "ReportEstimatedTokens1765090200000", dump: new URL("../baseline.txt", import.meta.url) },
};
