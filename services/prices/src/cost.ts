// Pure: the cost of a call's tokens, exact in integers and rounded once.

import { type Amounts, amountNames, type DatedPrice } from "./price-table.ts";

export interface TokenUsage {
  /** All input tokens, including those that the provider read from its cache or wrote to it. */
  readonly promptTokens: number;
  /** All output tokens, including those of reasoning. */
  readonly completionTokens: number;
  readonly cachedTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  /** The part of `cacheWriteTokens` that the cache keeps for one hour. */
  readonly hourWriteTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

/** Decimal digits of an amount that count: prices are never stated with more. */
const digits = 12;
/** Dollars per million tokens with 12 digits are units of 10^-18 dollars per token. */
const unitDigits = digits + 6;
/** Costs are rounded to the decimal digits that a double of this size can hold. */
const costDigits = 12;

/** Returns the cost in US dollars. */
export function getCost(price: DatedPrice, usage: TokenUsage): number {
  const {
    input = 0,
    output = 0,
    cachedInput = input,
    cacheWrite = input,
    reasoning = output,
  } = amountsFor(price, usage);
  const { prompt, cached, written, hourly, completion, reasoned } = split(usage);
  const units =
    multiply(prompt, input) +
    multiply(cached, cachedInput) +
    multiply(written, cacheWrite) +
    multiply(hourly, input) * (price.cacheWrite === undefined ? 1n : hourFactor) +
    multiply(completion, output) +
    multiply(reasoned, reasoning);
  const step = 10n ** BigInt(unitDigits - costDigits);
  return Number(`${(units + step / 2n) / step}e-${costDigits}`);
}

/** Anthropic alone offers a cache of one hour. Writing to it costs twice the input, for all models. */
const hourFactor = 2n;

/** Returns the amounts of the highest tier that the call reaches; a tier replaces only the amounts that it names. */
function amountsFor({ tiers = [], ...base }: DatedPrice, { promptTokens }: TokenUsage): Amounts {
  const reached = tiers.filter(({ above }) => promptTokens > above).toSorted((a, b) => a.above - b.above);
  const amounts: { -readonly [Name in keyof Amounts]: Amounts[Name] } = { ...base };
  for (const tier of reached) for (const name of amountNames) if (tier[name] !== undefined) amounts[name] = tier[name];
  return amounts;
}

/** Splits the tokens into parts that do not overlap. */
function split(usage: TokenUsage) {
  const { promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  const { hourWriteTokens = 0 } = usage;
  const cached = Math.min(cachedTokens, promptTokens);
  const written = Math.min(cacheWriteTokens, promptTokens - cached);
  const hourly = Math.min(hourWriteTokens, written);
  const reasoned = Math.min(reasoningTokens, completionTokens);
  return {
    prompt: promptTokens - cached - written,
    cached,
    written: written - hourly,
    hourly,
    completion: completionTokens - reasoned,
    reasoned,
  };
}

/** Returns the cost of tokens in units. Most calls have tokens of two kinds only. */
function multiply(tokens: number, amount: number): bigint {
  return tokens === 0 ? 0n : BigInt(tokens) * toUnits(amount);
}

/** Converts an amount by its shortest decimal form, which is how it was written. */
function toUnits(amount: number): bigint {
  const [digitsText = "", exponent = "0"] = String(amount).split("e");
  const [whole = "", fraction = ""] = digitsText.split(".");
  const shift = digits + Number(exponent) - fraction.length;
  const value = BigInt(whole + fraction);
  return shift >= 0 ? value * 10n ** BigInt(shift) : value / 10n ** BigInt(-shift);
}

/** Returns the last of a model's prices that applies at the time of the call, else the first one. */
export function priceAt<P extends DatedPrice>(prices: readonly P[], at: Date): P | undefined {
  const iso = at.toISOString();
  const [day, time] = [iso.slice(0, "2026-01-01".length), iso.slice("2026-01-01T".length, -1)];
  return (
    prices.findLast(({ from, hours }) => (from === undefined || from <= day) && isWithin(time, hours)) ?? prices[0]
  );
}

function isWithin(time: string, hours: DatedPrice["hours"]): boolean {
  if (hours === undefined) return true;
  const [start, end] = hours;
  return start <= end ? time >= start && time < end : time >= start || time < end;
}
