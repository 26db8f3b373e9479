import { table, text, timestamp } from "@ems/kit/db/table";

export const OrganisationEntity = table("identity.organisation", {
  id: text,
  name: text,
  createdAt: timestamp,
  modifiedAt: timestamp,
});
