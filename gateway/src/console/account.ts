// Who a session is of, for people: names beside ids, as the API tells them.

import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { ApplicationService } from "@ems/proto/identity/v1/application_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import type { KeyOwner } from "../auth/key-owners.ts";
import type { Pipeline } from "../pipeline.ts";
import { expiresMs, type Session } from "./session-cookie.ts";

/** A name is null while identity does not tell it. */
export interface SessionView {
  readonly application: { readonly id: string; readonly name: string | null; readonly slug: string | null };
  readonly organisation: { readonly id: string };
  readonly key: { readonly id: string; readonly name: string | null };
  readonly user: { readonly id: string; readonly name: string | null; readonly email: string | null } | null;
  readonly expiresAt: string;
}

/** As many as a page has. */
const keysMax = 100;

export async function viewOf(
  pipeline: Pipeline,
  session: Session,
  owner: KeyOwner,
  requestId: string,
): Promise<SessionView> {
  const { applicationId, orgId, keyId, userId } = owner;
  const { getApplication } = ApplicationService.method;
  const { getUser } = UserService.method;
  const [application, user] = await Promise.all([
    orNull(pipeline.callForConsole(getApplication, owner, { id: applicationId }, requestId)),
    userId === "" ? null : orNull(pipeline.callForConsole(getUser, owner, { id: userId }, requestId)),
  ]);
  const { title = null, slug = null } = application?.data ?? {};
  return {
    application: { id: applicationId, name: title, slug },
    organisation: { id: orgId },
    key: { id: keyId, name: session.keyName },
    user: userId === "" ? null : { id: userId, name: user?.data?.name ?? null, email: user?.data?.email ?? null },
    expiresAt: new Date(expiresMs(session)).toISOString(),
  };
}

export async function keyNameOf(pipeline: Pipeline, owner: KeyOwner, requestId: string): Promise<string | null> {
  const { listApiKeys } = ApiKeyService.method;
  const page = await orNull(pipeline.callForConsole(listApiKeys, owner, { limit: keysMax }, requestId));
  return page?.data.find(({ id }) => id === owner.keyId)?.name ?? null;
}

/** A session without names is better than none. */
function orNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch(() => null);
}
