// Sessions: conversations, which consist of traces.

import { type Mount, mount } from "@ems/kit/rpc/service";
import { SessionService } from "@ems/proto/experiments/v1/session_service";
import type { Deps } from "../deps.ts";
import { getSession } from "./get-session.ts";
import { listSessions } from "./list-sessions.ts";

export const sessions = (deps: Deps): Mount =>
  mount(SessionService, { listSessions: listSessions(deps), getSession: getSession(deps) });
