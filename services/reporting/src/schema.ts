import type { Schema } from "@ems/kit/db/schema";
import { CreateReporting1763740000000 } from "./migrations/1763740000000-create-reporting.ts";

/** Reporting's part of the database: no tables, but the views that other services publish here. */
export const reportingSchema: Schema = {
  name: "reporting",
  entities: [],
  migrations: [CreateReporting1763740000000],
};
