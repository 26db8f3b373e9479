import { baselineOfViews } from "@ems/kit/baseline";
import type { Schema } from "@ems/kit/db/schema";

/** Reporting's part of the database: no tables, but the views that other services publish here. */
export const reportingSchema: Schema = {
  name: "reporting",
  entities: [],
  migrations: [baselineOfViews("reporting")],
  replaced: { newest: "CreateReporting1763740000000", dump: new URL("../schema.txt", import.meta.url) },
};
