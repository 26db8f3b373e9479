import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Test files of the gate's projects that take longest, so that no worker ends up alone with one. */
export const longest = [
  "test/client-reference/reference.test.ts",
  "test/grpc/equivalence/equivalence.test.ts",
  "test/console/pages.test.ts",
  "test/console/hostile-text.test.ts",
];

/** Vitest's own order is by project; the longest files precede it. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const getPlace = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => getPlace(a) - getPlace(b));
  }
}
