import { testDatabase } from "@ems/test-support";
import { expect, inject, test } from "vitest";
import { assertServerSupported, postgresMajorMin, versionProblem } from "./server-version.ts";

test("servers that are too old are refused with the required version", () => {
  const refused = (version: string) => `version ${version}: upgrade it to PostgreSQL ${postgresMajorMin} or later`;
  for (const version of ["9.6.24", "15.18", "15.18 (Debian 15.18-0+deb12u1)", `${postgresMajorMin - 1}beta1`])
    expect(versionProblem(version)).toContain(refused(version));
  for (const version of ["16.0", "16beta1", "17.10", "18.4", "19devel", "100.1"])
    expect(versionProblem(version)).toBeUndefined();
});

test("the tests' own server is supported", async () => {
  const server = await testDatabase(inject("postgres"));
  await expect(assertServerSupported(server.superuserUrl)).resolves.toBeUndefined();
  await server.drop();
});
