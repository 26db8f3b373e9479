// Query parsing: strict, a malformed escape is an issue.

import type { Issue } from "@ems/kit/json/issue";

export interface Query {
  /** The values of each parameter, in order. Without a prototype, so that any name is safe. */
  readonly values: Record<string, string[]>;
  readonly issues: Issue[];
}

export function parseQuery(raw: string): Query {
  const values: Record<string, string[]> = Object.create(null);
  const issues: Issue[] = [];
  for (const pair of raw.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const rawName = equals < 0 ? pair : pair.slice(0, equals);
    const name = decoded(rawName);
    const value = equals < 0 ? "" : decoded(pair.slice(equals + 1));
    if (name === undefined || value === undefined) issues.push(malformed(name ?? rawName));
    else if (values[name] === undefined) values[name] = [value];
    else values[name].push(value);
  }
  return { values, issues };
}

function malformed(name: string): Issue {
  return { code: "invalid_string", message: "String must be percent-encoded UTF-8", path: [name] };
}

/** undefined for a broken escape, invalid UTF-8, and unescaped characters that must be escaped. */
function decoded(text: string): string | undefined {
  if (/[^!-~]/.test(text)) return undefined;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
