import { catalogSchema } from "@ems/catalog/schema";
import { experimentsSchema } from "@ems/experiments/schema";
import { identitySchema } from "@ems/identity/schema";
import type { Schema } from "@ems/kit/db/schema";
import { notificationsSchema } from "@ems/notifications/schema";
import { reportingSchema } from "@ems/reporting/schema";

/** Every service's part of the database, in the order of the mesh's table. */
export const schemas: readonly Schema[] = [
  identitySchema,
  catalogSchema,
  experimentsSchema,
  reportingSchema,
  notificationsSchema,
];
