// Pure: counts the tokens of a call, as the provider reported them or else estimated from the texts.

import {
  type ModelAnswer,
  ModelFault,
  type ModelRequest,
  type ReportedUsage,
  type Transmission,
  type Usage,
} from "../judges/index.ts";
import { estimateTokens } from "../model/index.ts";

/** Tokens of a call. */
export interface CallTokens {
  readonly usage: Usage;
  /** The part of `usage` that the provider did not report. */
  readonly estimated: Usage;
}

type CallEnd = { readonly answer: ModelAnswer<unknown> } | { readonly error: unknown };

/** Lowest status whose response contains no completion. */
const errorStatusMin = 300;
const zero: Usage = { inputTokens: 0, outputTokens: 0 };

/** Returns the usage of a call; undefined if at least part of it was sent and no answer arrived. */
export function countTokens(
  request: ModelRequest<unknown>,
  end: CallEnd,
  transmission: Transmission,
): CallTokens | undefined {
  const { state, answer } = transmission;
  if ("answer" in end) {
    const textBytes = answer?.textBytes ?? Buffer.byteLength(JSON.stringify(end.answer.object));
    return completed(request, end.answer.usage, textBytes);
  }
  const fault = end.error instanceof ModelFault ? end.error : undefined;
  if (state === "unsent" || (fault?.status ?? 0) >= errorStatusMin) return { usage: zero, estimated: zero };
  const isAnswered = state === "answered" || fault?.isOfAnswer === true || fault?.kind === "not_completion";
  return isAnswered ? completed(request, answer?.usage ?? fault?.usage ?? {}, answer?.textBytes ?? 0) : undefined;
}

/** Replaces missing counts by estimates. A zero despite text is a missing count, because every call uses tokens. */
function completed(request: ModelRequest<unknown>, reported: ReportedUsage, textBytes: number): CallTokens {
  const estimate = estimateTokens(request, textBytes);
  const inputTokens = reported.inputTokens || undefined;
  const outputTokens = textBytes > 0 ? reported.outputTokens || undefined : reported.outputTokens;
  return {
    usage: {
      ...(inputTokens !== undefined && {
        cachedInputTokens: reported.cachedInputTokens,
        cacheWriteTokens: reported.cacheWriteTokens,
      }),
      inputTokens: inputTokens ?? estimate.inputTokens,
      outputTokens: outputTokens ?? estimate.outputTokens,
    },
    estimated: {
      inputTokens: inputTokens === undefined ? estimate.inputTokens : 0,
      outputTokens: outputTokens === undefined ? estimate.outputTokens : 0,
    },
  };
}
