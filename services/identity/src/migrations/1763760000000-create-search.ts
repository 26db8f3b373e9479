import {
  type Searched,
  searchedV1,
  searchFunctionsV1,
  unsearchedV1,
  unsearchFunctionsV1,
} from "@ems/kit/db/search-schema";
import type { MigrationInterface, QueryRunner } from "typeorm";

export const searched: readonly Searched[] = [
  { schema: "identity", table: "app_user", tenant: "org_id", idType: "text", columns: ["name", "email"] },
];

/** Searched texts and their index, kept from now on; FillSearch adds what is there already. */
export class CreateSearch1763760000000 implements MigrationInterface {
  readonly name = "CreateSearch1763760000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(searchFunctionsV1("identity") + searched.map(searchedV1).join(""));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(searched.map(unsearchedV1).join("") + unsearchFunctionsV1("identity"));
  }
}
