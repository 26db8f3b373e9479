import type { Handlers } from "@ems/kit/rpc/service";
import type { SignInService } from "@ems/proto/identity/v1/sign_in_service";
import type { Deps } from "../deps.ts";
import { findMemberships, membership } from "./memberships.ts";

export function listMemberships({ database }: Deps): Handlers<typeof SignInService>["listMemberships"] {
  return async ({ issuer, subject }, call) => {
    const rows = await database.withScope({}, call.deadlineMs, (tx) => findMemberships(tx, { issuer, subject }));
    return { memberships: rows.map(membership) };
  };
}
