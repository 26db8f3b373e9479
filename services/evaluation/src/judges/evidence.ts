// Evidence: a quote stands only when the text that it is taken from has it.

import { normalized } from "@ems/kit/normalize";
import { contains } from "./text-search/contains.ts";

/** Tells quotes of a text from others. White space and Unicode composition may differ; nothing else may. */
export function quotesOf(text: string): (quote: string) => boolean {
  const source = comparable(text);
  return (quote) => {
    const expected = comparable(quote);
    return expected !== "" && contains(source, expected);
  };
}

const comparable = (text: string) => normalized(text).replace(/\s+/g, " ").trim();

/** Items whose quote stands, and the quotes that do not. */
export function standing<T extends { readonly quote: string }>(
  items: readonly T[],
  isQuote: (quote: string) => boolean,
): { standing: T[]; dropped: string[] } {
  return {
    standing: items.filter(({ quote }) => isQuote(quote)),
    dropped: items.filter(({ quote }) => !isQuote(quote)).map(({ quote }) => quote),
  };
}
