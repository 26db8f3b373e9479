import type { Client } from "@connectrpc/connect";
import type { Clock } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Publish } from "@ems/kit/events/publish";
import type { NewId } from "@ems/kit/id";
import type { UserService } from "@ems/proto/identity/v1/user_service";

/** What catalog's handlers stand on; each takes what it needs. */
export interface Deps {
  readonly database: Database;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Identity's users, of the caller's organisation. */
  readonly users: Pick<Client<typeof UserService>, "batchGetUsers">;
}
