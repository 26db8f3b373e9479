import { expect, test } from "vitest";
import { poolerFinding } from "./pooler.ts";

test("PgBouncer versions that crash on cancellations are failures; versions that rarely crash are warnings", () => {
  const status = (version: string) => poolerFinding(`PgBouncer ${version}`).status;
  for (const version of ["1.12.0", "1.18.0", "1.19.1", "1.20.1"])
    expect(`${version} ${status(version)}`).toBe(`${version} failure`);
  for (const version of ["1.21.0", "1.24.1"]) expect(`${version} ${status(version)}`).toBe(`${version} warning`);
  for (const version of ["1.25.0", "1.26.0", "2.0.0"]) expect(`${version} ${status(version)}`).toBe(`${version} ok`);
  expect(poolerFinding("").status).toBe("warning");
});
