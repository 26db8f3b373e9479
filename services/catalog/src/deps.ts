import type { Client } from "@connectrpc/connect";
import type { Clock } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Publish, PublishAll } from "@ems/kit/events/publish";
import type { NewId } from "@ems/kit/id";
import type { ApplicationService } from "@ems/proto/identity/v1/application_service";
import type { Users } from "@ems/users";

/** The dependencies of catalog's handlers. */
export interface Deps {
  readonly database: Database;
  readonly publish: Publish;
  readonly publishAll: PublishAll;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly users: Users;
  /** Reads the applications of the caller's organization from identity. */
  readonly applications: Pick<Client<typeof ApplicationService>, "getApplication">;
}
