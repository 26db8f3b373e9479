import { type Mount, mount } from "@ems/kit/rpc/service";
import { SignInService } from "@ems/proto/identity/v1/sign_in_service";
import type { Deps } from "../deps.ts";
import { getMembership } from "./get-membership.ts";
import { listMemberships } from "./list-memberships.ts";
import { signIn } from "./sign-in.ts";

export const signIns = (deps: Deps): Mount =>
  mount(SignInService, {
    signIn: signIn(deps),
    listMemberships: listMemberships(deps),
    getMembership: getMembership(deps),
  });
