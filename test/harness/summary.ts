import type { Reporter, TestCase, TestModule } from "vitest/node";

const lengthMax = 1_000;

/**
 * Ends the run with one line for tools: `N passed, N failed`, and `N skipped` if there are any. Before it, a line
 * for each test that failed and each that passed only at a retry, with the reason below: .ci/run repeats them.
 */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { readonly message?: string }[]): void {
    for (const line of formatSummary(modules, errors)) console.log(line);
  }
}

type Errors = readonly { readonly message?: string }[] | undefined;

export function formatSummary(modules: readonly TestModule[], unhandled: Errors = []): string[] {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const inState = (state: string) => tests.filter((test) => test.result().state === state);
  const [passed, failed, skipped] = [inState("passed"), inState("failed"), inState("skipped")];
  const flaky = passed.filter((test) => test.diagnostic()?.flaky);
  // A file that could not run has no tests to count, but has failed.
  const broken = modules.filter((module) => module.errors().length > 0);
  const counts = [`${passed.length} passed`, `${failed.length + broken.length + unhandled.length} failed`];
  return [
    ...failed.flatMap((test) => lines(`failed: ${getName(test)}`, test.result().errors)),
    ...broken.flatMap((module) => lines(`failed: ${getFile(module)} (the file)`, module.errors())),
    ...unhandled.flatMap((error) => lines("failed: (outside of any test)", [error])),
    ...flaky.flatMap((test) => lines(`flaky: ${getName(test)}`, test.result().errors)),
    ...(flaky.length > 0 ? [`${flaky.length} flaky: passed only at another try`] : []),
    [...counts, ...(skipped.length > 0 ? [`${skipped.length} skipped`] : [])].join(", "),
  ];
}

const getFile = ({ project, relativeModuleId }: TestModule) => `${project.name} ${relativeModuleId}`;
const getName = (test: TestCase) => `${getFile(test.module)} ${test.fullName}`;

/** First line of the first error; of a failed property, the error that it threw, too. */
function lines(what: string, errors: Errors): string[] {
  const message = errors?.[0]?.message ?? "";
  const thrown = /^Got error: (?<text>.*?)(?=\n {4}at |\n\n|$(?![\s\S]))/ms.exec(message)?.groups?.text;
  const [first = ""] = message.split("\n");
  const reason = [first, ...(thrown?.split("\n") ?? [])].join(" ");
  return [what, ...(reason === "" ? [] : [`  because: ${reason.slice(0, lengthMax)}`])];
}
