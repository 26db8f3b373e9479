import type { Deps } from "../deps.ts";
import type { ApplicationRow } from "./entity.ts";
import { toSlug } from "./slug.ts";

/**
 * Creates an application with its defaults. A title without Latin letters or digits has no slug; the ID replaces it.
 */
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
