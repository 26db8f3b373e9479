import { baselineOfViews } from "@ems/kit/baseline";
import type { Schema } from "@ems/kit/db/schema";

/** The reporting schema has no tables, only views that other services publish. */
export const reportingSchema: Schema = {
  name: "reporting",
  entities: [],
  migrations: [baselineOfViews("reporting")],
  replaced: { newest: "CreateReporting1763740000000", dump: new URL("../schema.txt", import.meta.url) },
};
