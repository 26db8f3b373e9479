// Tokens that a call took: as far as the provider reported them, else estimated from the texts. Pure.

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
  /** Part of `usage` that the provider did not report. */
  readonly estimated: Usage;
}

type CallEnd = { readonly answer: ModelAnswer<unknown> } | { readonly error: unknown };

/** Providers that answer so have not made a completion. */
const errorStatusMin = 300;
const zero: Usage = { inputTokens: 0, outputTokens: 0 };

/** Returns what the call took; undefined if it was sent in full or in part and got no answer. */
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
  const isAnswered = state === "answered" || fault?.kind === "refused" || fault?.kind === "invalid";
  return isAnswered ? completed(request, answer?.usage ?? fault?.usage ?? {}, answer?.textBytes ?? 0) : undefined;
}

/** Counts of zero are unknown where there was text: no call takes nothing. */
function completed(request: ModelRequest<unknown>, reported: ReportedUsage, textBytes: number): CallTokens {
  const estimate = estimateTokens(request, textBytes);
  const inputTokens = reported.inputTokens || undefined;
  const outputTokens = textBytes > 0 ? reported.outputTokens || undefined : reported.outputTokens;
  return {
    usage: {
      inputTokens: inputTokens ?? estimate.inputTokens,
      outputTokens: outputTokens ?? estimate.outputTokens,
    },
    estimated: {
      inputTokens: inputTokens === undefined ? estimate.inputTokens : 0,
      outputTokens: outputTokens === undefined ? estimate.outputTokens : 0,
    },
  };
}
