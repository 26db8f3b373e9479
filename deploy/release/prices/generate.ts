// Converts the prices of `@pydantic/genai-prices` to the form of `@ems/prices`, and records costs that the package
// itself computes, for the test of that form.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PriceList } from "@ems/prices";
import {
  type ConditionalPrice,
  calcPrice,
  findProvider,
  type MatchLogic,
  type ModelInfo,
  type ModelPrice,
  type Provider,
} from "@pydantic/genai-prices";

export const packageName = "@pydantic/genai-prices";

/** Makers of models, then hosts with prices of their own. */
const makers = ["anthropic", "openai", "google", "x-ai", "deepseek", "mistral", "cohere", "perplexity"];
const smaller = ["moonshotai", "minimax", "voyageai", "zhipuai"];
const hosts = ["aws", "azure", "groq"];
/** Providers whose names must all be priced as the package prices them. */
const recorded = makers.slice(0, 6);

/** Returns the list of prices, as of the day on which the package was read. */
export async function generatePrices(readAt: string): Promise<PriceList> {
  const { version } = await readManifest();
  const providers = [...makers, ...smaller, ...hosts].map(getProvider);
  return { source: { package: packageName, version, readAt }, providers: providers.map(toProvider) };
}

async function readManifest(): Promise<{ version: string }> {
  const file = join(import.meta.dirname, "../node_modules", packageName, "package.json");
  return JSON.parse(await readFile(file, "utf8"));
}

function getProvider(id: string): Provider {
  const provider = findProvider({ providerId: id });
  if (provider?.id !== id) throw new Error(`${packageName} has no provider ${id}`);
  return provider;
}

type ListedProvider = PriceList["providers"][number];
type ListedPrice = ListedProvider["prices"][number]["prices"][number];

/** Names of models that a host makes itself. */
const hostModels: Readonly<Record<string, MatchLogic>> = {
  aws: { or: [{ contains: "amazon." }, { starts_with: "nova-" }, { starts_with: "titan-" }] },
};

function toProvider({
  id,
  provider_match,
  model_match = hostModels[id],
  fallback_model_providers = [],
  models,
}: Provider) {
  return {
    id,
    ...(provider_match !== undefined && { match: provider_match }),
    // The makers of models are known by the models' names.
    ...(model_match !== undefined && { models: model_match }),
    isHost: hosts.includes(id),
    others: fallback_model_providers,
    prices: models.map((model) => ({ id: model.id, match: withVersions(model), prices: listPrices(model) })),
  } satisfies ListedProvider;
}

/** Versions that an entry means although a name is not cut inside a version number. */
const versions: Readonly<Record<string, readonly string[]>> = { "claude-2": ["claude-2.0", "claude-2.1"] };

function withVersions({ id, match }: ModelInfo): MatchLogic {
  const more = versions[id]?.map((name) => ({ equals: name })) ?? [];
  return more.length === 0 ? match : { or: [match, ...more] };
}

function listPrices({ prices }: ModelInfo): ListedPrice[] {
  return Array.isArray(prices) ? prices.map(toDated) : [toPrice(prices)];
}

function toDated({ constraint, prices }: ConditionalPrice): ListedPrice {
  const price = toPrice(prices);
  if (constraint === undefined) return price;
  if (constraint.type === "start_date") return { from: constraint.start_date, ...price };
  return { hours: [utcTime(constraint.start_time), utcTime(constraint.end_time)], ...price };
}

/** Converts a time with an offset, such as 16:30:00Z, to a time of day in UTC. */
function utcTime(time: string): string {
  return new Date(`2026-01-01T${time}`).toISOString().slice("2026-01-01T".length, "2026-01-01T00:00:00".length);
}

const keys = [
  ["input", "input_mtok"],
  ["output", "output_mtok"],
  ["cachedInput", "cache_read_mtok"],
  ["cacheWrite", "cache_write_mtok"],
  ["reasoning", "output_reasoning_mtok"],
] as const;

/** Other units, such as seconds of audio, are not part of the usage of a model call here. */
function toPrice(prices: ModelPrice): ListedPrice {
  const base: { [Name in (typeof keys)[number][0]]?: number } = {};
  const tiers = new Map<number, typeof base>();
  for (const [name, key] of keys) {
    const price = prices[key];
    if (price === undefined) continue;
    base[name] = typeof price === "number" ? price : price.base;
    if (typeof price === "number") continue;
    for (const { start, price: amount } of price.tiers) tiers.set(start, { ...tiers.get(start), [name]: amount });
  }
  const above = [...tiers].toSorted(([a], [b]) => a - b).map(([start, amounts]) => ({ above: start, ...amounts }));
  return { ...base, ...(above.length > 0 && { tiers: above }) };
}

/** Calls with which costs are recorded: plain, with a cache, in the highest tiers, with reasoning. */
const usages = [
  { input_tokens: 1_000, output_tokens: 100 },
  { input_tokens: 17_903, output_tokens: 100, cache_read_tokens: 12_817, cache_write_tokens: 1_000 },
  { input_tokens: 300_001, output_tokens: 70_003, cache_read_tokens: 70_000, cache_write_tokens: 101 },
  { input_tokens: 11, output_tokens: 1_234, output_reasoning_tokens: 1_000 },
];
/** Times before and after most changes of prices, in and out of the hours of night prices. */
const times = ["2025-02-01T12:00:00Z", "2025-09-10T20:00:00Z", "2026-11-02T02:00:00Z"];

/** Costs of one name: a list of costs per usage, for each time. */
export interface RecordedCosts {
  readonly provider: string;
  readonly name: string;
  readonly costs: (number | null)[][];
}

export interface Recording {
  readonly usages: Readonly<Record<string, number>>[];
  readonly times: string[];
  readonly names: RecordedCosts[];
}

/** Computes the package's own costs for each name that it has for the recorded providers. */
export function recordCosts(): Recording {
  const names = recorded.flatMap((provider) => {
    const all = getProvider(provider).models.flatMap(({ id, match }) => [id, ...namesIn(match)]);
    return [...new Set(all)].map((name) => ({
      provider,
      name,
      costs: times.map((time) => usages.map((usage) => cost(provider, name, usage, time))),
    }));
  });
  return { usages, times, names: names.filter(({ costs }) => costs.flat().some((each) => each !== null)) };
}

function cost(providerId: string, name: string, usage: Record<string, number>, time: string): number | null {
  const result = calcPrice(usage, name, { providerId, timestamp: new Date(time) });
  return result === null ? null : Number(result.total_price.toFixed(12));
}

function namesIn(match: MatchLogic): string[] {
  if ("or" in match) return match.or.flatMap(namesIn);
  if ("and" in match || "regex" in match) return [];
  return Object.values(match).map((name) => String(name).replace(/[-@:]$/, ""));
}
