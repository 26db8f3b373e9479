/** The JSON of an answer's text, also when it stands in a fence of Markdown; undefined without any. */
export function jsonIn(text: string): unknown {
  const fenced = /^\s*```(?:json)?\s*\n(.*?)\n\s*```\s*$/is.exec(text)?.[1];
  try {
    return JSON.parse(fenced ?? text);
  } catch {
    return undefined;
  }
}
