import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import baseline from "./baseline.json" with { type: "json" };
import { baselineVersion } from "./baseline.ts";

const unreleased = "# Changelog\n\n## [Unreleased]\n\n### Added\n";
const released = (...versions: string[]) =>
  `${unreleased}\n${versions.map((each) => `## [${each}] - 2026-12-01\n`).join("\n")}`;

test("before the first release, the baseline can be renewed at any time", () => {
  expect(baselineVersion(unreleased, "0.1.0", "Unreleased")).toBe("Unreleased");
});

test("a release renews the baseline only once", () => {
  expect(baselineVersion(released("0.1.0"), "0.1.0", "Unreleased")).toBe("0.1.0");
  expect(baselineVersion(released("0.2.0", "0.1.0"), "0.2.0", "0.1.0")).toBe("0.2.0");
  expect(() => baselineVersion(released("0.1.0"), "0.1.0", "0.1.0")).toThrow("changes with the next release");
});

test("a version without a heading in the changelog is rejected", () => {
  expect(() => baselineVersion(released("0.1.0"), "0.2.0", "0.1.0")).toThrow("add the heading [0.2.0]");
});

test("the baseline is the published schema of a release in the changelog", () => {
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(join(import.meta.dirname, "baseline.binpb")));
  const files = [...createFileRegistry(set).files].map(({ proto }) => proto.name);
  expect(files).toContain("ems/catalog/v1/topic_service.proto");
  expect(files.filter((name) => !/^(ems|google\/protobuf)\//.test(name))).toEqual([]);
  expect(readFileSync(join(import.meta.dirname, "../CHANGELOG.md"), "utf8")).toContain(`## [${baseline.version}]`);
});
