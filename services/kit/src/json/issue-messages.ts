// Messages of issues: those of zod 3, which clients may match on.

export const required = "Required";
export const float = "Expected integer, received float";
export const nul = "String must not contain a NUL character";
export const illFormed = "String must be well-formed Unicode";
export const invalidDatetime = "Invalid datetime";
export const invalidBase64 = "Invalid base64";

export const jsonDepthMax = 32;
export const tooDeep = `JSON is nested deeper than ${jsonDepthMax} levels`;
/** Maximum names of an object. */
export const jsonNamesMax = 10_000;
export const tooWide = `An object of JSON has more than ${jsonNamesMax} names`;

/** Maximum characters of a name or value that is returned to the client. */
export const echoMax = 100;

/** Truncates a name or value from a client, for use in a message. */
export function echoed(text: string): string {
  return truncateText(text, echoMax);
}

/** Truncates a text to at most `max` characters. */
export function truncateText(text: string, max: number): string {
  // Do not end with half a surrogate pair.
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Formats "Expected string, received number". */
export function expected(what: string, value: unknown): string {
  return `Expected ${what}, received ${getTypeName(value)}`;
}

/** Formats the message for a time that is not in milliseconds. */
export function wrongUnit(value: string, unit: string): string {
  return `Expected milliseconds since 1970, or ISO 8601: ${echoed(value)} looks like ${unit}`;
}

export function unrecognizedKey(key: string): string {
  return `Unrecognized key(s) in object: '${echoed(key)}'`;
}

/** Formats "'DRAFT' | 'ACTIVE'". */
export function alternatives(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(" | ");
}

export function onlyOneAllowed(names: readonly string[]): string {
  return `Only one of ${quoted(names)} can be given`;
}

export function exactlyOneRequired(names: readonly string[]): string {
  return `Exactly one of ${quoted(names)} must be given`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(", ");
}

/** Formats the message for a value that is not in the enum; it omits `received` if unknown. */
export function invalidEnumValue(names: readonly string[], received?: string): string {
  return `Invalid enum value. Expected ${alternatives(names)}${received === undefined ? "" : `, received '${echoed(received)}'`}`;
}

export type Measured = "String" | "Array" | "Object" | "Bytes";
const units = { String: "character(s)", Array: "element(s)", Object: "key(s)", Bytes: "byte(s)" };

/** Formats "String must contain at least 1 character(s)". */
export function size(
  what: Measured,
  how: "at least" | "at most" | "exactly",
  count: number | bigint,
  unit = units[what],
) {
  return `${what} must contain ${how} ${count} ${unit}`;
}

/** Formats "Number must be greater than or equal to 0". */
export function numberAtLeast(value: number | bigint, inclusive = true): string {
  return `Number must be greater than ${inclusive ? "or equal to " : ""}${value}`;
}

/** Formats "Number must be less than or equal to 100". */
export function numberAtMost(value: number | bigint, inclusive = true): string {
  return `Number must be less than ${inclusive ? "or equal to " : ""}${value}`;
}

/** Returns the name of a JSON type, or zod's name of a number that JSON cannot represent. */
function getTypeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value !== "number" || Number.isFinite(value)) return typeof value;
  return Number.isNaN(value) ? "nan" : "infinity";
}
