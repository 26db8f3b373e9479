// JSON with numbers that a double cannot hold, such as ids above 2^53: they keep their digits in pages and
// requests. Browsers without source access for JSON.parse (before 2025) display the nearest doubles.

interface SourceAccess {
  rawJSON?(digits: string): unknown;
}

/** A number with all its digits. Not the browser's own object: caches would copy that as a plain one. */
class ExactNumber {
  readonly #digits: string;

  constructor(digits: string) {
    this.#digits = digits;
  }

  /** Called by JSON.stringify. */
  toJSON(): unknown {
    return (JSON as SourceAccess).rawJSON?.(this.#digits);
  }
}

/** Parses JSON; throws a SyntaxError for any other text. */
export function parseJson(text: string): unknown {
  const isPossible = /\d[\d.]{15}/.test(text) && (JSON as SourceAccess).rawJSON !== undefined;
  return isPossible ? JSON.parse(text, exactNumber) : JSON.parse(text);
}

function exactNumber(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined || source.length < 16) return value;
  // Digits that differ only in zeros at the end are of the same number.
  const isSame = /[eE]/.test(source) || trimmed(source) === trimmed(String(value));
  return isSame ? value : new ExactNumber(source);
}

function trimmed(digits: string): string {
  return digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
}
