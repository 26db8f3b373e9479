import { count } from "../ui/format.ts";

interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

/** Formats numbers of tokens, with the parts that are not zero. */
export function tokensText({ input, output, cachedInput, cacheWrite, reasoning }: Tokens): string {
  const parts = [
    cachedInput > 0 && `${count(cachedInput)} cached`,
    cacheWrite > 0 && `${count(cacheWrite)} cache write`,
  ];
  const details = parts.filter((part) => part !== false).join(", ");
  const inputs = `${count(input)} in${details === "" ? "" : ` (${details})`}`;
  return `${inputs}, ${count(output)} out${reasoning > 0 ? ` (${count(reasoning)} reasoning)` : ""}`;
}
