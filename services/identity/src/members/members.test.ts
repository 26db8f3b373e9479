import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { InvitationOrder } from "@ems/proto/identity/v1/invitation_service";
import { MemberOrder, MemberRole } from "@ems/proto/identity/v1/member_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { outboxEvents, testCall } from "@ems/test-support";
import { expect, test } from "vitest";
import { identityHarness } from "../../test/harness.ts";

const { members, invitations, applications, addTenant, database, clock } = await identityHarness();
const { OWNER, EDITOR, REVIEWER, VIEWER } = MemberRole;
const lastOwner = { code: Code.FailedPrecondition };

type Tenant = Awaited<ReturnType<typeof addTenant>>;

async function addMember({ orgId, applicationId }: Tenant, role: keyof typeof MemberRole, email = "m@example.com") {
  const [id, userId] = [newId(), newId()];
  const { sql } = database;
  await sql(
    `INSERT INTO identity.app_user (org_id, id, name, email, created_at, modified_at) VALUES ($1, $2, 'M', $3, now(), now())`,
    [orgId, userId, email],
  );
  await sql(
    `INSERT INTO identity.member (application_id, id, org_id, user_id, role, created_at, modified_at)
     VALUES ($1, $2, $3, $4, $5, now(), now())`,
    [applicationId, id, orgId, userId, role],
  );
  return { id, userId };
}

test("members are listed with names, page by page, without other applications' members", async () => {
  const [ours, theirs] = [await addTenant(), await addTenant()];
  const { id, userId } = await addMember(ours, "OWNER");
  await addMember(ours, "VIEWER");
  await addMember(theirs, "OWNER");
  const page = { limit: 1, orderBy: MemberOrder.CREATED_AT, orderDir: OrderDirection.ASC };
  const { data, pagination } = await members.listMembers(page, testCall(ours));
  expect(data).toEqual([expect.objectContaining({ id, userId, name: "M", email: "m@example.com", role: OWNER })]);
  expect(pagination?.total).toBe(2n);
});

test("a role is changed; the last owner can be neither demoted nor removed", async () => {
  const tenant = await addTenant();
  const [owner, viewer] = [await addMember(tenant, "OWNER"), await addMember(tenant, "VIEWER")];
  const update = (id: string, role: MemberRole) => members.updateMember({ id, role }, testCall(tenant));
  await expect(update(owner.id, EDITOR)).rejects.toMatchObject(lastOwner);
  await expect(members.deleteMember({ id: owner.id }, testCall(tenant))).rejects.toMatchObject(lastOwner);
  expect((await update(owner.id, OWNER)).data?.role).toBe(OWNER);
  expect((await update(viewer.id, OWNER)).data).toMatchObject({ id: viewer.id, role: OWNER, name: "M" });
  expect((await update(owner.id, REVIEWER)).data?.role).toBe(REVIEWER);
  await members.deleteMember({ id: owner.id }, testCall(tenant));
  await expect(members.deleteMember({ id: owner.id }, testCall(tenant))).rejects.toMatchObject({ code: Code.NotFound });
  await expect(members.deleteMember({ id: viewer.id }, testCall(tenant))).rejects.toMatchObject(lastOwner);
});

test("of two owners who demote each other concurrently, one remains an owner", async () => {
  const tenant = await addTenant();
  const owners = [await addMember(tenant, "OWNER"), await addMember(tenant, "OWNER")];
  const outcomes = await Promise.allSettled(
    owners.map(({ id }) => members.updateMember({ id, role: VIEWER }, testCall(tenant))),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("another tenant's member and invitation are not found", async () => {
  const [ours, theirs] = [await addTenant(), await addTenant()];
  const { id } = await addMember(theirs, "VIEWER");
  const invitation = await invitations.createInvitation({ email: "a@example.com", role: VIEWER }, testCall(theirs));
  const notFound = { code: Code.NotFound };
  await expect(members.updateMember({ id, role: OWNER }, testCall(ours))).rejects.toMatchObject(notFound);
  await expect(members.deleteMember({ id }, testCall(ours))).rejects.toMatchObject(notFound);
  const theirId = { id: invitation.data?.id ?? "" };
  await expect(invitations.deleteInvitation(theirId, testCall(ours))).rejects.toMatchObject(notFound);
});

test("an invitation is valid for seven days, and published for its mail", async () => {
  const tenant = await addTenant();
  const request = { email: "Grace@Example.com", role: REVIEWER };
  const { data } = await invitations.createInvitation(request, testCall(tenant));
  expect(data).toMatchObject({ email: "grace@example.com", role: REVIEWER, invitedBy: tenant.userId });
  const days = Number((data?.expiresAt?.seconds ?? 0n) - (data?.createdAt?.seconds ?? 0n)) / 86_400;
  expect(days).toBe(7);
  const events = await outboxEvents(database, "identity", { type: "member.invited" });
  expect(JSON.parse(events.at(-1)?.payload ?? "{}").data).toMatchObject({
    email: "grace@example.com",
    invitedBy: "Ada",
    application: { id: tenant.applicationId, title: "Support" },
  });
});

test("an address can be invited once at a time; an expired invitation frees its place", async () => {
  const tenant = await addTenant();
  const invite = (email: string) => invitations.createInvitation({ email, role: VIEWER }, testCall(tenant));
  const exists = { code: Code.AlreadyExists };
  const { data } = await invite("a@example.com");
  await expect(invite("A@example.com")).rejects.toMatchObject(exists);
  clock.advance(7 * 86_400_000);
  expect((await invite("a@example.com")).data?.id).not.toBe(data?.id);
  await addMember(tenant, "VIEWER", "Member@example.com");
  await expect(invite("member@example.com")).rejects.toMatchObject(exists);
  const list = { orderBy: InvitationOrder.EMAIL, orderDir: OrderDirection.ASC };
  const { data: listed } = await invitations.listInvitations(list, testCall(tenant));
  expect(listed.map(({ email }) => email)).toEqual(["a@example.com"]);
});

test("an application has at most 100 invitations", async () => {
  const tenant = await addTenant();
  await database.sql(
    `INSERT INTO identity.invitation (application_id, id, org_id, email, role, invited_by, created_at, expires_at)
     SELECT $1, gen_random_uuid(), $2, n || '@example.com', 'VIEWER', 'u', now(), now() + interval '100 days'
     FROM generate_series(1, 99) n`,
    [tenant.applicationId, tenant.orgId],
  );
  await invitations.createInvitation({ email: "last@example.com", role: VIEWER }, testCall(tenant));
  const more = invitations.createInvitation({ email: "more@example.com", role: VIEWER }, testCall(tenant));
  await expect(more).rejects.toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: expect.stringContaining("maximum of 100 invitations"),
  });
});

test("a new application has the owners of the application that created it", async () => {
  const tenant = await addTenant();
  const { userId } = await addMember(tenant, "OWNER");
  await addMember(tenant, "EDITOR");
  const { data } = await applications.createApplication({ title: `Second ${newId()}` }, testCall(tenant));
  const second = { ...tenant, applicationId: data?.id ?? "" };
  const { data: listed } = await members.listMembers({}, testCall(second));
  expect(listed.map((member) => [member.userId, member.role])).toEqual([[userId, OWNER]]);
});
