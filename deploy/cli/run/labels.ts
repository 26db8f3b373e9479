// Labels of a run: given as options, or taken from the variables of CI systems.

import type { Cli } from "../cli.ts";

export interface LabelOptions {
  readonly name?: string;
  readonly version?: string;
  readonly commit?: string;
  readonly notes?: string;
}

/** Variables with the version: the tag or branch of GitHub, GitLab, Buildkite, CircleCI, Azure, Jenkins and others. */
const versionVariables = [
  ...["GITHUB_REF_NAME", "CI_COMMIT_REF_NAME", "BUILDKITE_TAG", "BUILDKITE_BRANCH", "CIRCLE_TAG", "CIRCLE_BRANCH"],
  ...["BITBUCKET_TAG", "BITBUCKET_BRANCH", "BUILD_SOURCEBRANCHNAME", "TRAVIS_TAG", "TRAVIS_BRANCH", "DRONE_TAG"],
  ...["DRONE_BRANCH", "TAG_NAME", "GIT_BRANCH"],
];
const commitVariables = [
  ...["GITHUB_SHA", "CI_COMMIT_SHA", "BUILDKITE_COMMIT", "CIRCLE_SHA1", "BITBUCKET_COMMIT", "BUILD_SOURCEVERSION"],
  ...["TRAVIS_COMMIT", "DRONE_COMMIT_SHA", "CODEBUILD_RESOLVED_SOURCE_VERSION", "GIT_COMMIT"],
];

const lengthMax = 255;

/** Returns the labels that are known. An empty option leaves out what CI variables say. */
export function runLabels({ env }: Pick<Cli, "env">, { name, version, commit, notes }: LabelOptions): LabelOptions {
  const labels = {
    name,
    version: version ?? findFirst(env, versionVariables),
    commit: commit ?? findFirst(env, commitVariables),
    notes,
  };
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== undefined && value !== ""));
}

function findFirst(env: Cli["env"], names: readonly string[]): string | undefined {
  return names
    .map((name) => env[name])
    .find((value) => value !== undefined && value !== "")
    ?.slice(0, lengthMax);
}

export const labelsHelp = `
The version defaults to the first of these variables that is set:
  ${wrapped(versionVariables)}
and the commit to the first of these:
  ${wrapped(commitVariables)}
An empty value, such as --version "", leaves it out.`;

function wrapped(names: readonly string[]): string {
  const rows = Array.from({ length: Math.ceil(names.length / 4) }, (_, row) => names.slice(4 * row, 4 * row + 4));
  return rows.map((row) => row.join(" ")).join("\n  ");
}
