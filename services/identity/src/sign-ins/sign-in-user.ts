// Maps a person who signs in to a user in an organization.

import type { Transaction } from "@ems/kit/db/transaction";
import type { Deps } from "../deps.ts";
import { AppUserEntity } from "../users/index.ts";
import { SignInEntity } from "./entity.ts";
import { findSignIns, type Person } from "./memberships.ts";

export interface NamedPerson extends Person {
  /** Verified email address in lower case. */
  readonly email: string | undefined;
  readonly name: string;
}

const nameless = `SELECT id FROM identity.app_user WHERE org_id = $1 AND lower(email) = $2
    AND NOT EXISTS (SELECT FROM identity.sign_in WHERE sign_in.org_id = app_user.org_id AND sign_in.user_id = app_user.id)
  ORDER BY created_at, id LIMIT 1`;

/**
 * Finds or creates the person's user in the organization. The first sign-in may match a user by email address, but only
 * one who has never signed in (for example, one assigned to topics). Otherwise the user may be another person.
 */
export async function findOrCreateSignInUser(
  { clock, newId }: Pick<Deps, "clock" | "newId">,
  tx: Transaction,
  orgId: string,
  person: NamedPerson,
): Promise<string> {
  const { issuer, subject, email, name } = person;
  // Serializes sign-ins of one person, so that the second one finds the user that the first created.
  tx.defer("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`${issuer} ${subject}`]);
  const [existing] = (await findSignIns(tx, person)).filter((signIn) => signIn.orgId === orgId);
  if (existing !== undefined) return existing.userId;
  const [user] = await tx.query<{ id: string }>(nameless, [orgId, email ?? ""]);
  const now = clock.now();
  const userId = user?.id ?? newId();
  if (user === undefined) {
    await tx.insert(AppUserEntity, { orgId, id: userId, name, email: email ?? null, createdAt: now, modifiedAt: now });
  }
  await tx.insert(SignInEntity, { orgId, issuer, subject, userId, createdAt: now });
  return userId;
}

/** Updates the user's name and email address to those from the provider. */
export async function updateUser(
  { clock }: Pick<Deps, "clock">,
  tx: Transaction,
  orgId: string,
  userId: string,
  { name, email }: NamedPerson,
): Promise<void> {
  tx.defer(
    `UPDATE identity.app_user SET name = $3, email = coalesce($4, email), modified_at = $5
     WHERE org_id = $1 AND id = $2 AND (name, lower(email)) IS DISTINCT FROM ($3, coalesce($4, lower(email)))`,
    [orgId, userId, name, email ?? null, clock.now()],
  );
}

/** Sets the person and operation of audit log entries to this sign-in. */
export function logAs(tx: Transaction, userId: string, requestId: string): void {
  const actor = { operation: "ems.identity.v1.SignInService/SignIn", userId, requestId };
  tx.defer("SELECT set_config('ems.actor', $1, true)", [JSON.stringify(actor)]);
}
