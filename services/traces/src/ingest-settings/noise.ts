// Pure: an application's rules for spans that are noise.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { FieldViolation } from "@ems/kit/errors";
import { definedFields } from "@ems/kit/patch";
import type { NoiseRule } from "@ems/proto/experiments/v1/ingest_settings_service";

/** A stored rule; all of its conditions must hold. */
export interface StoredNoiseRule {
  readonly name?: string;
  readonly attribute?: string;
  readonly value?: string;
  readonly service?: string;
  readonly keep: boolean;
}

/** Facts of a span that rules can match. */
export interface NoiseFacts {
  readonly name: string;
  readonly attributes: JsonObject;
  readonly resource: JsonObject;
}

export type NoiseDecision = "keep" | "drop" | undefined;
export type DecideNoise = (span: NoiseFacts) => NoiseDecision;

/** Longer texts are compared by their first characters. */
const textMax = 1_000;

/** Returns the decision of the first rule that matches a span; undefined if none does. */
export function noiseDecider(rules: readonly StoredNoiseRule[]): DecideNoise {
  const matchers = rules.map(toMatcher);
  return (span) => {
    const index = matchers.findIndex((matches) => matches(span));
    if (index < 0) return undefined;
    return rules[index]?.keep === true ? "keep" : "drop";
  };
}

function toMatcher({ name, attribute, value, service }: StoredNoiseRule): (span: NoiseFacts) => boolean {
  const [matchesName, matchesValue, matchesService] = [name, value, service].map(toPattern);
  return ({ name, attributes, resource }) =>
    matchesName?.(name) !== false &&
    (attribute === undefined || matchesAttribute(attributes[attribute] ?? resource[attribute], matchesValue)) &&
    matchesService?.(resource["service.name"]) !== false;
}

type Matches = (value: JsonValue | undefined) => boolean;

function matchesAttribute(found: JsonValue | undefined, matches: Matches | undefined): boolean {
  return found !== undefined && matches?.(found) !== false;
}

/** Returns a test for a pattern, in which `*` matches any characters. */
function toPattern(pattern: string | undefined): Matches | undefined {
  if (pattern === undefined) return undefined;
  const parts = pattern.split("*");
  return (value) => {
    if (value === undefined) return false;
    return matchesParts(typeof value === "string" ? value : JSON.stringify(value), parts);
  };
}

/** Looks for the parts one after the other, so that the time does not depend on the number of wildcards. */
function matchesParts(whole: string, parts: readonly string[]): boolean {
  const text = whole.slice(0, textMax);
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return whole === first;
  if (!text.startsWith(first) || !whole.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= whole.length - last.length;
}

export function storedNoise(rules: readonly NoiseRule[]): StoredNoiseRule[] {
  return rules.map(({ name, attribute, value, service, keep }) => ({
    ...definedFields({ name, attribute, value, service }),
    keep,
  }));
}

export function findNoiseFaults(rules: readonly StoredNoiseRule[]): FieldViolation[] {
  return rules.flatMap(({ name, attribute, value, service }, index) => {
    if (value !== undefined && attribute === undefined)
      return { path: ["noise", index, "value"], message: "Requires attribute" };
    const isEmpty = name === undefined && attribute === undefined && service === undefined;
    return isEmpty ? { path: ["noise", index], message: "At least one of name, attribute and service" } : [];
  });
}
