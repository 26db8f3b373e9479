import { rowById } from "@ems/kit/db/row-by-id";
import { nullable, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";
import { rowVersions } from "@ems/kit/db/version";

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
    authorId: nullable(text),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  { indices: [{ name: "annotation_created", columns: ["applicationId", "createdAt", "id"] }] },
);

export const annotationVersions = rowVersions(AnnotationEntity);

export const annotationById = rowById(AnnotationEntity, "Annotation");
