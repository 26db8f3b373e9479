import { ownRelayV3, sharedRelayV2 } from "@ems/kit/events/outbox";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** The outbox has a relay role of its own. */
export class OwnRelay1763750000000 implements MigrationInterface {
  readonly name = "OwnRelay1763750000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ownRelayV3("catalog"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(sharedRelayV2("catalog"));
  }
}
