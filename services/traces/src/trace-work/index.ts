import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { type Mount, mount } from "@ems/kit/rpc/service";
import { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import { claimCompletedTraces, confirmCompletedTraces } from "../completion/index.ts";
import type { Deps } from "../deps.ts";
import { eraseTraces, listErasedSteps, listTracesToErase, prepareErasure } from "../erasure/index.ts";
import { storeAnswer } from "../ingest/index.ts";
import { getJudgeTexts } from "../judge-texts/index.ts";
import { nameTest, type StepMonths } from "../traces/index.ts";

/** Internal RPCs on traces, called by experiments. */
export const traceWork = (deps: Deps, relay: RelayDatabase, months: StepMonths): Mount =>
  mount(TraceWorkService, {
    claimCompletedTraces: claimCompletedTraces(relay, deps.database),
    confirmCompletedTraces: confirmCompletedTraces(relay),
    nameTest: nameTest(deps),
    storeAnswer: storeAnswer(deps, months),
    getJudgeTexts: getJudgeTexts(deps),
    prepareErasure: prepareErasure(deps),
    listTracesToErase: listTracesToErase(deps),
    listErasedSteps: listErasedSteps(deps),
    eraseTraces: eraseTraces(deps),
  });
