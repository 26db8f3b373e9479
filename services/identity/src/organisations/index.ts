export { createOrganisation, findOrganisation } from "./queries.ts";
