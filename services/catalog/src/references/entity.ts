import { table, uuid } from "@ems/kit/db/table";

/** Ids of quickstarts that topics may refer to; the experiments service owns the quickstarts. */
export const QuickstartEntity = table("catalog.quickstart", { applicationId: uuid, id: uuid });
