import type { Mutation } from "./mutation.ts";
import type { Outcome } from "./session.ts";

export interface Result {
  readonly mutation: Mutation;
  readonly tests: readonly string[];
  readonly outcome: Outcome;
}

/** Minimum share of generated mutations that tests must kill. */
const killedMin = 0.8;

/** Prints the result of one mutation. */
export function print({ mutation, tests, outcome }: Result): void {
  const { file, label, reason } = mutation;
  if (outcome !== "passed") {
    console.log(`${outcome === "failed" ? "killed" : "killed (timed out)"}: ${file}: ${label}`);
    return;
  }
  console.log(`SURVIVED: ${file}: ${label}`);
  console.log(
    `  ${reason === undefined ? `no reason; tests: ${tests.join(", ") || "none"}` : `may survive: ${reason}`}`,
  );
}

/** Prints the summary; returns the exit code. */
export function summarize(results: readonly Result[]): number {
  const isListed = ({ mutation }: Result) => mutation.tests !== undefined;
  const survived = results.filter(({ outcome }) => outcome === "passed");
  const unexplained = survived.filter(({ mutation }) => mutation.reason === undefined);
  const outdated = results.filter(({ outcome, mutation }) => outcome !== "passed" && mutation.reason !== undefined);
  const share = (subset: readonly Result[]) => {
    const killed = subset.filter(({ outcome }) => outcome !== "passed").length;
    return { killed, all: subset.length, isEnough: subset.length === 0 || killed / subset.length >= killedMin };
  };
  const [listed, generated] = [share(results.filter(isListed)), share(results.filter((each) => !isListed(each)))];
  for (const { mutation } of unexplained) console.log(`unexplained: ${mutation.file}: ${mutation.label}`);
  for (const { mutation } of outdated) console.log(`killed, so remove its reason: ${mutation.file}: ${mutation.label}`);
  console.log(
    `Listed: ${listed.killed} of ${listed.all} killed. Generated: ${generated.killed} of ${generated.all} killed.`,
  );
  console.log(`Survivors: ${survived.length}, of which ${unexplained.length} have no reason.`);
  const isGood = unexplained.length === 0 && outdated.length === 0 && generated.isEnough;
  return isGood ? 0 : 1;
}
