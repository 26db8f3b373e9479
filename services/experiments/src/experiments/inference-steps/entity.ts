import { nullable, oneOf, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";

export type InferenceStepRow = Row<typeof InferenceStepEntity>;

export const InferenceStepEntity = table(
  "experiments.inference_step",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    type: oneOf("LLM", "RETRIEVER"),
    externalId: nullable(text),
    title: text,
    description: text,
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    uniques: [{ name: "inference_step_external_id_key", columns: ["applicationId", "externalId"] }],
    indices: [{ name: "inference_step_created", columns: ["applicationId", "createdAt", "id"] }],
  },
);
