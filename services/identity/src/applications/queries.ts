import { columnsOf } from "@ems/kit/db/columns";
import { ApplicationEntity } from "./entity.ts";

export const applicationColumns = columnsOf(ApplicationEntity, "a");
