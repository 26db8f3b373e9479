// Schemas of models' answers. Providers take few keywords of JSON Schema: lengths and numbers of items are checked by us.

import { z } from "@ems/kit/config";
import type { AnswerSchema, Json } from "./judge.ts";

const textMax = 10_000;
const itemsMax = 500;

/** A text of an answer. */
export const text = () => z.string().refine((value) => value.length <= textMax);

/** A list of an answer. */
export const listOf = <T extends z.ZodType>(item: T) => z.array(item).refine((value) => value.length <= itemsMax);

/** The number of a block. */
export const numberOf = () => z.number().refine(Number.isSafeInteger);

/** 1 to 5, as an enumeration: not every provider takes bounds. */
export const grade = () => z.literal([1, 2, 3, 4, 5]);

export function answerSchema<T>(name: string, type: z.ZodType<T>): AnswerSchema<T> {
  // The parser knows that it is JSON; the library's type says less.
  const { $schema: _, ...json } = z.toJSONSchema(type) as { readonly [key: string]: Json };
  return { name, json, parse: (value) => type.safeParse(value).data };
}
