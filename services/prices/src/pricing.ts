import { prices as listPrices, type Price } from "./price-table.ts";

export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Prompt tokens that the provider had cached. */
  readonly cachedTokens?: number;
}

/** Returns US dollars; undefined for a model without a price. */
export type GetPrice = (modelId: string, usage: TokenUsage, at: Date) => number | undefined;

/** Creates a price look-up. An operator's prices replace all list prices of their models. */
export function pricing(own: readonly Price[] = []): GetPrice {
  const byModel = Map.groupBy(
    [...listPrices, ...own].toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    ({ model }) => model.toLowerCase(),
  );
  for (const [model, entries] of Map.groupBy(own, ({ model }) => model.toLowerCase())) {
    byModel.set(
      model,
      entries.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    );
  }
  // Longest names first: the longest matching name is the most specific.
  const names = [...byModel.keys()].toSorted((a, b) => b.length - a.length);
  const cache = new Map<string, readonly Price[] | undefined>();
  const findPrices = (modelId: string) => {
    if (modelId.length > modelIdLengthMax) return undefined;
    if (cache.has(modelId)) return cache.get(modelId);
    const forms = modelNames(modelId);
    const name = names.find((each) => forms.some((form) => fits(form, each)));
    const found = name === undefined ? undefined : byModel.get(name);
    // Callers choose the names, so the cache is bounded.
    if (cache.size >= cachedMax) cache.clear();
    cache.set(modelId, found);
    return found;
  };
  return (modelId, { promptTokens, completionTokens, cachedTokens = 0 }, at) => {
    const prices = findPrices(modelId);
    const day = at.toISOString().slice(0, "2026-01-01".length);
    const price = prices?.findLast(({ from }) => from <= day) ?? prices?.[0];
    if (price === undefined) return undefined;
    const cached = Math.min(cachedTokens, promptTokens);
    const { input, output, cachedInput = input } = price;
    // Rounded to the decimal digits that a double of this size can hold.
    const micros = (promptTokens - cached) * input + cached * cachedInput + completionTokens * output;
    return Number((micros / 1e6).toFixed(12));
  };
}

const cachedMax = 1_000;
/** Maximum length of a model id. Longer texts are not model names. */
const modelIdLengthMax = 500;

/**
 * Lists the forms of an id: in full, and without prefixes of routers and clouds such as `openai/`, `us.anthropic.` or
 * `models/`.
 */
function modelNames(modelId: string): string[] {
  const full = modelId.toLowerCase();
  const last = full.slice(full.lastIndexOf("/") + 1);
  const bare = last.replace(/^(?:(?:us|eu|apac|global)\.)?(?:amazon|anthropic|cohere|deepseek|mistral|openai)\./, "");
  // Alternative spellings: claude-3.5-sonnet, gpt-35-turbo.
  const respelt = bare.replace(/^(claude.*\d)\.(\d)/, "$1-$2").replace(/^gpt-35-/, "gpt-3.5-");
  return [...new Set([full, last, bare, respelt])];
}

/**
 * Version suffixes of a model's name: dates, numbers, `latest`, `preview`. Unambiguous, so that matching takes linear
 * time.
 */
const version = /^(?:[-@:](?:latest|preview|exp|v\d+|\d+-*))+$/;

function fits(modelId: string, name: string): boolean {
  if (name.endsWith("*")) return modelId.startsWith(name.slice(0, -1));
  return modelId === name || (modelId.startsWith(name) && version.test(modelId.slice(name.length)));
}
