// Baseline of the breaking-change check: the published schema of the last release. It changes only with a release, so
// that users' generated code stays compatible, regardless of schema changes between releases.

/** Returns the version of a new baseline. Throws if `version` is not in the changelog or already is the baseline. */
export function baselineVersion(changelog: string, version: string, baseline: string): string {
  const releases = Array.from(changelog.matchAll(/^## \[(\d+\.\d+\.\d+[^\]]*)\]/gm), ([, release]) => release);
  // Before the first release, users have no generated code, so the baseline may change.
  if (releases.length === 0) return "Unreleased";
  if (!releases.includes(version)) {
    throw new Error(
      `The baseline only changes with a release: add the heading [${version}], the packages' version, to CHANGELOG.md`,
    );
  }
  if (baseline === version)
    throw new Error(`The baseline is already that of ${version}: it changes with the next release`);
  return version;
}
