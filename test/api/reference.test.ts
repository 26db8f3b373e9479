import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, inject, test } from "vitest";

test("/openapi.json of the running product passes the linter", async () => {
  const response = await fetch(`${inject("product").baseUrl}/openapi.json`);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  const source = await response.text();
  expect(JSON.parse(source).openapi).toMatch(/^3\.1\./);
  // The companions have both /v0/traces/by-test/{id} and /v0/traces/{id}/steps; ids are not words.
  const config = await createConfig({ extends: ["recommended"], rules: { "no-ambiguous-paths": "off" } });
  const problems = await lintFromString({ source, config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`)).toEqual(
    [],
  );
});
