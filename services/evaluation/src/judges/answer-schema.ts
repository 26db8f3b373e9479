// Schemas of models' answers. Providers accept few keywords of JSON Schema, so lengths and numbers of items are
// checked here.

import { z } from "@ems/kit/config";
import type { AnswerSchema, Json } from "./judge.ts";

const textMax = 10_000;
const itemsMax = 500;

/** A text of an answer. */
export const text = () => z.string().refine((value) => value.length <= textMax);

/** A list of an answer. */
export const boundedList = <T extends z.ZodType>(item: T) => z.array(item).refine((value) => value.length <= itemsMax);

/** The number of a block. */
export const blockNumber = () => z.number().refine(Number.isSafeInteger);

/** A grade from 1 to 5, as an enumeration, because not every provider accepts bounds. */
export const grade = () => z.literal([1, 2, 3, 4, 5]);

export function answerSchema<T>(name: string, type: z.ZodType<T>): AnswerSchema<T> {
  // The result is JSON, although the library's type is wider.
  const { $schema: _, ...json } = z.toJSONSchema(type) as { readonly [key: string]: Json };
  return { name, json, parse: (value) => type.safeParse(value).data };
}
