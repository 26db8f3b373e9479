import type { JsonValue } from "@bufbuild/protobuf";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../../deps.ts";
import { buildInput, isStored, missingTexts } from "./build-input.ts";

type Handler = Handlers<typeof ExecutionService>["getTraceInput"];

const promptText = `SELECT e.prompt FROM experiments.test e
  WHERE e.application_id = $1 AND e.id = $2 AND e.trace_id = $3`;

/** Like `getJudgeInput`, for a trace with all current steps; the question is the prompt of the test that it closed. */
export function getTraceInput(deps: Pick<Deps, "database" | "traceWork">): Handler {
  return async ({ traceId }, call) => {
    const texts = await deps.traceWork.getJudgeTexts({ traceId, needsQuestion: true }, forward(call));
    if (!isStored(texts)) throw missingTexts(call, texts);
    const prompt = texts.testId === undefined ? null : await readPrompt(deps, call, texts.testId, texts.traceId);
    return buildInput(prompt, texts);
  };
}

/** Reads the prompt of the test that the trace closed. */
async function readPrompt(
  { database }: Pick<Deps, "database">,
  call: Call,
  testId: string,
  traceId: string,
): Promise<JsonValue> {
  const values = [call.tenant.applicationId, testId, traceId];
  const statement = { name: "answered-prompt", text: promptText, values };
  const [test] = await database.read<{ prompt: JsonValue }>(call, statement);
  return test?.prompt ?? null;
}
