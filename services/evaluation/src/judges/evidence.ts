// Checks evidence: a quote is valid only if its source text contains it.

import { contains } from "@ems/assertions";
import { normalized } from "@ems/kit/normalize";

/** Creates a check for quotes from a text. Quotes may differ from it only in white space and Unicode composition. */
export function createQuoteCheck(text: string): (quote: string) => boolean {
  const source = comparable(text);
  return (quote) => {
    const expected = comparable(quote);
    return expected !== "" && contains(source, expected);
  };
}

const comparable = (text: string) => normalized(text).replace(/\s+/g, " ").trim();

/** Separates the items with valid quotes from the invalid quotes. */
export function standing<T extends { readonly quote: string }>(
  items: readonly T[],
  isQuote: (quote: string) => boolean,
): { standing: T[]; dropped: string[] } {
  return {
    standing: items.filter(({ quote }) => isQuote(quote)),
    dropped: items.filter(({ quote }) => !isQuote(quote)).map(({ quote }) => quote),
  };
}
