// Code shared by all judges that use a model.

import { aboutBlocks } from "./blocks.ts";
import { fitResults } from "./fit.ts";
import type { Json, Judgment } from "./judge.ts";

/** Builds the instructions of a judge: its own, and those common to all judges. */
export const instructions = (own: string) => `${own.trim()}

${aboutBlocks}

Answer with one JSON object of the given schema, and nothing else.`;

export const noModelConnection = (judgeVersion: string): Judgment => ({
  status: "FAILED",
  message: "no_model_connection: The application has no model connection",
  judgeVersion,
});

export const noOutput = (judgeVersion: string): Judgment => ({
  status: "FAILED",
  message: "no_output: The trace has no output",
  judgeVersion,
});

export function failed(judgeVersion: string, message: string): Judgment {
  return { status: "FAILED", message, judgeVersion };
}

export function skipped(judgeVersion: string, message: string): Judgment {
  return { status: "SKIPPED", message, judgeVersion };
}

interface Completed {
  readonly score: number;
  readonly passed: boolean;
  readonly results: { readonly [key: string]: Json };
  readonly details?: { readonly [key: string]: Json };
}

/** Completes a result; omits details without content. */
export function completed(judgeVersion: string, { score, passed, results, details = {} }: Completed): Judgment {
  const reported = Object.fromEntries(Object.entries(details).filter(([, value]) => !isEmpty(value)));
  const all = Object.keys(reported).length === 0 ? results : { ...results, details: reported };
  return { status: "COMPLETED", score, passed, results: fitResults(all), judgeVersion };
}

const isEmpty = (value: Json) => value === null || (Array.isArray(value) && value.length === 0);
