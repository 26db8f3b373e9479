import type { Users } from "@ems/kit/assigned-users";
import type { Clock } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Publish } from "@ems/kit/events/publish";
import type { NewId, Random } from "@ems/kit/id";
import type { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { Logger } from "@ems/kit/log";
import type { PublicHosts } from "./hosts/public-host.ts";
import type { MailTransport } from "./mail/mail.ts";
import type { SecretBox } from "./secret-box.ts";
import type { WebhookTests } from "./webhooks/awaited-tests.ts";

/** What notifications' handlers stand on; each takes what it needs. */
export interface Deps {
  readonly database: Database;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  readonly secrets: SecretBox;
  readonly hosts: Pick<PublicHosts, "checkUrl">;
  /** Tells the worker that a delivery of the application is due, which somebody wants to have attempted now. */
  readonly wake: (applicationId: string) => void;
  /** Tells the worker that the application's webhook was changed: what it read of it before is not used any more. */
  readonly forget: (applicationId: string) => void;
  /** Tests that are waited for. */
  readonly tests: Pick<WebhookTests, "run">;
  readonly log: Logger;
  readonly users: Users;
  readonly mail: MailTransport;
  /** The address that gets feedback. */
  readonly feedbackTo: string;
  /** What applications may have going out at one time. */
  readonly feedbackPlaces: TenantConcurrencyLimiter;
  /** What one may send in an hour. */
  readonly feedbackPerHourMax: number;
}
