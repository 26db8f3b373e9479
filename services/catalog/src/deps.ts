import type { Users } from "@ems/kit/assigned-users";
import type { Clock } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Publish, PublishAll } from "@ems/kit/events/publish";
import type { NewId } from "@ems/kit/id";
import type { Applications } from "./definitions/application.ts";

/** What catalog's handlers stand on; each takes what it needs. */
export interface Deps {
  readonly database: Database;
  readonly publish: Publish;
  readonly publishAll: PublishAll;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly users: Users;
  readonly applications: Applications;
}
