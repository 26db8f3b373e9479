import type { Clock } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Publish } from "@ems/kit/events/publish";
import type { PublicHosts } from "@ems/kit/hosts";
import type { NewId, Random } from "@ems/kit/id";
import type { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { Logger } from "@ems/kit/log";
import type { Retention } from "@ems/kit/retention";
import type { Users } from "@ems/users";
import type { MailTransport } from "./mail/index.ts";
import type { SecretBox } from "./secret-box.ts";

/** Dependencies of notifications' handlers; each uses a part of them. */
export interface Deps {
  readonly database: Database;
  readonly relayDatabase: RelayDatabase;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  /** Start of the retention of deliveries. */
  readonly retention: Pick<Retention, "since">;
  readonly secrets: SecretBox;
  readonly log: Logger;
  readonly hosts: Pick<PublicHosts, "checkUrl">;
  /** Wakes the worker when a delivery of the application is due. */
  readonly wake: (applicationId: string) => void;
  /** Invalidates the worker's copy of the application's webhook after a change. */
  readonly invalidate: (applicationId: string) => void;
  /** Maximum number of concurrently awaited webhook tests per application. */
  readonly webhookTestsMax: number;
  readonly users: Users;
  readonly mail: MailTransport;
  /** Recipient of feedback. */
  readonly feedbackTo: string;
  readonly feedbackLimiter: TenantConcurrencyLimiter;
  readonly feedbackPerHourMax: number;
}
