// Account data of a session for display: names next to IDs, as returned by the API.

import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { ApplicationService } from "@ems/proto/identity/v1/application_service";
import { MemberRole } from "@ems/proto/identity/v1/member_service";
import { type Membership, SignInService } from "@ems/proto/identity/v1/sign_in_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import type { Principal } from "../auth/principal.ts";
import { roleName } from "../auth/roles.ts";
import { grantedScopes } from "../auth/scopes.ts";
import type { Pipeline } from "../pipeline.ts";
import { expiresMs, type Session, type SessionPerson } from "./session-cookie.ts";

/** Names are null if identity does not return them. */
export interface SessionView {
  readonly application: { readonly id: string; readonly name: string | null; readonly slug: string | null };
  readonly organisation: { readonly id: string };
  /** API key of the session; null for a person. */
  readonly key: { readonly id: string; readonly name: string | null } | null;
  /** Membership of a signed-in person; null for a key. */
  readonly member: { readonly id: string; readonly role: string } | null;
  /** All scopes granted to the key or the role. */
  readonly scopes: readonly string[];
  readonly user: { readonly id: string; readonly name: string | null; readonly email: string | null } | null;
  /** Applications available to the session, including the current one; empty for a key. */
  readonly applications: readonly { readonly id: string; readonly name: string; readonly role: string }[];
  readonly expiresAt: string;
}

/** Maximum API keys to search for the session's key: one page. */
const keysMax = 100;

export async function loadSessionView(
  pipeline: Pipeline,
  session: Session,
  owner: Principal,
  requestId: string,
): Promise<SessionView> {
  const { applicationId, orgId, keyId, memberId, userId, role = MemberRole.UNSPECIFIED } = owner;
  const { getApplication } = ApplicationService.method;
  const { getUser } = UserService.method;
  const [application, user, memberships] = await Promise.all([
    orNull(pipeline.callForConsole(getApplication, owner, { id: applicationId }, requestId)),
    userId === "" ? null : orNull(pipeline.callForConsole(getUser, owner, { id: userId }, requestId)),
    "person" in session ? orNull(loadMemberships(pipeline, session.person, requestId)) : null,
  ]);
  const { title = null, slug = null } = application?.data ?? {};
  return {
    application: { id: applicationId, name: title, slug },
    organisation: { id: orgId },
    key: keyId === undefined ? null : { id: keyId, name: "keyName" in session ? session.keyName : null },
    member: memberId === undefined ? null : { id: memberId, role: roleName(role) },
    scopes: grantedScopes(owner),
    user: userId === "" ? null : { id: userId, name: user?.data?.name ?? null, email: user?.data?.email ?? null },
    applications: (memberships ?? []).map((membership) => {
      return { id: membership.applicationId, name: membership.applicationTitle, role: roleName(membership.role) };
    }),
    expiresAt: new Date(expiresMs(session)).toISOString(),
  };
}

export async function loadMemberships(
  pipeline: Pipeline,
  { issuer, subject }: SessionPerson,
  requestId: string,
): Promise<Membership[]> {
  const { listMemberships } = SignInService.method;
  return (await pipeline.callIdentity(listMemberships, { issuer, subject }, requestId)).memberships;
}

export async function findKeyName(pipeline: Pipeline, owner: Principal, requestId: string): Promise<string | null> {
  const { listApiKeys } = ApiKeyService.method;
  const page = await orNull(pipeline.callForConsole(listApiKeys, owner, { limit: keysMax }, requestId));
  return page?.data.find(({ id }) => id === owner.keyId)?.name ?? null;
}

/** Names are optional: ignore failed lookups. */
function orNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch(() => null);
}
