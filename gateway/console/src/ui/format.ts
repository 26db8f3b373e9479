// Formats numbers and times. A missing value is a dash.

import { dateFormat } from "./locale.ts";

export const missing = "–";

const counts = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

type Maybe<Value> = Value | null | undefined;

export const count = (value: Maybe<number>) => (value == null ? missing : counts.format(value));

/** Formats 12,300 as `12.3K`. */
export const shortCount = (value: Maybe<number>) => (value == null ? missing : compact.format(value));

/** Formats a rate from 0 to 1 in percent, without trailing zeros. */
export function percent(rate: Maybe<number>, digits = 1): string {
  return rate == null ? missing : `${trimmed(100 * rate, digits)} %`;
}

/** Formats a difference of rates in percentage points, with sign. */
export function points(difference: number): string {
  const size = Math.round(Math.abs(100 * difference));
  return size === 0 ? "0" : `${difference < 0 ? "−" : "+"}${size}`;
}

/** Formats a score with two decimals, so that columns align. */
export const score = (value: Maybe<number>) => (value == null ? missing : value.toFixed(2));

const trimmed = (value: number, digits: number) => String(Number(value.toFixed(digits)));

/** Formats milliseconds in a suitable unit. */
export function duration(ms: Maybe<number>): string {
  if (ms == null) return missing;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return both(Math.floor(seconds / 60), "min", seconds % 60, "s");
  return both(Math.floor(seconds / 3_600), "h", Math.floor((seconds % 3_600) / 60), "min");
}

const both = (more: number, unit: string, less: number, smaller: string) =>
  less === 0 ? `${more} ${unit}` : `${more} ${unit} ${less} ${smaller}`;

/** Formats US dollars; small amounts keep two significant digits. */
export function dollars(value: Maybe<number>): string {
  if (value == null) return missing;
  if (value === 0) return "$0";
  if (Math.abs(value) >= 0.1)
    return `$${value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  return `$${Number(value.toPrecision(2)).toLocaleString("en", { maximumFractionDigits: 8 })}`;
}

const units = ["B", "KiB", "MiB", "GiB", "TiB"];

/** Formats a size with a suitable unit and three significant digits. */
export function bytes(size: Maybe<number>): string {
  if (size == null) return missing;
  const power = Math.min(units.length - 1, size < 1 ? 0 : Math.floor(Math.log2(size) / 10));
  return `${Number((size / 1024 ** power).toPrecision(power === 0 ? 4 : 3))} ${units[power]}`;
}

const abbreviations = /\b(llm|ok|api|kb)\b/g;

/** Formats `IN_PROGRESS` as `In progress`. */
export function words(name: Maybe<string>): string {
  if (name == null || name === "") return missing;
  const text = name
    .replaceAll(/[_-]/g, " ")
    .toLowerCase()
    .replaceAll(abbreviations, (word) => word.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Formats `1 task`, `2 tasks`. */
export const plural = (number: number, noun: string) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

const dateTime = dateFormat({ dateStyle: "medium", timeStyle: "short" });
const dateOnly = dateFormat({ dateStyle: "medium" });

export const localTime = (iso: string) => dateTime.format(new Date(iso));
export const localDate = (iso: string) => dateOnly.format(new Date(iso));
/** Formats a range such as `Oct 30 – Nov 28, 2026`. */
export const localRange = (from: string, to: string) => dateOnly.formatRange(new Date(from), new Date(to));
export const utcTime = (iso: string) =>
  `${new Date(iso)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "")} UTC`;
