import { count } from "@ems/kit/config";

export const dropConfig = {
  ARCHIVE_DROP_AFTER_DAYS: count()
    .max(36_500)
    .optional()
    .describe("How many days old what is in ClickHouse has to be to be deleted from PostgreSQL. Unset: nothing is."),
};
