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

/** What notifications' handlers depend on; each takes what it needs. */
export interface Deps {
  readonly database: Database;
  readonly relayDatabase: RelayDatabase;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  /** Since when deliveries are kept. */
  readonly retention: Pick<Retention, "since">;
  readonly secrets: SecretBox;
  readonly log: Logger;
  readonly hosts: Pick<PublicHosts, "checkUrl">;
  /** Wakes the worker: a delivery of the application is due now. */
  readonly wake: (applicationId: string) => void;
  /** Invalidates what the worker read of the application's webhook, after a change. */
  readonly invalidate: (applicationId: string) => void;
  /** How many tests of one application's webhook may be waited for at a time. */
  readonly webhookTestsMax: number;
  readonly users: Users;
  readonly mail: MailTransport;
  /** The address that gets feedback. */
  readonly feedbackTo: string;
  readonly feedbackLimiter: TenantConcurrencyLimiter;
  readonly feedbackPerHourMax: number;
}
