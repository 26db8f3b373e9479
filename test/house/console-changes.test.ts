// Each PUT and PATCH of the console states the version that it changes: only api/conditional.ts sends such requests.

import { expect, test } from "vitest";
import { product, read } from "./sources.ts";

const console = product.filter((file) => /^gateway\/console\/src\/.*\.tsx?$/.test(file));
const uses = (pattern: RegExp) => console.filter((file) => pattern.test(read(file))).map(getName);

/** Changes of many resources at once, or of a single flag, which overwrite nothing else. */
const unconditional = [
  `patch("/v0/issues")`,
  `patch("/v0/topics")`,
  `put("/v0/quickstarts/{id}/assignments/bulk")`,
  `put("/v0/quickstarts/{id}/contradictions/{contradictionId}")`,
];

test("only named changes are sent without a version", () => {
  const texts = console.filter((file) => getName(file) !== "api/request.ts").map(read);
  const wrapped = texts
    .flatMap((text) => [...text.matchAll(/\bunconditional\(\s*(put|patch)\(\s*("[^"]+")/g)])
    .map(([, method, path]) => `${method}(${path})`);
  expect(wrapped.sort()).toEqual(unconditional);
  // Every call of `unconditional` is in the list above: none gets a request that was built elsewhere.
  expect(texts.flatMap((text) => [...text.matchAll(/\bunconditional\(/g)])).toHaveLength(unconditional.length);
  expect(uses(/\bisConditional\b/)).toEqual(["api/request.ts"]);
});

test("requests of the API leave the console by one door, and changes by one hook", () => {
  expect(uses(/\bfetch\(/)).toEqual(["api/send.ts", "session/session.ts"]);
  expect(uses(/\bXMLHttpRequest\b|\bsendBeacon\b/)).toEqual([]);
  expect(uses(/import \{[^}]*\breplace\b[^}]*\} from "\S+\/send\.ts"/)).toEqual(["api/conditional.ts"]);
  expect(uses(/import \{[^}]*\buseConditionalChange\b[^}]*\}/)).toEqual(["edits/use-edit.ts"]);
});

test("no request is cast past the types that refuse an unconditional change", () => {
  expect(uses(/\bas (unknown as )?(ApiRequest|ConditionalRequest)\b/)).toEqual([]);
});

function getName(file: string): string {
  return file.replace("gateway/console/src/", "");
}
