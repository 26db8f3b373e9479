import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { MemberRole } from "@ems/proto/identity/v1/member_service";
import type { Membership } from "@ems/proto/identity/v1/sign_in_service";
import { testCall } from "@ems/test-support";
import { expect, test } from "vitest";
import { identityHarness } from "../../test/harness.ts";

const { signIns, invitations, members, tenant, addTenant, database, clock } = await identityHarness();
const anonymous = { timeoutMs: 5_000 };
const issuer = "https://sso.example.com";
const { OWNER, EDITOR, VIEWER } = MemberRole;

type Tenant = typeof tenant;
const address = () => `p${newId().slice(-12)}@example.com`;
const invite = async (email: string, role: MemberRole = VIEWER, to: Tenant = tenant) =>
  (await invitations.createInvitation({ email, role }, testCall(to))).data;
const signIn = async (verifiedEmail: string | undefined, more: object = {}) => {
  const person = { issuer, subject: `at ${verifiedEmail}`, name: "Grace", ...more };
  const request = verifiedEmail === undefined ? person : { ...person, verifiedEmail };
  return (await signIns.signIn(request, anonymous)).memberships;
};
const listApplicationIds = (memberships: Membership[]) => memberships.map(({ applicationId }) => applicationId);

test("the first sign-in with a verified address, in any case, accepts its invitation once", async () => {
  const email = address();
  await invite(email.toUpperCase(), EDITOR);
  expect(await signIn(address())).toEqual([]);
  expect(await signIn(undefined, { subject: email })).toEqual([]);
  const [membership, ...rest] = await signIn(email);
  expect(rest).toEqual([]);
  expect(membership).toMatchObject({
    orgId: tenant.orgId,
    applicationId: tenant.applicationId,
    role: EDITOR,
    applicationTitle: "Support",
  });
  expect(await signIn(email)).toEqual([membership]);
  const { data } = await invitations.listInvitations({ limit: 100 }, testCall(tenant));
  expect(data.map((invitation) => invitation.email)).not.toContain(email);
  // The address now belongs to another person.
  expect(await signIn(email, { subject: "somebody else" })).toEqual([]);
});

test("an expired or revoked invitation creates no membership", async () => {
  const [late, gone] = [address(), address()];
  await invite(late);
  const { id = "" } = (await invite(gone)) ?? {};
  await invitations.deleteInvitation({ id }, testCall(tenant));
  expect(await signIn(gone)).toEqual([]);
  clock.advance(7 * 24 * 3_600_000);
  expect(await signIn(late)).toEqual([]);
});

test("a first sign-in matches the user with the address; later sign-ins of other people do not", async () => {
  const email = address();
  const userId = `user of ${email}`;
  await database.sql(
    `INSERT INTO identity.app_user (org_id, id, name, email, created_at, modified_at) VALUES ($1, $2, 'G.', $3, now(), now())`,
    [tenant.orgId, userId, email.toUpperCase()],
  );
  await invite(email);
  const [first] = await signIn(email);
  expect(first?.userId).toBe(userId);
  await members.deleteMember({ id: first?.memberId ?? "" }, testCall(tenant));
  await invite(email);
  const [second] = await signIn(email, { subject: "with the same address, years later" });
  expect(second?.userId).not.toBe(userId);
  expect(await signIn(undefined, { subject: `at ${email}` })).toEqual([]);
});

test("a person is a member of several applications and organizations, and sees no others' members", async () => {
  const email = address();
  const other = await addTenant();
  await invite(email, VIEWER);
  await invite(email, OWNER, other);
  expect(listApplicationIds(await signIn(email)).sort()).toEqual([tenant.applicationId, other.applicationId].sort());
  const { memberships } = await signIns.listMemberships({ issuer, subject: `at ${email}` }, anonymous);
  expect(memberships.map(({ role }) => role).sort()).toEqual([OWNER, VIEWER]);
  expect((await signIns.listMemberships({ issuer, subject: "nobody" }, anonymous)).memberships).toEqual([]);
  const elsewhere = { issuer: "https://other.example", subject: `at ${email}` };
  expect((await signIns.listMemberships(elsewhere, anonymous)).memberships).toEqual([]);
});

test("concurrent sign-ins of a person create one user and one member", async () => {
  const email = address();
  await invite(email);
  const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(email)));
  expect(new Set(answers.flat().map(({ memberId }) => memberId)).size).toBe(1);
  const users = await database.sql("SELECT FROM identity.app_user WHERE email = $1", [email]);
  expect(users).toHaveLength(1);
});

test("name and address follow the provider", async () => {
  const email = address();
  await invite(email);
  const [{ userId } = { userId: "" }] = await signIn(email, { name: "Grace" });
  await signIn(email, { name: "Grace Hopper" });
  const rows = await database.sql("SELECT name, email FROM identity.app_user WHERE id = $1", [userId]);
  expect(rows).toEqual([{ name: "Grace Hopper", email }]);
});

test("a configured owner owns every application of the first organization, whatever role they had", async () => {
  const email = address();
  await invite(email);
  await signIn(email);
  const other = await addTenant();
  const memberships = await signIn(email, { isNamedOwner: true });
  expect(memberships.map(({ role, applicationId }) => [role, applicationId])).toEqual([[OWNER, tenant.applicationId]]);
  expect(listApplicationIds(memberships)).not.toContain(other.applicationId);
  // A person without a verified address cannot match a configured owner.
  expect(await signIn(undefined, { subject: "x", isNamedOwner: true })).toEqual([]);
});

test("a membership is found until it ends, and only for its application", async () => {
  const email = address();
  await invite(email);
  const [{ userId, memberId } = { userId: "", memberId: "" }] = await signIn(email);
  const { orgId, applicationId } = tenant;
  const found = { orgId, applicationId, userId };
  expect(await signIns.getMembership(found, anonymous)).toMatchObject({ memberId, role: VIEWER });
  const other = await addTenant();
  const notFound = { code: Code.NotFound };
  for (const wrong of [
    { ...found, applicationId: other.applicationId },
    { ...found, orgId: other.orgId },
    { ...found, userId: "nobody" },
  ])
    await expect(signIns.getMembership(wrong, anonymous)).rejects.toMatchObject(notFound);
  await members.deleteMember({ id: memberId }, testCall(tenant));
  await expect(signIns.getMembership(found, anonymous)).rejects.toMatchObject(notFound);
});

test("the audit log names the person who accepted", async () => {
  const email = address();
  await invite(email);
  const [{ userId, memberId } = { userId: "", memberId: "" }] = await signIn(email);
  const rows = await database.sql(
    "SELECT user_id, operation, action FROM identity.audit WHERE resource = 'member' AND entity_id = $1",
    [memberId],
  );
  const operation = "ems.identity.v1.SignInService/SignIn";
  expect(rows).toEqual([{ user_id: userId, operation, action: "CREATED" }]);
});
