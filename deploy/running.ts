import type { Health } from "@ems/kit/lifecycle";

/** The product as it runs, in either shape. */
export interface Running {
  readonly baseUrl: string;
  readonly adminUrl: string;
  readonly health: Health;
  /** Settles when a part ended that should not have; says which and why. */
  readonly lost: Promise<string>;
  stop(): Promise<void>;
}
