import {
  type Searched,
  searchedV1,
  searchFunctionsV1,
  unsearchedV1,
  unsearchFunctionsV1,
} from "@ems/kit/db/search-schema";
import type { MigrationInterface, QueryRunner } from "typeorm";

export const searched: readonly Searched[] = [
  {
    schema: "experiments",
    table: "experiment",
    tenant: "application_id",
    idType: "uuid",
    columns: ["title", "description"],
  },
];

/** Searched texts and their index, kept from now on; FillSearch adds what is there already. */
export class CreateSearch1763760000000 implements MigrationInterface {
  readonly name = "CreateSearch1763760000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(searchFunctionsV1("experiments") + searched.map(searchedV1).join(""));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(searched.map(unsearchedV1).join("") + unsearchFunctionsV1("experiments"));
  }
}
