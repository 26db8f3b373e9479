import { columnsOf } from "@ems/kit/db/columns";
import { AppUserEntity } from "./entity.ts";

export const userColumns = columnsOf(AppUserEntity, "u");
