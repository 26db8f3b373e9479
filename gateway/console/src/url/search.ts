// Parses state in the URL, such as `?status=ACTIVE&status=DRAFT&skip=25`, like the API. Ignores invalid values.

export type RawSearch = Readonly<Record<string, unknown>>;

/** Parses a query string. A parameter with one value becomes a text, with several values a list. */
export function parseSearch(query: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(query);
  const names = [...new Set(parameters.keys())];
  const read = (name: string): string | string[] => {
    const values = parameters.getAll(name).filter((value) => value !== "");
    return values.length === 1 ? (values[0] ?? "") : values;
  };
  return Object.fromEntries(names.map((name) => [name, read(name)] as const).filter(([, value]) => value.length > 0));
}

export function stringifySearch(search: RawSearch): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    for (const each of values)
      if (each !== undefined && each !== null && each !== "") parameters.append(name, String(each));
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

const textMax = 1_000;
const asList = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string" && each !== "");

export function text(value: unknown): string | undefined {
  const [first] = asList(typeof value === "number" || typeof value === "boolean" ? String(value) : value);
  return first?.slice(0, textMax);
}

export function oneOf<const Value extends string>(value: unknown, allowed: readonly Value[]): Value | undefined {
  return allowed.find((each) => each === value);
}

export function anyOf<const Value extends string>(value: unknown, allowed: readonly Value[]): Value[] | undefined {
  const values = asList(value);
  const found = allowed.filter((each) => values.includes(each));
  return found.length === 0 ? undefined : found;
}

const listMax = 100;

export function texts(value: unknown): string[] | undefined {
  const values = [...new Set(asList(value))].slice(0, listMax);
  return values.length === 0 ? undefined : values;
}

export function flag(value: unknown): boolean | undefined {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : undefined;
}

/** Parses a whole number from `min` to `max`. */
export function whole(value: unknown, min: number, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= min && number <= max
    ? number
    : undefined;
}

export function amount(value: unknown): number | undefined {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** Parses a calendar date such as `2026-11-23`. */
export function day(value: unknown): string | undefined {
  const found = text(value);
  return found !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(found) && !Number.isNaN(Date.parse(found))
    ? found
    : undefined;
}
