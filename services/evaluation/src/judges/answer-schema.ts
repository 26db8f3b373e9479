// Schemas of models' answers. Providers accept few keywords of JSON Schema, so lengths of texts and lists are checked
// here.

import { z } from "@ems/kit/config";
import type { AnswerSchema, Json } from "./judge.ts";

const textMax = 10_000;
const itemsMax = 500;

/** Text in an answer, of limited length. */
export const text = () => z.string().refine((value) => value.length <= textMax);

/** List in an answer, of limited length. */
export const boundedList = <T extends z.ZodType>(item: T) => z.array(item).refine((value) => value.length <= itemsMax);

/** Number of a block in the request. */
export const blockNumber = () => z.number().refine(Number.isSafeInteger);

/** Grade from 1 to 5. An enumeration, because some providers do not accept bounds. */
export const grade = () => z.literal([1, 2, 3, 4, 5]);

export function answerSchema<T>(name: string, type: z.ZodType<T>): AnswerSchema<T> {
  // Safe cast: the result is JSON, although the library's type is wider.
  const { $schema: _, ...json } = z.toJSONSchema(type) as { readonly [key: string]: Json };
  return { name, json, parse: (value) => type.safeParse(value).data };
}
