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
import type { Storage } from "./exports/settings.ts";
import type { MailTransport } from "./mail/index.ts";
import type { SecretBox } from "./secret-box.ts";

/** Dependencies of the handlers of notifications; each handler uses some of them. */
export interface Deps {
  readonly database: Database;
  readonly relayDatabase: RelayDatabase;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  /** Start of the retention period of deliveries. */
  readonly retention: Pick<Retention, "since">;
  readonly secrets: SecretBox;
  readonly log: Logger;
  readonly hosts: Pick<PublicHosts, "checkUrl">;
  /** Wakes the worker, when a delivery of the application has become due. */
  readonly wake: (applicationId: string) => void;
  /** Makes the worker drop its copy of the application's webhook after a change. */
  readonly invalidate: (applicationId: string) => void;
  /** Maximum number of webhook tests per application that are awaited at the same time. */
  readonly webhookTestsMax: number;
  /** Storage of scheduled exports. */
  readonly storage: Storage;
  /** Time from the end of a period to its export. */
  readonly exportDelayMs: number;
  readonly users: Users;
  readonly mail: MailTransport;
  /** Recipient of mails with feedback. */
  readonly feedbackTo: string;
  readonly feedbackLimiter: TenantConcurrencyLimiter;
  readonly feedbackPerHourMax: number;
}
