/**
 * The JSON of an answer's body, if a trace can be made of it: an object with `output`. Anything else was an acceptance
 * without an answer.
 */
export function usableAnswer(body: Buffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    const answer: unknown = JSON.parse(text);
    return typeof answer === "object" && answer !== null && !Array.isArray(answer) && "output" in answer ? text : null;
  } catch {
    return null;
  }
}
