/** A resource, with the name that a mail uses for it. */
export interface NamedResource {
  readonly id: string;
  readonly title: string;
}

/** Data for a mail: IDs and titles. */
export type JobContent =
  | {
      readonly kind: "REVIEWS_ASSIGNED";
      readonly quickstart: NamedResource;
      readonly kbReviewCount: number;
      readonly tasksTopicsReviewCount: number;
      /** Only the first few topics. */
      readonly topicIds: readonly string[];
    }
  | { readonly kind: "CONTRADICTION_ASSIGNED"; readonly quickstart: NamedResource; readonly contradictionId: string }
  | {
      readonly kind: "INVITED";
      /** Address of a person who is not a user yet. */
      readonly address: string;
      readonly application: NamedResource;
      /** Name of the person who invited; empty if unknown. */
      readonly invitedBy: string;
      /** Time in ISO 8601 format. */
      readonly expiresAt: string;
      /** URL for signing in; null if not configured. */
      readonly url: string | null;
    }
  | { readonly kind: "EXPERIMENT_ASSIGNED"; readonly experiment: NamedResource }
  | {
      readonly kind: "WEBHOOK_DISABLED";
      readonly webhookId: string;
      /** Scheme, host and port of the webhook's URL; the rest may contain secrets. */
      readonly origin: string;
      /** GONE: the receiver responded with 410. FAILING: every attempt of several days failed. */
      readonly reason: "GONE" | "FAILING";
      /** Time in ISO 8601 format. */
      readonly disabledAt: string;
    }
  | {
      readonly kind: "BUDGET_REACHED";
      readonly applicationId: string;
      /** Calendar period of the budget, in UTC. */
      readonly period: "day" | "month";
      /** Unit of the amounts; amounts of money are in millionths of a US dollar. */
      readonly unit: "money" | "tokens";
      readonly percent: number;
      /** Amounts are integers as decimal text. */
      readonly budget: string;
      readonly spent: string;
      /** The part of `spent` that is uncertain; missing in mails of earlier versions. */
      readonly uncertain?: string;
      /** Time in ISO 8601 format. */
      readonly endsAt: string;
    }
  | {
      readonly kind: "MODEL_CONNECTION_PAUSED";
      readonly applicationId: string;
      readonly connection: NamedResource;
      readonly provider: string;
      /** Message from the provider, without the key. */
      readonly reason: string;
      /** Time in ISO 8601 format. */
      readonly pausedAt: string;
    };

export type ContentFor<Kind extends JobContent["kind"]> = Extract<JobContent, { kind: Kind }>;
