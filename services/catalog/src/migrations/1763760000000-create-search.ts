import {
  type Searched,
  searchedV1,
  searchFunctionsV1,
  unsearchedV1,
  unsearchFunctionsV1,
} from "@ems/kit/db/search-schema";
import type { MigrationInterface, QueryRunner } from "typeorm";

export const searched: readonly Searched[] = [
  { schema: "catalog", table: "task", tenant: "application_id", idType: "uuid", columns: ["title", "description"] },
  { schema: "catalog", table: "tag", tenant: "application_id", idType: "uuid", columns: ["name", "description"] },
  { schema: "catalog", table: "topic", tenant: "application_id", idType: "uuid", columns: ["title"] },
  {
    schema: "catalog",
    table: "document_version",
    tenant: "application_id",
    idType: "uuid",
    columns: ["title", "content"],
  },
];

/** Searched texts and their index, kept from now on; FillSearch adds what is there already. */
export class CreateSearch1763760000000 implements MigrationInterface {
  readonly name = "CreateSearch1763760000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(searchFunctionsV1("catalog") + searched.map(searchedV1).join(""));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(searched.map(unsearchedV1).join("") + unsearchFunctionsV1("catalog"));
  }
}
