// Reads the texts that an application's paths find in a trace.

import type { Stores } from "@ems/archive";
import type { Call } from "@ems/kit/rpc/call";
import { truncateMiddle } from "@ems/traces-client";
import { readStoredValues, type SearchedTrace, type TracePaths } from "../trace-paths/index.ts";
import { pathTexts } from "./path-texts.ts";
import { contextLengthMax, resultsMax } from "./statements.ts";

export interface OwnTexts {
  readonly question?: string;
  readonly answer?: string;
  readonly context?: { readonly context: readonly string[]; readonly hasRetriever: true };
}

const textsMax = { question: 1, answer: 1, context: resultsMax };
const fields = ["question", "answer", "context"] as const;

/** Reads the texts of a trace by paths; those that a path does not find are absent. */
export async function readOwnTexts(
  { database }: Pick<Stores, "database">,
  call: Call,
  trace: SearchedTrace,
  paths: TracePaths,
): Promise<OwnTexts> {
  const found = await readStoredValues(database, call, trace, paths, fields);
  const texts = new Map(
    [...found].map(([field, values]) => [field, pathTexts(field, values, textsMax[field]).map(({ text }) => text)]),
  );
  const [question, answer, context = []] = [texts.get("question")?.[0], texts.get("answer")?.[0], texts.get("context")];
  return {
    ...(question !== undefined && { question }),
    ...(answer !== undefined && { answer }),
    ...(context.length > 0 && { context: { context: shared(context), hasRetriever: true } }),
  };
}

/** Gives each text the same share of the maximum length. */
function shared(texts: readonly string[]): string[] {
  const share = Math.floor(contextLengthMax / texts.length);
  return texts.map((text) => truncateMiddle(text, share));
}
