import { expect, test } from "vitest";
import { needsSecret, toDraft, toRequest } from "./export-draft.ts";
import type { ExportSettings } from "./export-requests.ts";

const stored: ExportSettings = {
  createdAt: "2026-11-01T00:00:00.000Z",
  modifiedAt: "2026-11-01T00:00:00.000Z",
  endpoint: "https://storage.example.com",
  region: "eu-central-1",
  bucket: "results",
  prefix: "ems/prod",
  pathStyle: false,
  accessKeyId: "AKIA",
  datasets: ["TESTS"],
  format: "JSONL_GZIP",
  interval: "DAILY",
  enabled: false,
  exports: [],
};

test("stored settings are sent back unchanged, without a secret", () => {
  const { endpoint, region, bucket, prefix, pathStyle, accessKeyId, datasets, interval, enabled } = stored;
  const sent = { endpoint, region, bucket, prefix, pathStyle, accessKeyId, datasets, interval, enabled };
  expect(toRequest(toDraft(stored))).toEqual(sent);
});

test("empty fields are omitted, and slashes around the prefix are removed", () => {
  const draft = { ...toDraft(null), endpoint: " https://s3.example.com ", bucket: "b", accessKeyId: "k" };
  expect(toRequest({ ...draft, region: "", prefix: "/a/b/", secretAccessKey: "s", tests: false })).toEqual({
    endpoint: "https://s3.example.com",
    bucket: "b",
    accessKeyId: "k",
    prefix: "a/b",
    secretAccessKey: "s",
    pathStyle: true,
    interval: "HOURLY",
    enabled: true,
    datasets: ["TRACES"],
  });
});

test("a secret is needed for new settings, and for another endpoint or key id", () => {
  const draft = toDraft(stored);
  expect(needsSecret(draft, null)).toBe(true);
  expect(needsSecret(draft, stored)).toBe(false);
  expect(needsSecret({ ...draft, bucket: "other", endpoint: `${stored.endpoint}/` }, stored)).toBe(false);
  expect(needsSecret({ ...draft, endpoint: "https://other.example.com" }, stored)).toBe(true);
  expect(needsSecret({ ...draft, accessKeyId: "other" }, stored)).toBe(true);
});
