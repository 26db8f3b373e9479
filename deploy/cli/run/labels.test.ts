import { expect, test } from "vitest";
import { runLabels } from "./labels.ts";

test.each([
  [{}, {}, {}],
  [{ GITHUB_SHA: "1f", GITHUB_REF_NAME: "main" }, {}, { commit: "1f", version: "main" }],
  [{ CI_COMMIT_SHA: "2f", CI_COMMIT_REF_NAME: "v2" }, {}, { commit: "2f", version: "v2" }],
  [{ BUILDKITE_COMMIT: "3f", BUILDKITE_TAG: "", BUILDKITE_BRANCH: "b" }, {}, { commit: "3f", version: "b" }],
  [{ CIRCLE_SHA1: "4f" }, { version: "4.0", name: "Nightly" }, { commit: "4f", version: "4.0", name: "Nightly" }],
  [
    { GITHUB_SHA: "1f", GITHUB_REF_NAME: "main" },
    { version: "", commit: "5f", notes: "n" },
    { commit: "5f", notes: "n" },
  ],
  [{ GIT_BRANCH: "x".repeat(300) }, {}, { version: "x".repeat(255) }],
])("in an environment of %j, the options %j label a run with %j", (env, options, labels) => {
  expect(runLabels({ env }, options)).toEqual(labels);
});
