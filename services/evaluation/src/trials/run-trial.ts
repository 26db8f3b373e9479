// Runs one trial: it is like a job, but the caller waits for it.

import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { concurrencyLimited, failure } from "@ems/kit/errors";
import { type Call, forward, remainingMs } from "@ems/kit/rpc/call";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import type { DefinitionTrialSchema, TryDefinitionRequest } from "@ems/proto/evaluation/v1/definition_trial_service";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { GetJudgeInputResponseSchema, JudgedEvaluationSchema } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../deps.ts";
import { type Connection, type MeterDeps, MeteredModel, Waiting } from "../jobs/index.ts";
import { type Judgment, judge, judgeInput, ModelFault } from "../judges/index.ts";
import { requireConnection } from "../model-connections/index.ts";

type TrialDeps = Pick<Deps, "database" | "connections" | "plans" | "execution" | "random" | "clock"> & {
  readonly meter: MeterDeps;
};
type Trial = MessageInitShape<typeof DefinitionTrialSchema>;

/** Part of the caller's deadline, at most half, that is reserved for charging the calls and for the answer. */
const answerMs = 3_000;

export async function runTrial(deps: TrialDeps, request: TryDefinitionRequest, call: Call): Promise<Trial> {
  const { type, expected } = request;
  // Sequential, so that a request with two errors always gets the same one.
  const { definition } = await deps.plans.getDraftJudgeDefinition(toDraft(request), forward(call));
  const read = await readInput(deps, request, call);
  const { setting, connection } = await readMeans(deps, type, call);
  const input = judgeInput(
    create(GetJudgeInputResponseSchema, read),
    create(JudgedEvaluationSchema, {
      ...(definition && { definition: { ...definition, name: "Trial" } }),
      ...(expected && { expected }),
    }),
    setting?.votes ?? 1,
  );
  if (input === undefined) throw failure("INTERNAL", "Catalog returned no definition");
  const model = connection && new MeteredModel(deps.meter, call.tenant, connection, setting);
  const timeout = AbortSignal.timeout(judgingMs(remainingMs(call)));
  const signal = AbortSignal.any([call.signal, timeout]);
  const judgement = await judge(input, { model, random: deps.random, signal }).catch((error: unknown) => {
    if (error instanceof Waiting) throw toRefusal(error, connection, deps.clock.now());
    if (timeout.aborted) return failed("timeout: The model did not answer in time");
    if (error instanceof ModelFault) return failed(error.failure);
    throw error;
  });
  return { ...toTrial(judgement), ...toSpend(connection, model) };
}

const judgingMs = (leftMs: number) => Math.max(1, Math.ceil(leftMs / 2), leftMs - answerMs);

const toDraft = ({ type, globalConfig, styleGuideId, expected }: TryDefinitionRequest) => ({
  type,
  ...(globalConfig !== undefined && { globalConfig }),
  ...(styleGuideId !== undefined && { styleGuideId }),
  ...(expected !== undefined && { expected }),
});

/** Returns the input in the request, or reads it from the trace. */
async function readInput({ execution }: TrialDeps, request: TryDefinitionRequest, call: Call) {
  const { traceId, question = "", answer, context } = request;
  if (traceId === undefined)
    return { question, ...(answer !== undefined && { output: answer }), context, hasRetriever: context.length > 0 };
  const { $typeName: _, $unknown: __, ...read } = await execution.getTraceInput({ traceId }, forward(call));
  return read;
}

async function readMeans(deps: TrialDeps, type: EvalDefinitionType, call: Call) {
  if (type === EvalDefinitionType.OUTPUT_MATCH) return { setting: null, connection: undefined };
  return requireConnection(deps, call);
}

/** Builds the error that explains what the caller must do before the next attempt. */
function toRefusal({ waitingFor, until, reason }: Waiting, connection: Connection | undefined, now: Date): Error {
  if (waitingFor === "budget") {
    const when = until.toISOString();
    return failure(
      "RESOURCE_LIMIT_REACHED",
      `A budget is spent until ${when}: change it with PUT /v0/evaluation-settings, or try again later`,
    );
  }
  if (waitingFor === "model_connection") {
    const why = reason ?? "its calls keep failing";
    return failure(
      "STATE_CONFLICT",
      `The model connection is paused: ${why}. POST /v0/model-connections/${connection?.id}/test ends the pause when it works`,
    );
  }
  const waitMs = Math.max(1_000, until.getTime() - now.getTime());
  return concurrencyLimited("The limits of the model connection leave no room now: try again later", waitMs);
}

const failed = (message: string): Omit<Judgment, "judgeVersion"> => ({ status: "FAILED", message });

function toTrial(judgement: Omit<Judgment, "judgeVersion"> & { readonly judgeVersion?: string }): Trial {
  const { status, message, results, ...rest } = judgement;
  return {
    ...rest,
    status: EvaluationStatus[status],
    ...(message !== undefined && { message: message.slice(0, messageLengthMax) }),
    // Safe cast: Json allows the same values as JSON.
    ...(results !== undefined && { results: results as JsonObject }),
  };
}

const messageLengthMax = 10_000;

function toSpend(connection: Connection | undefined, model: MeteredModel | undefined): Trial {
  if (connection === undefined || model === undefined || model.calls === 0) return {};
  const { inputTokens, outputTokens, estimatedTokens = 0, costMicro, uncertainCostMicro, durationMs } = model.consumed;
  return {
    modelConnectionId: connection.id,
    model: connection.model,
    inputTokens: BigInt(inputTokens),
    outputTokens: BigInt(outputTokens),
    estimatedTokens: BigInt(estimatedTokens),
    ...(connection.cost !== undefined && {
      costMicro: BigInt(Math.round(costMicro)),
      uncertainCostMicro: BigInt(Math.round(uncertainCostMicro ?? 0)),
    }),
    durationMs: Math.min(durationMs, 2 ** 31 - 1),
  };
}
