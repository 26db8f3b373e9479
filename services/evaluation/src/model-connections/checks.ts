// Pure: reports what works of a model connection, by the result of one judgment.

import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  ModelConnectionCheck,
  StructuredOutput,
  type TestModelConnectionResponseSchema,
} from "@ems/proto/evaluation/v1/model_connection_service";
import { faultCodes, type Judgment, type ModelAnswer, ModelFault, type ReportedUsage } from "../judges/index.ts";

/** A call of the judgment; without `structuredOutput`, its answer could not be used. */
export type Measured = Partial<Pick<ModelAnswer<unknown>, "model" | "structuredOutput">> & {
  readonly usage: ReportedUsage | undefined;
};

interface Tested {
  /** The judgment, or the fault that the connection caused. */
  readonly result: Judgment | ModelFault;
  readonly measured: readonly Measured[];
  readonly isPriced: boolean;
  /** The connection's model. */
  readonly model: string;
}

type Response = Omit<MessageInitShape<typeof TestModelConnectionResponseSchema>, "$typeName">;
type Problem = readonly [isProblem: boolean, check: ModelConnectionCheck, message: string];

export function reportChecks({ result, measured, isPriced, model }: Tested): Response & { readonly ok: boolean } {
  const fault = result instanceof ModelFault ? result : undefined;
  const judgement = result instanceof ModelFault ? undefined : result;
  const error = fault?.message ?? toReason(judgement);
  const reached = fault === undefined ? { reachable: true, authenticated: true, modelExists: true } : reachedBy(fault);
  const structuredOutput = judgement && toStructuredOutput(judgement, measured);
  const usage = measured.at(-1)?.usage;
  const usageReported =
    fault === undefined ? (usage?.inputTokens ?? 0) > 0 && (usage?.outputTokens ?? 0) > 0 : undefined;
  const reason = error ?? "";
  const problems: Problem[] = [
    [!reached.reachable, ModelConnectionCheck.REACHABLE, reason],
    [reached.authenticated === false, ModelConnectionCheck.AUTHENTICATED, reason],
    [reached.modelExists === false, ModelConnectionCheck.MODEL_EXISTS, reason],
    [structuredOutput === StructuredOutput.NOT_USABLE, ModelConnectionCheck.STRUCTURED_OUTPUT, reason],
    [structuredOutput === StructuredOutput.EMULATED, ModelConnectionCheck.STRUCTURED_OUTPUT, emulated],
    [usageReported === false, ModelConnectionCheck.USAGE_REPORTED, unreported],
    [!isPriced, ModelConnectionCheck.PRICE_KNOWN, unpriced],
  ];
  return {
    ok: judgement?.status === "COMPLETED",
    model: measured.findLast((each) => each.model !== undefined)?.model ?? model,
    ...(error !== undefined && { error }),
    ...reached,
    ...(structuredOutput !== undefined && { structuredOutput }),
    ...(usageReported !== undefined && { usageReported }),
    priceKnown: isPriced,
    problems: problems.flatMap(([isProblem, check, message]) => (isProblem ? [{ check, message }] : [])),
  };
}

const emulated =
  "The server does not enforce the schema of answers. The schema is in the instructions instead, so judgments of weak models may fail.";
const unreported = "The server does not report the tokens of a call. They are estimated from the texts.";
const unpriced =
  "No price is known for this model, so the cost of judgments is unknown, and a budget in money does not allow it. Set the connection's prices.";

/** Returns the reason of a judgment without a verdict, without its code. */
function toReason(judgement: Judgment | undefined): string | undefined {
  if (judgement === undefined || judgement.status === "COMPLETED") return undefined;
  return judgement.message?.replace(/^\w+: /, "");
}

/** Returns how far the request came. Checks behind the fault are unknown. */
function reachedBy({ kind, status, retry, isModelUnknown }: ModelFault) {
  const isKeyRejected = status === 401 || status === 403;
  const isWrongUrl = status === 404 && !isModelUnknown;
  const isWrongServer = kind === "not_completion" && retry === "never";
  const reachable = status !== undefined && !(status >= 300 && status < 400) && !isWrongUrl && !isWrongServer;
  // Servers check the key first. Only after an internal error of the server, it is unknown.
  const isKeyChecked = reachable && kind !== "unavailable";
  return {
    reachable,
    ...(isKeyChecked && { authenticated: !isKeyRejected }),
    ...(isModelUnknown && { modelExists: false }),
  };
}

const unusable: readonly string[] = [faultCodes.empty, faultCodes.not_json, faultCodes.schema];

function toStructuredOutput({ message = "" }: Judgment, measured: readonly Measured[]): StructuredOutput | undefined {
  const [code = ""] = message.split(":");
  if (unusable.includes(code)) return StructuredOutput.NOT_USABLE;
  const outputs = measured.map(({ structuredOutput }) => structuredOutput);
  if (outputs.every((output) => output === "honored")) return StructuredOutput.HONORED;
  // The answer was refused, filtered or cut before it could be read.
  return outputs.at(-1) === undefined ? undefined : StructuredOutput.EMULATED;
}
