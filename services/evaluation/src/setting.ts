import { bigint, integer, nullable, type Row, table, text, timestamp, uuid, withDefault } from "@ems/kit/db/table";

export type SettingRow = Row<typeof SettingEntity>;

/** Evaluation settings of an application; amounts of money are in millionths of a US dollar. */
export const SettingEntity = table(
  "evaluation.setting",
  {
    applicationId: uuid,
    orgId: text,
    defaultConnectionId: nullable(uuid),
    votes: withDefault(integer, 1),
    dayMoneyMicro: nullable(bigint),
    dayTokens: nullable(bigint),
    monthMoneyMicro: nullable(bigint),
    monthTokens: nullable(bigint),
    modifiedAt: timestamp,
  },
  { primaryKey: ["applicationId"] },
);
