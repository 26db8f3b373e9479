// The baseline of the breaking-change check: the published schema of the last release. It changes with a release only, so that what
// users have generated stays compatible however often the schema changes in between.

/** The version of a new baseline; throws unless `version` is a release of the changelog that the baseline is not of yet. */
export function baselineVersion(changelog: string, version: string, baseline: string): string {
  const releases = Array.from(changelog.matchAll(/^## \[(\d+\.\d+\.\d+[^\]]*)\]/gm), ([, release]) => release);
  // Before the first release nobody has generated anything.
  if (releases.length === 0) return "Unreleased";
  if (!releases.includes(version)) {
    throw new Error(
      `The baseline changes with a release: CHANGELOG.md has no heading [${version}], the packages' version`,
    );
  }
  if (baseline === version) throw new Error(`The baseline is that of ${version}; it changes with the next release`);
  return version;
}
