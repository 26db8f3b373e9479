import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import {
  binaryOutbox,
  countRows,
  createArchive,
  createAudit,
  createIdempotency,
  createOutbox,
  createRetention,
  createSearch,
  eraseCopies,
  indexOutbox,
  keepEtags,
  ownRelay,
} from "@ems/kit/db/shared-migrations";
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
import { CreateExperiments1763725000000 } from "./migrations/1763725000000-create-experiments.ts";
import { CreateTraces1763726000000 } from "./migrations/1763726000000-create-traces.ts";
import { CreateResults1763741000000 } from "./migrations/1763741000000-create-results.ts";
import { LockTraces1763742000000 } from "./migrations/1763742000000-lock-traces.ts";
import { CreateAnnotationsIssues1763772000000 } from "./migrations/1763772000000-create-annotations-issues.ts";
import { PartitionTraces1763773000000 } from "./migrations/1763773000000-partition-traces.ts";
import { RollUpOlderTasks1763804200000, RollUpTasks1763804100000 } from "./migrations/1763804100000-roll-up-tasks.ts";
import { CompleteResults1763806303000 } from "./migrations/1763806303000-complete-results.ts";
import { TraceDigits1763806304000 } from "./migrations/1763806304000-trace-digits.ts";
import { SearchTraces1763806400000 } from "./migrations/1763806400000-search-traces.ts";
import { FilterTraces1763806500000 } from "./migrations/1763806500000-filter-traces.ts";
import { CreateLogMessages1763806600000 } from "./migrations/1763806600000-create-log-messages.ts";
import { ExecuteTests1763830000000 } from "./migrations/1763830000000-execute-tests.ts";
import { SettleTraces1763831000000 } from "./migrations/1763831000000-settle-traces.ts";
import { ExecutionSettings1763831100000 } from "./migrations/1763831100000-execution-settings.ts";
import { IndexSettlingTraces1763841000000 } from "./migrations/1763841000000-index-settling-traces.ts";
import { CreateVariants1764000110000 } from "./migrations/1764000110000-create-variants.ts";
import { QueuePrompts1764000120000 } from "./migrations/1764000120000-queue-prompts.ts";
import { CreateHumanAnnotations1764000200000 } from "./migrations/1764000200000-create-human-annotations.ts";
import { ReportHumanAnnotations1764000210000 } from "./migrations/1764000210000-report-human-annotations.ts";
import { CompleteIssues1764000320000 } from "./migrations/1764000320000-complete-issues.ts";
import { KeepTaskSets1765000110000 } from "./migrations/1765000110000-keep-task-sets.ts";
import { CreateDocumentTests1765000200000 } from "./migrations/1765000200000-create-document-tests.ts";
import { KeepCalibrations1765000300000 } from "./migrations/1765000300000-keep-calibrations.ts";
import { FindEndUsers1765010100000 } from "./migrations/1765010100000-find-end-users.ts";
import { ChangeQueues1765010200000 } from "./migrations/1765010200000-change-queues.ts";
import { ReportCalibrations1765010210000 } from "./migrations/1765010210000-report-calibrations.ts";
import { CreateErasures1765010300000 } from "./migrations/1765010300000-create-erasures.ts";
import { DefaultLastOccurrence1765020300000 } from "./migrations/1765020300000-default-last-occurrence.ts";
import { RetainResults1765030000000 } from "./migrations/1765030000000-retain-results.ts";
import { RedactAtIngest1765040000000 } from "./migrations/1765040000000-redact-at-ingest.ts";
import { NameAuthors1765050000000 } from "./migrations/1765050000000-name-authors.ts";
import { ReportArchive1765060100000 } from "./migrations/1765060100000-report-archive.ts";
import { WatchArchive1765060200000 } from "./migrations/1765060200000-watch-archive.ts";
import { RememberDroppedTraces1765070000000 } from "./migrations/1765070000000-remember-dropped-traces.ts";
import { FindDuplicateSpans1765080000000 } from "./migrations/1765080000000-find-duplicate-spans.ts";
import { ReportUncertainCost1765080200000 } from "./migrations/1765080200000-report-uncertain-cost.ts";
import { CountReplacedCharacters1765090100000 } from "./migrations/1765090100000-count-replaced-characters.ts";
import { ReportEstimatedTokens1765090200000 } from "./migrations/1765090200000-report-estimated-tokens.ts";
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
    createOutbox("experiments"),
    CreateExperiments1763725000000,
    CreateTraces1763726000000,
    createIdempotency("experiments"),
    indexOutbox("experiments"),
    CreateResults1763741000000,
    LockTraces1763742000000,
    ownRelay("experiments"),
    ...createSearch([
      {
        schema: "experiments",
        table: "experiment",
        tenant: "application_id",
        idType: "uuid",
        columns: ["title", "description"],
      },
    ]),
    ...countRows([
      {
        schema: "experiments",
        table: "trace",
        tenant: "application_id",
        times: ["created_at", "timestamp"],
        groups: [],
      },
      {
        schema: "experiments",
        table: "run",
        tenant: "application_id",
        times: ["created_at"],
        groups: ["type", "status"],
      },
      {
        schema: "experiments",
        table: "test",
        tenant: "application_id",
        times: ["created_at"],
        groups: ["run_type", "status"],
      },
    ]),
    CreateAnnotationsIssues1763772000000,
    PartitionTraces1763773000000,
    CompleteResults1763806303000,
    TraceDigits1763806304000,
    SearchTraces1763806400000,
    FilterTraces1763806500000,
    RollUpTasks1763804100000,
    RollUpOlderTasks1763804200000,
    CreateLogMessages1763806600000,
    binaryOutbox("experiments"),
    ExecuteTests1763830000000,
    SettleTraces1763831000000,
    ExecutionSettings1763831100000,
    IndexSettlingTraces1763841000000,
    CreateVariants1764000110000,
    QueuePrompts1764000120000,
    CreateHumanAnnotations1764000200000,
    ReportHumanAnnotations1764000210000,
    CompleteIssues1764000320000,
    KeepTaskSets1765000110000,
    CreateDocumentTests1765000200000,
    KeepCalibrations1765000300000,
    createAudit("experiments", [
      ...["annotation", "assignment", "contradiction", "experiment", "inference_step", "issue", "quickstart"].map(
        (table) => ({ table }),
      ),
      ...["human_annotation", "human_annotation_queue", "human_annotation_queue_item"].map((table) => ({ table })),
      { table: "experiment_variant", resource: "variant" },
      { table: "execution_setting", id: "application_id" },
      // Results change a run all the time; what is ingested (traces, tests, evaluations) is not logged row by row at all.
      { table: "run", events: ["INSERT", "DELETE"] },
    ]),
    FindEndUsers1765010100000,
    ChangeQueues1765010200000,
    ReportCalibrations1765010210000,
    eraseCopies("experiments"),
    CreateErasures1765010300000,
    DefaultLastOccurrence1765020300000,
    createRetention("experiments"),
    RetainResults1765030000000,
    RedactAtIngest1765040000000,
    NameAuthors1765050000000,
    createArchive("experiments", ["results", "traces"]),
    ReportArchive1765060100000,
    WatchArchive1765060200000,
    RememberDroppedTraces1765070000000,
    FindDuplicateSpans1765080000000,
    ReportUncertainCost1765080200000,
    CountReplacedCharacters1765090100000,
    ReportEstimatedTokens1765090200000,
    keepEtags("experiments"),
  ],
};
