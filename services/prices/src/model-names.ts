// Pure: matches the names of models. A name is never cut inside a version number: `claude-opus-4-7` is not
// `claude-opus-4`.

/** Condition on a name, in the form of the price list. Texts are compared without case; `regex` is case-sensitive. */
export type NameMatch =
  | { readonly equals: string }
  | { readonly starts_with: string }
  | { readonly ends_with: string }
  | { readonly contains: string }
  | { readonly regex: string }
  | { readonly or: readonly NameMatch[] }
  | { readonly and: readonly NameMatch[] };

/** Returns a test of names. */
export function nameTest(match: NameMatch): (name: string) => boolean {
  if ("or" in match) {
    const tests = match.or.map(nameTest);
    return (name) => tests.some((test) => test(name));
  }
  if ("and" in match) {
    const tests = match.and.map(nameTest);
    return (name) => tests.every((test) => test(name));
  }
  if ("regex" in match) {
    const pattern = new RegExp(match.regex);
    return (name) => pattern.test(name);
  }
  if ("equals" in match) {
    const text = match.equals.toLowerCase();
    return (name) => name.toLowerCase() === text;
  }
  if ("starts_with" in match) {
    const text = match.starts_with.toLowerCase();
    return (name) => name.toLowerCase().startsWith(text) && !cutsVersion(text, name.slice(text.length));
  }
  if ("ends_with" in match) {
    const text = match.ends_with.toLowerCase();
    return (name) => name.toLowerCase().endsWith(text);
  }
  const text = match.contains.toLowerCase();
  return (name) => {
    const lower = name.toLowerCase();
    for (let at = lower.indexOf(text); at !== -1; at = lower.indexOf(text, at + 1))
      if (!cutsVersion(text, lower.slice(at + text.length))) return true;
    return false;
  };
}

/** Returns true if the version number that ends `found` continues in `rest`. Dates are no part of a version number. */
function cutsVersion(found: string, rest: string): boolean {
  if (!/\d$/.test(found) || isDate(rest)) return false;
  return /^\d/.test(rest) || /^[-._p]\d{1,2}(?!\d)/.test(rest);
}

const day = String.raw`(?:20\d{6}|20\d\d-\d\d-\d\d)`;
const isDate = (rest: string) => new RegExp(`^[-@]?${day}(?!\\d)`).test(rest);

/** Suffixes of a model's snapshots: a day, `latest`, and Bedrock's revision. Each is tried, from the longest. */
const suffix = new RegExp(`(?:[-@:]${day}|[-@:]latest)?(?:-v\\d+:\\d+)?$`);

/** Lists the forms of a name, from the full one: without a snapshot's suffix, and in the spelling of its provider. */
export function nameForms(name: string): string[] {
  const full = name.trim();
  const last = full.slice(full.lastIndexOf("/") + 1);
  const bare = last.replace(
    /^(?:(?:us|eu|apac|ap|jp|au|ca|global|us-gov)\.)?(?:amazon|anthropic|cohere|deepseek|mistral|openai|xai)\./i,
    "",
  );
  const spelled = [full, last, bare].flatMap((form) => [
    form,
    withHyphens(form),
    form.replace(/^gpt-35-/i, "gpt-3.5-"),
  ]);
  const bareNames = spelled.map((form) => form.replace(suffix, ""));
  // Some providers list a model only by the name of its newest snapshot.
  const newest = bareNames.map((form) => `${form}-latest`);
  return [...new Set([...spelled, ...bareNames, ...newest])].filter((form) => form !== "" && form !== "-latest");
}

/** Writes days with hyphens, as some providers do: `-20250807` becomes `-2025-08-07`. */
function withHyphens(name: string): string {
  return name.replace(/-(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|$)/g, "-$1-$2-$3");
}

/** Returns true if `name` is a dated version of `model`, or starts with it if that ends with `*`. Both in lower case. */
export function isNamed(name: string, model: string): boolean {
  if (model.endsWith("*")) return name.startsWith(model.slice(0, -1));
  return nameForms(name).includes(model);
}
