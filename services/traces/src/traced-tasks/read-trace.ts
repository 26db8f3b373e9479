import type { JsonValue } from "@bufbuild/protobuf";
import { inArchive, type Stores } from "@ems/archive";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import { toQuestion, toTraceId } from "@ems/traces-client";
import type { Deps } from "../deps.ts";
import { type JudgedTrace, readJudgeTexts } from "../judge-texts/index.ts";

const promptText = `SELECT e.prompt FROM traces.test_v1 e
  WHERE e.application_id = $1 AND e.id = $2 AND e.trace_id = $3`;

/**
 * Reads a trace as a judge sees it, by its current or earlier id. The question is the prompt that the trace answers.
 */
export async function readTrace(
  { stores, arrivalRules }: Pick<Deps, "stores" | "arrivalRules">,
  call: Call,
  id: string,
): Promise<JudgedTrace> {
  const trace = await readJudgeTexts({ stores, arrivalRules }, call, { traceId: toTraceId(id), needsQuestion: true });
  if (trace === undefined) throw notFound("Trace");
  if (trace.state === "archived") throw inArchive(call, "The trace", trace.createdAt);
  const prompt = trace.testId === null ? null : await readPrompt(stores, call, trace.testId, trace.id);
  return prompt === null ? trace : { ...trace, question: toQuestion(prompt) };
}

/** Reads the prompt of the test that was closed by the trace. */
async function readPrompt({ database }: Stores, call: Call, testId: string, traceId: string): Promise<JsonValue> {
  const values = [call.tenant.applicationId, testId, traceId];
  const statement = { name: "answered-prompt", text: promptText, values };
  const [test] = await database.read<{ prompt: JsonValue }>(call, statement);
  return test?.prompt ?? null;
}
