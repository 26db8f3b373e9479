// The baseline of the breaking-change check: the published schema of the last release. It only changes with a release, so that
// generated code of users stays compatible, regardless of schema changes in between.

/** Returns the version of a new baseline. Throws unless `version` is a release in the changelog and newer than the baseline. */
export function baselineVersion(changelog: string, version: string, baseline: string): string {
  const releases = Array.from(changelog.matchAll(/^## \[(\d+\.\d+\.\d+[^\]]*)\]/gm), ([, release]) => release);
  // Before the first release, no generated code exists.
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
