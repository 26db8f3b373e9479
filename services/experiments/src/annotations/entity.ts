import { nullable, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";

export type AnnotationRow = Row<typeof AnnotationEntity>;

export const AnnotationEntity = table(
  "experiments.annotation",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    title: text,
    description: nullable(text),
    traceStepId: nullable(uuid),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  { indices: [{ name: "annotation_created", columns: ["applicationId", "createdAt", "id"] }] },
);
