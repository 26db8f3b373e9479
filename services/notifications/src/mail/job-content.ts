/** Resource with the name used in a mail. */
export interface NamedResource {
  readonly id: string;
  readonly title: string;
}

/** Data of a mail: IDs and titles. */
export type JobContent =
  | {
      readonly kind: "REVIEWS_ASSIGNED";
      readonly quickstart: NamedResource;
      readonly kbReviewCount: number;
      readonly tasksTopicsReviewCount: number;
      /** The first few only. */
      readonly topicIds: readonly string[];
    }
  | { readonly kind: "CONTRADICTION_ASSIGNED"; readonly quickstart: NamedResource; readonly contradictionId: string }
  | {
      readonly kind: "INVITED";
      /** Address of a person who is not yet a user. */
      readonly address: string;
      readonly application: NamedResource;
      /** Name; empty if unknown. */
      readonly invitedBy: string;
      /** ISO 8601. */
      readonly expiresAt: string;
      /** Sign-in URL; null if not configured. */
      readonly url: string | null;
    }
  | { readonly kind: "EXPERIMENT_ASSIGNED"; readonly experiment: NamedResource }
  | {
      readonly kind: "WEBHOOK_DISABLED";
      readonly webhookId: string;
      /** Scheme, host and port of its URL: the rest may contain secrets. */
      readonly origin: string;
      /** The receiver responded with 410, or every attempt of several days failed. */
      readonly reason: "GONE" | "FAILING";
      /** ISO 8601. */
      readonly disabledAt: string;
    }
  | {
      readonly kind: "BUDGET_REACHED";
      readonly applicationId: string;
      /** Calendar period in UTC. */
      readonly period: "day" | "month";
      /** Amounts of money are in millionths of a US dollar. */
      readonly unit: "money" | "tokens";
      readonly percent: number;
      /** Integers as decimal text. */
      readonly budget: string;
      readonly spent: string;
      /** Part of `spent`; missing in mails of earlier versions. */
      readonly uncertain?: string;
      /** ISO 8601. */
      readonly endsAt: string;
    }
  | {
      readonly kind: "MODEL_CONNECTION_PAUSED";
      readonly applicationId: string;
      readonly connection: NamedResource;
      readonly provider: string;
      /** The provider's message, without its key. */
      readonly reason: string;
      /** ISO 8601. */
      readonly pausedAt: string;
    };

export type ContentFor<Kind extends JobContent["kind"]> = Extract<JobContent, { kind: Kind }>;
