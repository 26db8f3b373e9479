import { expect, test } from "vitest";
import { getRolePrefix, withRolePrefix } from "./role-prefix.ts";

test.each([
  ["ems_owner", ""],
  ["staging_ems_owner", "staging_"],
  ["staging_ems_catalog_relay", "staging_"],
  ["team_2_ems_catalog", "team_2_"],
  ["postgres", ""],
])("a login as %s has the prefix %j", (role, prefix) => {
  expect(getRolePrefix(`postgres://${role}:secret@db/ems_owner`)).toBe(prefix);
});

test("all role names get the prefix, and nothing else does", () => {
  const text =
    "GRANT SELECT ON ems.a TO ems_catalog, ems_catalog_relay; SELECT 'ems_relay', \"ems-x\", current_setting('ems.org_id')";
  expect(withRolePrefix(text, "a_")).toBe(
    "GRANT SELECT ON ems.a TO a_ems_catalog, a_ems_catalog_relay; SELECT 'a_ems_relay', \"ems-x\", current_setting('ems.org_id')",
  );
  expect(withRolePrefix(withRolePrefix(text, "a_"), "a_")).toBe(withRolePrefix(text, "a_"));
  expect(withRolePrefix(text, "")).toBe(text);
});
