import type { Deps } from "../deps.ts";
import type { ApplicationRow } from "./entity.ts";
import { toSlug } from "./slug.ts";

/** Builds an application with its defaults. A title without Latin letters and digits has no slug, so the ID is used. */
export function newApplication(
  { clock, newId }: Pick<Deps, "clock" | "newId">,
  orgId: string,
  fields: Pick<ApplicationRow, "title"> & Partial<ApplicationRow>,
): ApplicationRow {
  const [id, now] = [newId(), clock.now()];
  return {
    orgId,
    id,
    slug: toSlug(fields.title) || id,
    description: "",
    context: "",
    language: "en",
    type: "CHATBOT",
    environment: "DEV",
    humanAnnotationEnabled: false,
    createdAt: now,
    modifiedAt: now,
    ...fields,
  };
}
