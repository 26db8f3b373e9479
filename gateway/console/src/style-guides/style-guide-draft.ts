import type { Field } from "../edits/fields.ts";
import type { Section } from "./style-guide-requests.ts";

export interface GuideDraft {
  readonly content: readonly Section[];
}

export const newSection: Section = { heading: "", content: "", approved: false };

/** Returns fields that compare sections by heading, because adding, moving or removing one changes indexes. */
export const sectionFields = (drafts: readonly GuideDraft[]): Field<GuideDraft>[] => {
  const headings = new Set(drafts.flatMap(({ content }) => content.map(({ heading }) => heading)));
  const named = (heading: string) => (draft: GuideDraft) => draft.content.filter((each) => each.heading === heading);
  return [
    ...[...headings].map((heading) => ({
      label: heading === "" ? "Section without a heading" : `Section: ${heading}`,
      value: named(heading),
      text: (draft: GuideDraft) =>
        named(heading)(draft)
          .map(({ content, approved }) => `${content}\n${approved ? "Approved" : "Not approved"}`)
          .join("\n\n"),
    })),
    {
      label: "Sections, in their order",
      value: ({ content }) => content.map(({ heading }) => heading),
      text: ({ content }) => content.map(({ heading }) => heading).join("\n"),
    },
  ];
};
