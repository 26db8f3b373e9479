import { catalogSchema } from "@ems/catalog/schema";
import { evaluationSchema } from "@ems/evaluation/schema";
import { experimentsSchema } from "@ems/experiments/schema";
import { identitySchema } from "@ems/identity/schema";
import type { Schema } from "@ems/kit/db/schema";
import { notificationsSchema } from "@ems/notifications/schema";
import { reportingSchema } from "@ems/reporting/schema";
import { tracesSchema } from "@ems/traces/schema";

/** The schema of each service, in start order. */
export const schemas: readonly Schema[] = [
  identitySchema,
  catalogSchema,
  experimentsSchema,
  tracesSchema,
  evaluationSchema,
  reportingSchema,
  notificationsSchema,
];
