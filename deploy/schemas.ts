import { catalogSchema } from "@ems/catalog/schema";
import { evaluationSchema } from "@ems/evaluation/schema";
import { experimentsSchema } from "@ems/experiments/schema";
import { identitySchema } from "@ems/identity/schema";
import type { Schema } from "@ems/kit/db/schema";
import { notificationsSchema } from "@ems/notifications/schema";
import { reportingSchema } from "@ems/reporting/schema";
import { tracesSchema } from "@ems/traces/schema";

/** Schemas of the services, in the order of migration. */
export const schemas: readonly Schema[] = [
  identitySchema,
  catalogSchema,
  experimentsSchema,
  // Migrate traces after experiments, because it takes over tables from experiments.
  tracesSchema,
  evaluationSchema,
  reportingSchema,
  notificationsSchema,
];
