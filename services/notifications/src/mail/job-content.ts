/** A resource as a mail names it. */
export interface NamedResource {
  readonly id: string;
  readonly title: string;
}

/** The data of a mail, in ids and titles. */
export type JobContent =
  | {
      readonly kind: "REVIEWS_ASSIGNED";
      readonly quickstart: NamedResource;
      readonly kbReviewCount: number;
      readonly tasksTopicsReviewCount: number;
      /** Of the first few. */
      readonly topicIds: readonly string[];
    }
  | { readonly kind: "CONTRADICTION_ASSIGNED"; readonly quickstart: NamedResource; readonly contradictionId: string }
  | {
      readonly kind: "INVITED";
      /** The person is no user yet. */
      readonly address: string;
      readonly application: NamedResource;
      /** A name; empty where nobody's is known. */
      readonly invitedBy: string;
      /** ISO 8601. */
      readonly expiresAt: string;
      /** Where people sign in; null where the installation does not say. */
      readonly url: string | null;
    }
  | { readonly kind: "EXPERIMENT_ASSIGNED"; readonly experiment: NamedResource }
  | {
      readonly kind: "WEBHOOK_DISABLED";
      readonly webhookId: string;
      /** Scheme, host and port of its URL: the rest may hold secrets. */
      readonly origin: string;
      /** It answered 410, or every attempt of days has failed. */
      readonly reason: "GONE" | "FAILING";
      /** ISO 8601. */
      readonly disabledAt: string;
    }
  | {
      readonly kind: "BUDGET_REACHED";
      readonly applicationId: string;
      /** UTC. */
      readonly period: "day" | "month";
      /** Amounts of money are in millionths of a US dollar. */
      readonly unit: "money" | "tokens";
      readonly percent: number;
      /** Whole numbers, as decimal texts. */
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
      /** In the provider's words, without its key. */
      readonly reason: string;
      /** ISO 8601. */
      readonly pausedAt: string;
    };

export type ContentOf<Kind extends JobContent["kind"]> = Extract<JobContent, { kind: Kind }>;
