import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import { outboxEntity } from "@ems/kit/events/outbox";
import { AssignmentEntity } from "./assignments/entity.ts";
import { ContradictionEntity } from "./contradictions/entity.ts";
import { EvaluationEntity } from "./evaluations/entity.ts";
import { ExperimentEntity } from "./experiments/entity.ts";
import { InferenceStepEntity } from "./inference-steps/entity.ts";
import { CreateOutbox1763720000000 } from "./migrations/1763720000000-create-outbox.ts";
import { CreateExperiments1763725000000 } from "./migrations/1763725000000-create-experiments.ts";
import { CreateTraces1763726000000 } from "./migrations/1763726000000-create-traces.ts";
import { CreateIdempotency1763727000000 } from "./migrations/1763727000000-create-idempotency.ts";
import { IndexOutbox1763731000000 } from "./migrations/1763731000000-index-outbox.ts";
import { CreateResults1763741000000 } from "./migrations/1763741000000-create-results.ts";
import { LockTraces1763742000000 } from "./migrations/1763742000000-lock-traces.ts";
import { OwnRelay1763750000000 } from "./migrations/1763750000000-own-relay.ts";
import { CreateSearch1763760000000 } from "./migrations/1763760000000-create-search.ts";
import { FillSearch1763760100000 } from "./migrations/1763760100000-fill-search.ts";
import { QuickstartEntity } from "./quickstarts/entity.ts";
import { RunEntity } from "./runs/entity.ts";
import { TestEntity } from "./tests/entity.ts";
import { TraceEntity, TraceStepEntity } from "./traces/entity.ts";

/** Experiments' part of the database. */
export const experimentsSchema: Schema = {
  name: "experiments",
  entities: [
    ExperimentEntity,
    InferenceStepEntity,
    QuickstartEntity,
    AssignmentEntity,
    ContradictionEntity,
    TraceEntity,
    TraceStepEntity,
    RunEntity,
    TestEntity,
    EvaluationEntity,
    outboxEntity("experiments"),
    idempotencyEntity("experiments"),
  ],
  migrations: [
    CreateOutbox1763720000000,
    CreateExperiments1763725000000,
    CreateTraces1763726000000,
    CreateIdempotency1763727000000,
    IndexOutbox1763731000000,
    CreateResults1763741000000,
    LockTraces1763742000000,
    OwnRelay1763750000000,
    CreateSearch1763760000000,
    FillSearch1763760100000,
  ],
};
