import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { Loaded } from "../api/conditional.ts";
import type { Field } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { Detail } from "../ui/detail.tsx";
import { ButtonLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { StyleGuideForm } from "./style-guide-form.tsx";
import {
  getStyleGuide,
  refreshedByStyleGuides,
  type Section,
  type StyleGuide,
  updateStyleGuide,
} from "./style-guide-requests.ts";
import { styleGuidesParent } from "./style-guides-parent.ts";

const route = getRouteApi("/signed-in/style-guides/$styleGuideId/edit");

export default function EditStyleGuidePage() {
  const { styleGuideId } = route.useParams();
  return (
    <Detail request={getStyleGuide(styleGuideId)} title="Edit style guide" parent={styleGuidesParent}>
      {({ data }, loaded) => <EditStyleGuide key={data.id} loaded={loaded} />}
    </Detail>
  );
}

interface GuideDraft {
  readonly content: readonly Section[];
}

/** A section is known by its heading: one that was moved, or added above, is still compared with itself. */
const fields = (drafts: readonly GuideDraft[]): Field<GuideDraft>[] => {
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

function EditStyleGuide({ loaded }: { readonly loaded: Loaded<{ readonly data: StyleGuide }> }) {
  const { id } = loaded.body.data;
  const navigate = useNavigate();
  const there = { to: "/style-guides/$styleGuideId", params: { styleGuideId: id } } as const;
  const edit = useEdit({
    loaded,
    draftOf: ({ data: { content } }): GuideDraft => ({ content }),
    fields,
    makeRequest: ({ content }) => updateStyleGuide({ id, content: [...content] }),
    refreshes: refreshedByStyleGuides,
    onSaved: () => void navigate(there),
  });
  return (
    <Page title="Edit style guide" parent={styleGuidesParent} requests={[getStyleGuide(id)]}>
      <StyleGuideForm
        sections={edit.draft.content}
        onSections={(content) => edit.set({ content })}
        operation="PUT /v0/style-guides/{id}"
        submitLabel="Save"
        cancel={
          <ButtonLink {...there} variant="default">
            Cancel
          </ButtonLink>
        }
        onSave={edit.save}
        isSaving={edit.isPending}
        error={edit.error}
        edit={edit.view}
      />
    </Page>
  );
}
