// Outcomes of jobs, stored as JSON until experiments acknowledges them.

import type { JsonObject } from "@bufbuild/protobuf";
import type { DocumentFinding, Judgment, Usage } from "../judges/index.ts";

/** Usage of all calls of a job. */
export interface Consumed extends Usage {
  /** The part of the tokens that is estimated from texts. Missing in rows of earlier versions. */
  readonly estimatedTokens?: number;
  /** Cost of the tokens, in millionths of a US dollar. */
  readonly costMicro: number;
  /** Additional maximum cost of calls that were sent and got no answer. Missing in rows of earlier versions. */
  readonly uncertainCostMicro?: number;
  readonly durationMs: number;
}

export const nothing: Consumed = {
  inputTokens: 0,
  outputTokens: 0,
  estimatedTokens: 0,
  costMicro: 0,
  uncertainCostMicro: 0,
  durationMs: 0,
};

export function addConsumed(a: Consumed, b: Consumed): Consumed {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    estimatedTokens: (a.estimatedTokens ?? 0) + (b.estimatedTokens ?? 0),
    costMicro: a.costMicro + b.costMicro,
    uncertainCostMicro: (a.uncertainCostMicro ?? 0) + (b.uncertainCostMicro ?? 0),
    durationMs: a.durationMs + b.durationMs,
  };
}

/** Usage of the calls of all attempts of a job, and the model that judged. */
export interface Facts extends Partial<Consumed> {
  readonly definitionVersion?: number | undefined;
  readonly modelConnectionId?: string | undefined;
  readonly model?: string | undefined;
  readonly attempts?: number | undefined;
}

/** Outcome of an evaluation, a prompt or a question. */
export type Outcome =
  | ({ readonly kind: "judgement" } & Omit<Judgment, "judgeVersion"> & {
        readonly judgeVersion?: string | undefined;
      } & Facts)
  | { readonly kind: "prompt"; readonly prompt: string | JsonObject }
  | { readonly kind: "finding"; readonly finding: DocumentFinding }
  | { readonly kind: "failure"; readonly reason: string };
