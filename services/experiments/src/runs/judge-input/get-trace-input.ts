import type { JsonValue } from "@bufbuild/protobuf";
import type { Stores } from "@ems/archive";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../../deps.ts";
import { readJudgeTexts } from "../../traces/judge-texts/index.ts";
import { missingTrace, traceIdOf } from "../../traces/traces/index.ts";
import { inputOf } from "./input-of.ts";

type Handler = Handlers<typeof ExecutionService>["getTraceInput"];

const promptText = `SELECT e.prompt FROM experiments.test e
  WHERE e.application_id = $1 AND e.id = $2 AND e.trace_id = $3`;

/** As `getJudgeInput`, of a trace as it is now. */
export function getTraceInput({ stores }: Pick<Deps, "stores">): Handler {
  return async ({ traceId }, call) => (await readTraceInput(stores, call, traceId)).input;
}

/** The trace with the id, of whichever kind, and what is read of it; the prompt that it answers says what was asked. */
export async function readTraceInput(stores: Stores, call: Call, named: string) {
  const trace = await readJudgeTexts(stores, call, { traceId: traceIdOf(named), needsQuestion: true });
  if (trace?.state !== "stored") throw missingTrace(call, trace);
  const prompt = trace.testId === null ? null : await readPrompt(stores, call, trace.testId, trace.id);
  return { trace, input: inputOf(prompt, trace) };
}

/** Of the test that the trace closed. */
async function readPrompt({ database }: Stores, call: Call, testId: string, traceId: string): Promise<JsonValue> {
  const values = [call.tenant.applicationId, testId, traceId];
  const [test] = await database.read<{ prompt: JsonValue }>(call, {
    name: "answered-prompt",
    text: promptText,
    values,
  });
  return test?.prompt ?? null;
}
