import { evaluationResultsBytesMax } from "@ems/proto/limits";
import type { Json } from "./judge.ts";

type Results = { readonly [key: string]: Json };

/** Makes results fit in the limit: truncates long texts and lists, and sets `details.resultsCut`. */
export function fitResults(results: Results, bytesMax = evaluationResultsBytesMax): Results {
  if (getSize(results) <= bytesMax) return results;
  const details = typeof results.details === "object" && !Array.isArray(results.details) ? results.details : {};
  for (let textMax = 4_096, itemsMax = 512; ; textMax /= 2, itemsMax /= 2) {
    const { details: _, ...rest } = results;
    const smaller = cutJson({ ...rest, details: { ...details, resultsCut: true } }, textMax, itemsMax) as Results;
    if (getSize(smaller) <= bytesMax || textMax <= 1) return smaller;
  }
}

const getSize = (json: Json) => Buffer.byteLength(JSON.stringify(json));

function cutJson(json: Json, textMax: number, itemsMax: number): Json {
  if (typeof json === "string") return json.length <= textMax ? json : `${json.slice(0, textMax).toWellFormed()}…`;
  if (isList(json)) return json.slice(0, itemsMax).map((item) => cutJson(item, textMax, itemsMax));
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, cutJson(value, textMax, itemsMax)]));
}

const isList = (json: Json): json is readonly Json[] => Array.isArray(json);
